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

/**
 * A question of its own address, so that it can be asked of the server with what it has to say,
 * and without scripts: there it stands open in the page. With them it is modal from the start.
 */
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
    <Dialog ref={ref} id={id} title={title} open onClose={onClose} className="confirm">
      <div className="confirm-text">{children}</div>
      <div className="confirm-buttons">
        <ButtonLink variant="outline" href={closeHref}>
          Cancel
        </ButtonLink>
        {form}
      </div>
    </Dialog>
  );
}
