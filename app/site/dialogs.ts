/** Tells CSS how much of the window is out of view: Safari's keyboard lies over the page. */
export function watchKeyboard(): void {
  const view = visualViewport as VisualViewport;
  const measure = () => {
    if (view.scale > 1.01) return;
    const { style } = document.documentElement;
    style.setProperty("--above", `${view.offsetTop}px`);
    style.setProperty("--below", `${innerHeight - view.height - view.offsetTop}px`);
  };
  for (const kind of ["resize", "scroll"]) view.addEventListener(kind, measure);
}

/** Browsers that know invoker commands could open some of them by themselves; this opens all. */
export function openDialog(opener: HTMLElement, event: Event): void {
  const dialog = document.getElementById(opener.dataset.dialogOpen ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  if (dialog.open) return;
  dialog.querySelector("[data-toasts]")?.replaceChildren();
  const { style, clientWidth } = document.documentElement;
  style.setProperty("--scrollbar", `${innerWidth - clientWidth}px`);
  // Safari does not focus what is clicked, and could then not give focus back to it.
  opener.focus({ preventScroll: true });
  dialog.showModal();
}

const knowsClosedBy = "closedBy" in HTMLDialogElement.prototype;
let isPressedBeside = false;

/** A press beside a dialog begins and ends there: a selection that only ends there is none. */
export function notePress(event: MouseEvent): void {
  isPressedBeside = isBesideDialog(event);
}

export function closeDialogOnBackdrop(event: MouseEvent): void {
  if (knowsClosedBy || !isPressedBeside || !isBesideDialog(event)) return;
  (event.target as HTMLDialogElement).close();
}

/** The backdrop is the dialog's own, so only the place tells. */
function isBesideDialog({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
