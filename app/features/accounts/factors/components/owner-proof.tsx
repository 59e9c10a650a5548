import { useEffect, useRef } from "react";
import { Field } from "~/ui/field.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";
import { CodeField } from "./code-field.tsx";

type Props = {
  /** What is to be shown: see proofOf. */
  proof: "password" | "none" | "code" | "sign-in";
  error: string | null | undefined;
};

/** What somebody shows to be the owner of the account, in a form that takes something away. */
export function OwnerProof({ proof, error }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) ref.current?.focus();
  }, [error]);
  if (proof === "none") return null;
  if (proof === "sign-in")
    return (
      <p>
        It has been a while since you signed in. Please sign out and in again first; then you have
        ten minutes.
      </p>
    );
  if (proof === "code")
    return (
      <CodeField label="A code of your app" hint="Or one of your recovery codes." error={error} />
    );
  return (
    <Field label="Your password" error={error}>
      <PasswordInput
        ref={ref}
        name="password"
        autoComplete="current-password"
        required
        autoFocus={Boolean(error)}
      />
    </Field>
  );
}
