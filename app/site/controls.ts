const busyForms = "[data-busy-form]";

/** Marks the pressed button of a form that leaves the page; a second press is one too many. */
export function sayBusy(event: SubmitEvent): void {
  const { submitter, target, defaultPrevented } = event;
  if (defaultPrevented || !submitter || !(target as Element).matches(busyForms)) return;
  if (submitter.hasAttribute("aria-busy")) event.preventDefault();
  // The navigation may be cancelled: the page then stays.
  else setTimeout(sayIdle, 10_000);
  submitter.setAttribute("aria-busy", "true");
}

/** Also for a page that the back/forward cache restores as it was left. */
export function sayIdle(): void {
  for (const button of document.querySelectorAll(`${busyForms} [aria-busy]`))
    button.removeAttribute("aria-busy");
}

export function togglePassword(button: Element): void {
  const input = button.parentElement?.querySelector("input");
  if (!input) return;
  const shown = input.type === "text";
  input.type = shown ? "password" : "text";
  button.setAttribute("aria-pressed", String(!shown));
}

/** Menus close by themselves (popover), but a page that routes in the browser stays open. */
export function closeMenuOf(link: Element): void {
  link.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Safari focuses no button that is pressed, and Tab would pass by its menu; without the blur it
 * stays so. */
export function focusMenuButton(button: HTMLElement, { detail }: MouseEvent): void {
  if (!detail) return;
  button.blur();
  button.focus({ preventScroll: true });
}

/** From these widths on (ui/styles), menus and drawers stand in place: closes open ones. */
export function closeMenusWhenTurned(): void {
  for (const width of ["54rem", "64rem"])
    matchMedia(`(min-width: ${width})`).addEventListener("change", () => {
      for (const menu of document.querySelectorAll<HTMLElement>("[popover]")) menu.hidePopover?.();
    });
}
