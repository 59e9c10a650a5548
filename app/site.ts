/** The only script of public pages; it also runs beside React. It listens on `document`, sets
 * attributes and opens dialogs, and never moves nodes that React owns; the containers of
 * browser-made toasts are its own. This file says what happens when; `site/` says how. */
import {
  closeMenuOf,
  closeMenusWhenTurned,
  focusMenuButton,
  sayBusy,
  sayIdle,
  togglePassword,
} from "./site/controls.ts";
import { closeDialogOnBackdrop, notePress, openDialog, watchKeyboard } from "./site/dialogs.ts";
import { sendNewsletterForm } from "./site/newsletter.ts";
import { catchUpSession, startSession } from "./site/session.ts";
import { catchUpTheme, chooseTheme, startTheme, turnTheme } from "./site/theme.ts";
import {
  announceToasts,
  closeToast,
  escapeToasts,
  type SiteToast,
  showFocus,
  showToast,
} from "./site/toasts.ts";

document.addEventListener("pointerdown", notePress);
const presses: Record<string, (pressed: HTMLElement, event: MouseEvent) => void> = {
  "[data-dialog-open]": openDialog,
  "[data-theme-toggle]": turnTheme,
  "[data-toast-close]": closeToast,
  "[data-password-toggle]": togglePassword,
  "[data-print]": () => print(),
  "a[href]": closeMenuOf,
  "[popovertarget]": focusMenuButton,
};
document.addEventListener("click", (event) => {
  closeDialogOnBackdrop(event);
  for (const [selector, act] of Object.entries(presses)) {
    const pressed = (event.target as Element).closest<HTMLElement>(selector);
    if (pressed) act(pressed, event);
  }
});
document.addEventListener("keydown", escapeToasts);
document.addEventListener("animationstart", showFocus);
document.addEventListener("change", chooseTheme);
document.addEventListener("submit", (event) => {
  sendNewsletterForm(event);
  sayBusy(event);
});
/** For scripts that hydrate: document.dispatchEvent(new CustomEvent("toast", { detail })). */
document.addEventListener("toast", (event) => {
  event.preventDefault();
  showToast((event as CustomEvent<SiteToast>).detail);
});
// Another tab has stored something, or everything has been deleted (key null).
addEventListener("storage", ({ key }) => {
  if (key === "theme" || key === null) catchUpTheme();
  if (key === "session" || key === null) catchUpSession();
});
// A page restored from the back/forward cache has missed what happened meanwhile.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  catchUpTheme();
  catchUpSession();
  sayIdle();
});
closeMenusWhenTurned();
watchKeyboard();

function start() {
  startTheme();
  startSession();
  announceToasts();
}
// A prerendered page, which may never be seen, does nothing until it is shown.
if ((document as { prerendering?: boolean }).prerendering)
  document.addEventListener("prerenderingchange", start, { once: true });
else start();
