import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { useFieldControl } from "./field.tsx";

if (!import.meta.env.SSR && !CSS.supports("field-sizing", "content"))
  void import("./grow-boxes.ts");

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

export function Textarea({ className = "", ...rest }: TextareaProps) {
  const wiring = useFieldControl(rest);
  return <textarea className={`control ${className}`} {...rest} {...wiring} />;
}

/** Lined paper: at least 120 px, growing with what is written. Give it a Field around it. */
export function JournalBox(props: Omit<TextareaProps, "className">) {
  return <textarea dir="auto" className="journal" {...props} {...useFieldControl(props)} />;
}

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> & {
  ref?: Ref<HTMLInputElement>;
  label: ReactNode;
};

/** A native checkbox inside its label; the whole line is the target. */
export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}
