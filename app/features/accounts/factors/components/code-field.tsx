import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";

type Props = {
  label: string;
  hint?: string | undefined;
  error: string | null | undefined;
  /** Which of the two a phone's keyboard is for; the site takes either in either. */
  kind?: "app" | "recovery";
};

/** For the six digits of an app, or a recovery code; spaces that come along when pasting do not matter. */
export function CodeField({ label, hint, error, kind = "app" }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) ref.current?.focus();
  }, [error]);
  return (
    <Field label={label} hint={hint} error={error}>
      <Input
        ref={ref}
        name="code"
        inputMode={kind === "app" ? "numeric" : "text"}
        autoComplete={kind === "app" ? "one-time-code" : "off"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={Boolean(error)}
        className="code-input"
      />
    </Field>
  );
}
