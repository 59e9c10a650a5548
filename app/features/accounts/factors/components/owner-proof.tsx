import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";
import { signOutForm } from "../../components/account-frame.tsx";
import { CodeField } from "./code-field.tsx";

type Props = {
  /** What is to be shown: see proofOf. */
  proof: "password" | "none" | "code" | "sign-in";
  /** What is wrong with it, in an object of its own for each answer. */
  complaint: { message: string } | null | undefined;
};

/** What somebody shows to be the owner of the account, in a form that takes something away. */
export function OwnerProof({ proof, complaint }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (complaint) ref.current?.focus();
  }, [complaint]);
  if (proof === "none")
    return (
      complaint && (
        <Notice tone="destructive" live>
          {complaint.message}
        </Notice>
      )
    );
  if (proof === "sign-in") return <SignInAgain isNews={Boolean(complaint)} />;
  if (proof === "code")
    return (
      <CodeField
        kind="any"
        label="A code of your app"
        hint="Or one of your recovery codes."
        complaint={complaint}
      />
    );
  return (
    <Field label="Your password" error={complaint?.message}>
      <PasswordInput
        ref={ref}
        name="password"
        autoComplete="current-password"
        required
        autoFocus={Boolean(complaint)}
      />
    </Field>
  );
}

/** Its button belongs to the frame's form, so that Enter in a field here never signs out. */
function SignInAgain({ isNews }: { isNews: boolean }) {
  const { pathname, search } = useLocation();
  return (
    <div className="grid justify-items-start gap-5">
      <p role={isNews ? "alert" : undefined}>
        It has been a while since you signed in. Please sign out and in again first; then you have
        ten minutes.
      </p>
      <Button type="submit" form={signOutForm} name="redirect" value={pathname + search}>
        Sign out and in again
      </Button>
    </div>
  );
}
