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

const ofCookie = () => /theme=(\w+)/.exec(document.cookie)?.[1] ?? themes[0];

/** Stored here, where other tabs hear of it, until the server has set its cookie (018). */
function save(theme = "system") {
  apply(theme);
  store(name, theme);
  sendTheme();
}

let isSending = false;

async function sendTheme() {
  const theme = stored(name);
  if (isSending || !theme) return;
  isSending = true;
  const body = new URLSearchParams({ theme });
  await fetch("/api/preferences", { method: "POST", keepalive: true, body }).catch(() => {});
  isSending = false;
  if (stored(name) !== theme) sendTheme();
  else if (ofCookie() === theme) store(name, null);
}

/** Goes on to the next theme. */
export function turnTheme(): void {
  const at = themes.indexOf(root.dataset.theme ?? "system");
  save(themes[(at + 1) % themes.length]);
}

/** Takes the theme of three that was pressed. */
export function chooseTheme({ target }: Event): void {
  const choice = target as HTMLInputElement;
  if (choice.matches("[data-theme-choice]")) save(choice.value);
}

/** The theme that was chosen last, perhaps on another page. */
export function catchUpTheme(): void {
  apply(stored(name) ?? ofCookie());
}

export function startTheme(): void {
  catchUpTheme();
  sendTheme();
}
