import { type ReactNode, useEffect, useRef } from "react";
import { ButtonLink } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
  id: string;
  title: ReactNode;
  /** What goes, in words and numbers. */
  children: ReactNode;
  /** The form with the one button that does it. */
  form: ReactNode;
  /** The same page without the question. */
  closeHref: string;
  /** Escape, the cross, a press beside it: leads to `closeHref`. */
  onClose: () => void;
};

/** A confirmation with its own URL, so that the server can render it with its details, also
 * without scripts: there it is open within the page. With them it is modal from the start. */
export function ConfirmDialog({
  id,
  title,
  children,
  form,
  closeHref,
  onClose,
}: ConfirmDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.matches(":modal")) return;
    dialog.removeAttribute("open");
    dialog.showModal();
  }, []);
  return (
    <Dialog ref={ref} id={id} title={title} open onClose={onClose}>
      <div className="grid gap-3 wrap-anywhere">{children}</div>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        <ButtonLink variant="outline" href={closeHref}>
          Cancel
        </ButtonLink>
        {form}
      </div>
    </Dialog>
  );
}
