import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";

type Props = {
  label: string;
  hint?: string | undefined;
  /** What is wrong, in an object of its own for each answer. */
  complaint: { message: string } | null | undefined;
  /** What a phone's keyboard is for; the site takes either in either. */
  kind?: "app" | "recovery" | "any";
};

/** For the six digits of an app, or a recovery code; spaces that come along when pasting do not matter. */
export function CodeField({ label, hint, complaint, kind = "app" }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (complaint) ref.current?.focus();
  }, [complaint]);
  return (
    <Field label={label} hint={hint} error={complaint?.message}>
      <Input
        ref={ref}
        name="code"
        inputMode={kind === "app" ? "numeric" : "text"}
        autoComplete={kind === "recovery" ? "off" : "one-time-code"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={Boolean(complaint)}
        className="code-input"
      />
    </Field>
  );
}
