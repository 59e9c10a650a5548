import { X } from "lucide";
import type { DialogHTMLAttributes, ReactNode, Ref } from "react";
import { Button } from "./button.tsx";
import { buttonStyles } from "./button-styles.ts";
import { Icon } from "./icon.tsx";
import { ToastContainer } from "./toast.tsx";

type DialogProps = Omit<DialogHTMLAttributes<HTMLDialogElement>, "title" | "className"> & {
  ref?: Ref<HTMLDialogElement>;
  id: string;
  title: ReactNode;
  description?: ReactNode;
};

/** A native modal dialog: the browser keeps focus inside, gives it back, and closes on Escape.
 * Opened by DialogButton, by `data-dialog-open` on anything, or by `showModal()`. The close button
 * is a `method="dialog"` form, so closing needs no script anywhere; site.ts adds the click on the
 * backdrop where `closedby` is not known. */
export function Dialog({ id, title, description, children, ...rest }: DialogProps) {
  return (
    <dialog
      id={id}
      closedby="any"
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      className="dialog"
      suppressHydrationWarning
      {...rest}
    >
      <div className="grid gap-2.5">
        <h2 className="dialog-title" id={`${id}-title`}>
          {title}
        </h2>
        {description && (
          <p className="text-ink-soft" id={`${id}-description`}>
            {description}
          </p>
        )}
      </div>
      <div className="mt-6">{children}</div>
      {/* Last in the order of Tab, first in the eye: focus should land on the content. */}
      <form method="dialog" className="absolute end-3 top-3">
        <button
          type="submit"
          aria-label="Close"
          className={buttonStyles({ variant: "ghost", size: "icon" })}
        >
          <Icon of={X} />
        </button>
      </form>
      <div className="toasts">
        <ToastContainer />
      </div>
    </dialog>
  );
}

type DialogButtonProps = Parameters<typeof Button>[0] & { dialog: string };

/** Opens the dialog with that id: by the browser where it knows `commandfor`, else by site.ts. */
export function DialogButton({ dialog, ...rest }: DialogButtonProps) {
  return (
    <Button
      command="show-modal"
      commandfor={dialog}
      data-dialog-open={dialog}
      aria-haspopup="dialog"
      {...rest}
    />
  );
}
