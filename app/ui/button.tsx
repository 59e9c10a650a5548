import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { type ButtonLook, buttonStyles } from "./button-styles.ts";

declare module "react" {
  // Invoker commands: known to browsers, not yet to React's types. React passes them through.
  interface ButtonHTMLAttributes<T> extends HTMLAttributes<T> {
    command?: "show-modal" | "close" | "request-close" | undefined;
    commandfor?: string | undefined;
  }
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> &
  ButtonLook & {
    ref?: Ref<HTMLButtonElement>;
    /** Working: keeps focus and width, takes no further press. */
    busy?: boolean;
    busyLabel?: ReactNode;
  };

/** A button. An icon-only one needs `aria-label`. With `busyLabel`, anyone who sets
 * `aria-busy="true"` on the element (React through `busy`, or site.ts) swaps the words; only the
 * visible ones are read out. */
export function Button({
  variant,
  size,
  className,
  busy = false,
  busyLabel,
  type = "button",
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const refuse = (event: MouseEvent<HTMLButtonElement>) => event.preventDefault();
  return (
    <button
      type={type}
      className={buttonStyles({ variant, size, className })}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? refuse : onClick}
      {...rest}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="button-labels">
          <span className="button-idle">{children}</span>
          <span className="button-busy">{busyLabel}</span>
        </span>
      )}
    </button>
  );
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> &
  ButtonLook & { href: string; ref?: Ref<HTMLAnchorElement> };

/** A link that looks like a button: it goes somewhere, and is read out as a link. */
export function ButtonLink({ variant, size, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonStyles({ variant, size, className })} {...rest}>
      {children}
    </a>
  );
}
