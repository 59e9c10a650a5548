import { Form } from "react-router";
import {
  type Complaint,
  NameField,
  PasswordField,
} from "~/features/accounts/components/credential-fields.tsx";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import { Notice } from "~/ui/notice.tsx";

type Common = { email: string; busy: boolean };

/** Makes the account: her address is given, name and password are hers to choose. */
export function NewAccountForm({
  email,
  busy,
  complaint,
  name,
}: Common & { complaint: Complaint; name: string | undefined }) {
  return (
    <Form method="post" noValidate className="grid gap-5">
      <Field label="Email" hint="Your account will have this address.">
        <Input type="email" value={email} readOnly autoComplete="username" />
      </Field>
      <NameField complaint={complaint} value={name} />
      <PasswordField complaint={complaint} fresh />
      <Button type="submit" size="lg" busy={busy} busyLabel="Opening the course...">
        Accept and begin
      </Button>
    </Form>
  );
}

/** One press for whoever has an account already. */
export function KnownAccountForm({ email, busy, isViewer }: Common & { isViewer: boolean }) {
  return (
    <Form method="post" className="grid gap-5">
      <p className="break-words">
        {isViewer
          ? `You are signed in as ${email}.`
          : `You have an account with the address ${email} already. Accept, and then sign in with its password.`}
      </p>
      <p>
        <Button type="submit" size="lg" busy={busy} busyLabel="Accepting...">
          Accept the invitation
        </Button>
      </p>
    </Form>
  );
}

/** Somebody else is signed in on this browser: nothing happens before she has signed out. */
export function OtherViewerForm({ email, busy, viewer }: Common & { viewer: string }) {
  return (
    <>
      <Notice tone="warning" title="Somebody else is signed in here">
        <p className="break-words">
          This invitation is for {email}, and you are signed in as {viewer}. Sign out first, and
          this page comes back.
        </p>
      </Notice>
      <Form method="post">
        <input type="hidden" name="intent" value="sign-out" />
        <Button type="submit" size="lg" busy={busy} busyLabel="Signing out...">
          Sign out and go on
        </Button>
      </Form>
    </>
  );
}
