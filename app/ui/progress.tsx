import { type ReactNode, useId } from "react";

type ProgressProps = {
  /** 0 to 100. */
  value: number;
  /** The words beside the line; they name it for screen readers. */
  label: ReactNode;
};

/** A thin line, never a score, also inside of a `<summary>`. A native `<progress>`, named by its text. */
export function Progress({ value, label }: ProgressProps) {
  const id = useId();
  return (
    <span className="progress">
      <progress max={100} value={value} aria-labelledby={id} />
      <span id={id}>{label}</span>
    </span>
  );
}
