import { CircleAlert } from "lucide";
import { createContext, type ReactNode, use, useId } from "react";
import { Icon } from "./icon.tsx";

type FieldProps = {
  label: ReactNode;
  children: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Adds "(optional)" to the label. Fields are required unless they say so. */
  optional?: boolean;
  id?: string;
  /** A larger label, for questions that are to be read and not just filled in. */
  prominent?: boolean;
};

/** Label, hint and error around one control (Input, Textarea, JournalBox, Select, PasswordInput).
 * The control takes its id, aria-describedby and aria-invalid from here. The error has no
 * role="alert": after a failed submit, focus belongs on the first invalid field, which reads it.
 * A FieldContext around Fields may describe them all. */
export function Field({
  label,
  children,
  hint,
  error,
  optional = false,
  id,
  prominent = false,
}: FieldProps) {
  const made = useId();
  const control = id ?? made;
  const hintId = hint ? `${control}-hint` : undefined;
  const errorId = error ? `${control}-error` : undefined;
  const around = use(FieldContext);
  const describedBy = [errorId, hintId, around.describedBy].filter(Boolean).join(" ") || undefined;
  return (
    <div className={prominent ? "field field-prominent" : "field"}>
      <label className="field-label" htmlFor={control}>
        {label}
        {optional && <span className="font-normal text-ink-soft"> (optional)</span>}
      </label>
      <FieldContext value={{ id: control, describedBy, invalid: Boolean(error) }}>
        {children}
      </FieldContext>
      {hint && (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={errorId}>
          <Icon of={CircleAlert} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

/** Beside a control, for what site.ts has to say of it. React never looks into it, so that it can
 * be filled before React has taken the page over. */
export function FieldErrorSlot() {
  const { id } = use(FieldContext);
  return (
    <p
      id={`${id}-slot`}
      className="field-error field-slot"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: an empty string; tells React to leave the children alone
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}

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
