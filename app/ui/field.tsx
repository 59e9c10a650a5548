import { CircleAlert } from "lucide-react";
import { type ReactNode, use, useId } from "react";
import { FieldContext } from "./field-context.ts";

type FieldProps = {
  label: ReactNode;
  children: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Adds "(optional)" to the label. Fields are required unless they say so. */
  optional?: boolean;
  /** The control's id; made up when absent. */
  id?: string;
  /** Reads the label out but does not show it. Only where the context says it all. */
  hideLabel?: boolean;
  /** A larger label, for questions that are to be read and not just filled in. */
  prominent?: boolean;
  className?: string;
};

/**
 * Label, hint and error around one control (Input, Textarea, JournalBox, Select, PasswordInput).
 * The control takes its id, aria-describedby and aria-invalid from here. The error has no
 * role="alert": after a failed submit, focus belongs on the first invalid field, which reads it.
 */
export function Field({
  label,
  children,
  hint,
  error,
  optional = false,
  id,
  hideLabel = false,
  prominent = false,
  className = "",
}: FieldProps) {
  const made = useId();
  const control = id ?? made;
  const hintId = hint ? `${control}-hint` : undefined;
  const errorId = error ? `${control}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(" ") || undefined;
  return (
    <div className={`field ${prominent ? "field-prominent" : ""} ${className}`}>
      <label className={hideLabel ? "sr-only" : "field-label"} htmlFor={control}>
        {label}
        {optional && <span className="field-optional"> (optional)</span>}
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
          <CircleAlert aria-hidden="true" strokeWidth={1.75} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

/**
 * Beside a control, for what site.ts has to say of it. React never looks into it, so that it can
 * be filled before React has taken the page over.
 */
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
