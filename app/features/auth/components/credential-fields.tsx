import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";

import { passwordHint } from "../messages.ts";
import type { FieldError } from "../schema.ts";

type Props = { fieldError: FieldError | null; value?: string | undefined };

// Focuses the invalid field: by `autoFocus` on a new page, by the effect after later answers.
function useWiring(name: string, { fieldError, value }: Props) {
  const error = fieldError?.field === name ? fieldError.message : undefined;
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fieldError?.field === name) ref.current?.focus();
  }, [fieldError, name]);
  return { error, control: { ref, name, defaultValue: value, autoFocus: error !== undefined } };
}

export function NameField(props: Props) {
  const { error, control } = useWiring("name", props);
  return (
    <Field label="Name" error={error}>
      <Input {...control} autoComplete="name" required />
    </Field>
  );
}

export function EmailField({ label = "Email", ...props }: Props & { label?: string }) {
  const { error, control } = useWiring("email", props);
  return (
    <Field label={label} error={error}>
      <Input {...control} type="email" autoComplete="email" inputMode="email" required />
    </Field>
  );
}

/** `fresh`: a new password is chosen, so the requirements are shown. */
export function PasswordField({
  fresh,
  label = "Password",
  name = "password",
  ...props
}: Props & { fresh: boolean; label?: string; name?: string }) {
  const { error, control } = useWiring(name, props);
  return (
    <Field label={label} error={error} hint={fresh ? passwordHint : undefined}>
      <PasswordInput
        {...control}
        autoComplete={fresh ? "new-password" : "current-password"}
        required
      />
    </Field>
  );
}
