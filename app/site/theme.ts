import { store, stored } from "./storage.ts";

const root = document.documentElement;
const name = "theme";
const themes = ["system", "light", "dark"];

function apply(theme: string | null | undefined) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  const shown = root.dataset.theme;
  for (const choice of document.querySelectorAll<HTMLInputElement>("[data-theme-choice]"))
    choice.checked = choice.value === (shown ?? "system");
  // The browser's own bars follow the system unless set here: the night theme needs dark ones.
  for (const bar of document.querySelectorAll<HTMLMetaElement>("meta[data-mode]")) {
    const { mode } = bar.dataset;
    bar.media = !shown ? `(prefers-color-scheme: ${mode})` : shown === mode ? "all" : "not all";
  }
}

/** Applies a theme and stores it; nothing is stored for the one of the system. */
function save(theme = "system") {
  apply(theme);
  store(name, theme === "system" ? null : theme);
}

/** Goes on to the next theme. */
export function turnTheme(button: Element | null): void {
  const at = themes.indexOf(root.dataset.theme ?? "system");
  if (button) save(themes[(at + 1) % themes.length]);
}

/** Takes the theme of three that was pressed. */
export function chooseTheme(choice: EventTarget | null): void {
  if (choice instanceof HTMLInputElement && choice.matches("[data-theme-choice]"))
    save(choice.value);
}

/** The theme that was chosen last, perhaps on another page. */
export function catchUpTheme(): void {
  const theme = stored(name);
  if (theme !== undefined) apply(theme);
}

/** Another tab has chosen, or everything that was stored has been deleted (key null). */
export function followTheme(key: string | null): void {
  if (key === name || key === null) catchUpTheme();
}
