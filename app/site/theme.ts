import { closest } from "./closest.ts";
import { store, stored } from "./storage.ts";

const root = document.documentElement;
const name = "theme";
const themes = ["system", "light", "dark"];

function apply(theme: string | null | undefined) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  colourBars(root.dataset.theme);
  markChoice();
}

function markChoice() {
  const chosen = root.dataset.theme ?? "system";
  for (const choice of document.querySelectorAll<HTMLInputElement>("[data-theme-choice]"))
    choice.checked = choice.value === chosen;
}

/** The browser's own bars, which follow the system unless told otherwise: a bright one is no night. */
function colourBars(theme: string | undefined) {
  for (const bar of document.querySelectorAll<HTMLMetaElement>("meta[data-mode]")) {
    const { mode } = bar.dataset;
    bar.media = !theme ? `(prefers-color-scheme: ${mode})` : theme === mode ? "all" : "not all";
  }
}

/** Goes on to the next theme; nothing is kept for the one of the system. */
export function turnTheme(event: Event): void {
  if (!closest(event, "[data-theme-toggle]")) return;
  const at = themes.indexOf(root.dataset.theme ?? "system");
  keep(themes[(at + 1) % themes.length] ?? "system");
}

/** Takes the theme of three that somebody has pressed. */
export function chooseTheme(event: Event): void {
  const choice = closest<HTMLInputElement>(event, "[data-theme-choice]");
  if (choice) keep(choice.value);
}

function keep(theme: string) {
  apply(theme);
  store(name, theme === "system" ? null : theme);
}

/** The theme that was chosen last, perhaps on another page. */
export function catchUpTheme(): void {
  const theme = stored(name);
  if (theme !== undefined) apply(theme);
}

/** Another tab has chosen, or everything that was kept has been deleted. */
export function followTheme({ key }: StorageEvent): void {
  if (key === name || key === null) catchUpTheme();
}
