/**
 * The only script of public pages; it also runs beside React. One listener per kind of event on
 * `document`, no imports. It sets attributes and opens dialogs, and never moves nodes that React
 * owns; the container of browser-made toasts is its own.
 */
type Toast = { title: string; description?: string; tone?: "default" | "success" | "destructive" };

const root = document.documentElement;

function closest<T extends Element>(event: Event, selector: string): T | null {
  return event.target instanceof Element ? event.target.closest<T>(selector) : null;
}

/* Dialogs: browsers that know invoker commands open them by themselves. */

function openDialog(event: Event) {
  const opener = closest<HTMLElement>(event, "[data-dialog-open]");
  const dialog = document.getElementById(opener?.dataset.dialogOpen ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
}

const knowsClosedBy = "closedBy" in HTMLDialogElement.prototype;

function closeDialogOnBackdrop(event: MouseEvent) {
  const dialog = event.target;
  if (knowsClosedBy || !(dialog instanceof HTMLDialogElement)) return;
  const box = dialog.getBoundingClientRect();
  const inside =
    event.clientX >= box.left &&
    event.clientX <= box.right &&
    event.clientY >= box.top &&
    event.clientY <= box.bottom;
  if (!inside) dialog.close();
}

/* Theme: absent means as the system. */

const themes = ["system", "light", "dark"];

function turnTheme(event: Event) {
  if (!closest(event, "[data-theme-toggle]")) return;
  const at = themes.indexOf(root.dataset.theme ?? "system");
  const next = themes[(at + 1) % themes.length] ?? "system";
  applyTheme(next);
  try {
    if (next === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
  } catch {
    // Storage may be forbidden; the choice then lasts for this page.
  }
}

/** A page that comes back from the cache of the browser has missed what happened meanwhile. */
function reviveTheme(event: PageTransitionEvent) {
  if (!event.persisted) return;
  try {
    applyTheme(localStorage.getItem("theme"));
  } catch {
    // As above.
  }
}

function applyTheme(theme: string | null) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
}

/* Toasts */

const pageToasts = ".toast-list + [data-toasts]";

/** The markup of ui/toast.tsx. */
function showToast({ title, description, tone = "default" }: Toast) {
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.dataset.tone = tone;
  const text = toast.appendChild(document.createElement("div"));
  text.className = "toast-text";
  for (const [name, words] of Object.entries({ title, description })) {
    if (!words) continue;
    const line = text.appendChild(document.createElement("p"));
    line.className = `toast-${name}`;
    line.textContent = words;
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast-close";
  close.dataset.toastClose = "";
  close.setAttribute("aria-label", "Dismiss");
  close.innerHTML =
    '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><path d="M18 6 6 18M6 6l12 12"/></svg>';
  toast.append(close);
  toast.addEventListener("animationend", ({ animationName }) => {
    if (animationName === "toast-out") toast.remove();
  });
  if (tone === "destructive") toast.role = "alert";
  const modal = document.querySelector("dialog:modal [data-toasts]");
  (modal ?? document.querySelector(pageToasts))?.append(toast);
}

function closeToast(event: Event) {
  const toast = closest(event, "[data-toast-close]")?.closest<HTMLElement>(".toast");
  if (toast) toast.hidden = true;
}

/** Live regions that arrive with the page are silent: says the server's toasts once more. */
function announceToasts() {
  const own = document.querySelector(pageToasts);
  for (const toast of document.querySelectorAll(".toast-list .toast-text")) {
    const words = document.createElement("p");
    words.className = "sr-only";
    words.textContent = toast.textContent;
    setTimeout(() => own?.append(words), 500);
    setTimeout(() => words.remove(), 5000);
  }
}

/* Forms */

function togglePassword(event: Event) {
  const button = closest(event, "[data-password-toggle]");
  const input = button?.parentElement?.querySelector("input");
  if (!button || !input) return;
  const shown = input.type === "text";
  input.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!shown));
}

/* Menus close by themselves (popover), but a page that routes in the browser stays open. */

function closeMenuOnFollow(event: Event) {
  const menu = closest(event, "a[href]")?.closest<HTMLElement>("[popover]");
  menu?.hidePopover?.();
}

/* The server counts days where the reader lives. */

function rememberTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  const cookie = `tz=${encodeURIComponent(zone)}`;
  if (document.cookie.split("; ").includes(cookie)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax`;
}

document.addEventListener("click", (event) => {
  openDialog(event);
  closeDialogOnBackdrop(event);
  turnTheme(event);
  closeToast(event);
  togglePassword(event);
  closeMenuOnFollow(event);
});
/** For scripts that hydrate: document.dispatchEvent(new CustomEvent("toast", { detail })). */
document.addEventListener("toast", (event) => {
  if (event instanceof CustomEvent) showToast(event.detail as Toast);
});
addEventListener("storage", (event) => {
  if (event.key === "theme") applyTheme(event.newValue);
});
addEventListener("pageshow", reviveTheme);
rememberTimeZone();
announceToasts();
