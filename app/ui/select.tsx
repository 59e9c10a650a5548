import { ChevronDown } from "lucide";
import type { Ref, SelectHTMLAttributes } from "react";
import { useFieldControl } from "./field.tsx";
import { Icon } from "./icon.tsx";

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "className"> & {
  ref?: Ref<HTMLSelectElement>;
  dense?: boolean;
};

/** The browser's own select, dressed. Give it a Field around it, or an `aria-label`. */
export function Select({ dense = false, children, ...rest }: SelectProps) {
  const wiring = useFieldControl(rest);
  return (
    <span className="select">
      <select className={`control ${dense ? "control-dense" : ""}`} {...rest} {...wiring}>
        {children}
      </select>
      <Icon of={ChevronDown} />
    </span>
  );
}
