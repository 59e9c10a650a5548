/* A button whose form leaves the page says so meanwhile. */

const forms = "[data-busy-form]";

/** Marks the pressed button; a second press while it works is one too many. */
export function sayBusy(event: SubmitEvent) {
  const { submitter, target, defaultPrevented } = event;
  if (defaultPrevented || !submitter || !(target instanceof Element && target.matches(forms)))
    return;
  if (submitter.hasAttribute("aria-busy")) return event.preventDefault();
  submitter.setAttribute("aria-busy", "true");
  // The way may be given up: the page then stays.
  setTimeout(sayIdle, 10_000);
}

/** Also for a page that comes back from the browser's memory as it was left. */
export function sayIdle() {
  for (const button of document.querySelectorAll(`${forms} [aria-busy]`))
    button.removeAttribute("aria-busy");
}
