import type { Ref, TextareaHTMLAttributes } from "react";
import { useFieldControl } from "./field-context.ts";

export type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  ref?: Ref<HTMLTextAreaElement>;
};

/** A field of several lines that grows with its text where the browser can. */
export function Textarea({ className = "", ...rest }: TextareaProps) {
  const wiring = useFieldControl(rest);
  return <textarea className={`control ${className}`} {...rest} {...wiring} />;
}
