import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";

type Props = {
  label: string;
  hint?: string | undefined;
  /** A new object for each answer, so that the field is focused again. */
  fieldError: { message: string } | null | undefined;
  /** Selects the keyboard of a phone; the server accepts both kinds of code in either. */
  kind?: "app" | "recovery" | "any";
};

/** For a six-digit app code or a backup code; pasted spaces are accepted. */
export function CodeField({ label, hint, fieldError, kind = "app" }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fieldError) ref.current?.focus();
  }, [fieldError]);
  return (
    <Field label={label} hint={hint} error={fieldError?.message}>
      <Input
        ref={ref}
        name="code"
        inputMode={kind === "app" ? "numeric" : "text"}
        autoComplete={kind === "recovery" ? "off" : "one-time-code"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={Boolean(fieldError)}
        className="code-input"
      />
    </Field>
  );
}
