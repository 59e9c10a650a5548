import type { InputHTMLAttributes, ReactNode, Ref } from "react";

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & {
  ref?: Ref<HTMLInputElement>;
  label: ReactNode;
};

/** A native checkbox inside its label; the whole line is the target. */
export function Checkbox({ label, className = "", ...rest }: CheckboxProps) {
  return (
    <label className={`checkbox ${className}`}>
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}
