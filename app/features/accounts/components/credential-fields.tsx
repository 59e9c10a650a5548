import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";
import { passwordHint } from "../texts.ts";

/** The first thing wrong with a form, and the field it belongs to. */
export type Complaint = { field: string; message: string } | null;

type Props = { complaint: Complaint; value?: string | undefined };

/** Focus goes to the field that is wrong: by the attribute in a new page, else after each answer. */
function useWiring(name: string, { complaint, value }: Props) {
  const error = complaint?.field === name ? complaint.message : undefined;
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (complaint?.field === name) ref.current?.focus();
  }, [complaint, name]);
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

/** `fresh` for a password being chosen: it says what is asked of it. */
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
