import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { Button, ButtonLink } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type ConfirmDialogProps = Omit<ComponentProps<typeof Dialog>, "description" | "form"> & {
  children: ReactNode;
  /** The form with the one button that does it. */
  form: ReactNode;
  /** Closes the dialog if left out, without a script. */
  cancel?: ReactNode;
};

/** Every question before a deed: what will happen, Cancel, the deed. Opened by a DialogButton with
 * its id, or by `showModal()`. */
export function ConfirmDialog({ children, form, cancel, ...dialog }: ConfirmDialogProps) {
  const description = `${dialog.id}-description`;
  return (
    <Dialog aria-describedby={description} {...dialog}>
      <div id={description} className="grid gap-3 wrap-anywhere">
        {children}
      </div>
      <div className="mt-7 flex flex-wrap justify-end gap-3">
        {cancel ?? (
          <form method="dialog">
            <Button type="submit" variant="outline">
              Cancel
            </Button>
          </form>
        )}
        {form}
      </div>
    </Dialog>
  );
}

type LinkedConfirmDialogProps = Omit<ConfirmDialogProps, "cancel"> & {
  closeHref: string;
};

/** A question with its own URL, so that the server can render it with its details, also without
 * scripts: there it is open within the page. With them it is modal from the start. */
export function LinkedConfirmDialog({ closeHref, ...dialog }: LinkedConfirmDialogProps) {
  const { key } = useLocation();
  const navigate = useNavigate();
  const close = () => void navigate(closeHref, { replace: true, preventScrollReset: true });
  const cancel = (
    <ButtonLink variant="outline" href={closeHref}>
      Cancel
    </ButtonLink>
  );
  // Without the key, a dialog reopened while its closing navigation was pending never appeared.
  return <ModalFromTheStart key={key} {...dialog} cancel={cancel} onClose={close} />;
}

function ModalFromTheStart(dialog: ConfirmDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || element.matches(":modal")) return;
    element.removeAttribute("open");
    element.showModal();
  }, []);
  return <ConfirmDialog {...dialog} ref={ref} open />;
}
