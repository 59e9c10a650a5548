import { createContext, use } from "react";

type FieldState = { id?: string; describedBy?: string | undefined; invalid: boolean };

export const FieldContext = createContext<FieldState>({ invalid: false });

type Wiring = {
  id?: string | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling" | undefined;
};

/** What a control inherits from the Field around it; its own attributes win. */
export function useFieldControl(own: Wiring): Wiring {
  const field = use(FieldContext);
  return {
    id: own.id ?? field.id,
    "aria-describedby": own["aria-describedby"] ?? field.describedBy,
    "aria-invalid": own["aria-invalid"] ?? (field.invalid || undefined),
  };
}
