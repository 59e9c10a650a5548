import { useFieldControl } from "./field-context.ts";
import type { TextareaProps } from "./inputs.tsx";

/** Lined paper: at least 120 px, growing with what is written. Give it a Field around it. */
export function JournalBox({ className = "", ...rest }: TextareaProps) {
  const wiring = useFieldControl(rest);
  return <textarea dir="auto" className={`journal ${className}`} {...rest} {...wiring} />;
}
