import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from "react";
import { useFieldControl } from "./field-context.ts";

export type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  ref?: Ref<HTMLInputElement>;
  /** Lower, for dense admin forms; still 44 px. */
  dense?: boolean;
};

/** A one-line field. Give it a Field around it, or an `aria-label`. */
export function Input({ dense = false, className = "", ...rest }: InputProps) {
  const wiring = useFieldControl(rest);
  return (
    <input
      type="text"
      className={`control ${dense ? "control-dense" : ""} ${className}`}
      {...rest}
      {...wiring}
    />
  );
}

export type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  ref?: Ref<HTMLTextAreaElement>;
};

/** A field of several lines that grows with its text where the browser can. */
export function Textarea({ className = "", ...rest }: TextareaProps) {
  const wiring = useFieldControl(rest);
  return <textarea className={`control ${className}`} {...rest} {...wiring} />;
}
