/** The only script of public pages; it also runs beside React. It listens on `document`, sets
 * attributes and opens dialogs, and never moves nodes that React owns; the containers of
 * browser-made toasts are its own. This file says what happens when; `site/` says how. */
import {
  closeMenusWhenTurned,
  guideMenu,
  printPage,
  sayBusy,
  sayIdle,
  togglePassword,
} from "./site/controls.ts";
import { closeDialogOnBackdrop, notePress, openDialog, watchKeyboard } from "./site/dialogs.ts";
import { sendNewsletterForm } from "./site/newsletter.ts";
import { catchUpSession, followSession, startSession } from "./site/session.ts";
import { catchUpTheme, chooseTheme, followTheme, startTheme, turnTheme } from "./site/theme.ts";
import {
  announceToasts,
  closeToast,
  escapeToasts,
  type SiteToast,
  showToast,
} from "./site/toasts.ts";

document.addEventListener("pointerdown", notePress);
document.addEventListener("click", (event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  openDialog(event, target.closest<HTMLElement>("[data-dialog-open]"));
  closeDialogOnBackdrop(event);
  turnTheme(target.closest("[data-theme-toggle]"));
  closeToast(target.closest("[data-toast-close]"));
  togglePassword(target.closest("[data-password-toggle]"));
  printPage(target.closest("[data-print]"));
  guideMenu(event, target);
});
document.addEventListener("keydown", escapeToasts);
document.addEventListener("change", ({ target }) => chooseTheme(target));
document.addEventListener("submit", (event) => {
  sendNewsletterForm(event);
  sayBusy(event);
});
/** For scripts that hydrate: document.dispatchEvent(new CustomEvent("toast", { detail })). */
document.addEventListener("toast", (event) => {
  event.preventDefault();
  if (event instanceof CustomEvent) showToast(event.detail as SiteToast);
});
addEventListener("storage", ({ key }) => {
  followTheme(key);
  followSession(key);
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
if ("prerendering" in document && document.prerendering)
  document.addEventListener("prerenderingchange", start, { once: true });
else start();
