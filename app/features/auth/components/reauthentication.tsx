import { useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";
import { reauthenticatePath, signInMethodsPath } from "../messages.ts";
import { AccountPart, signOutForm } from "./account-frame.tsx";
import { CodeField } from "./code-field.tsx";

type Props = {
  proof: "password" | "none" | "code" | "sign-in";
  /** A new object for each answer, so that the field is focused again. */
  fieldError: { message: string } | null | undefined;
};

export function ReauthenticationFields({ proof, fieldError }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fieldError) ref.current?.focus();
  }, [fieldError]);
  if (proof === "none")
    return (
      fieldError && (
        <Notice tone="destructive" live>
          {fieldError.message}
        </Notice>
      )
    );
  if (proof === "sign-in") return <SignInAgain isNews={Boolean(fieldError)} />;
  if (proof === "code")
    return (
      <CodeField
        kind="any"
        label="A code of your app"
        hint="Or one of your backup codes."
        fieldError={fieldError}
      />
    );
  return (
    <Field label="Your password" error={fieldError?.message}>
      <PasswordInput
        ref={ref}
        name="password"
        autoComplete="current-password"
        required
        autoFocus={Boolean(fieldError)}
      />
    </Field>
  );
}

// The button belongs to the frame's form, so that Enter in a field here never signs out.
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

/** Shown before sign-in methods are changed, unless the user has recently authenticated. */
export function ReauthenticationForm({ proof, fieldError, busy }: Props & { busy: boolean }) {
  return (
    <AccountPart
      id="owner"
      title="Please show that it is you"
      lead="It has been a while since you signed in. Ways to sign in are changed by you alone."
    >
      <Form
        method="post"
        action={reauthenticatePath}
        noValidate
        className="grid max-w-[22rem] gap-5"
      >
        <input type="hidden" name="intent" value="show-owner" />
        <ReauthenticationFields proof={proof} fieldError={fieldError} />
        {proof !== "sign-in" && (
          <p className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Button type="submit" busy={busy} busyLabel="One moment...">
              Go on
            </Button>
            <a href={signInMethodsPath}>Not now</a>
          </p>
        )}
      </Form>
    </AccountPart>
  );
}
