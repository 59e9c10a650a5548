import { Form } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { NameField, PasswordField } from "~/features/auth/components/credential-fields.tsx";
import { authPath } from "~/features/auth/rules.ts";
import type { FieldError } from "~/features/auth/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useSite } from "~content/use-site.ts";
import { type InvalidInvitationReason, invalidInvitationMessages } from "../messages.ts";

type Common = { email: string; busy: boolean };

/** Makes the account: their address is given, name and password are theirs to choose. */
export function NewAccountForm({
  email,
  busy,
  fieldError,
  name,
}: Common & { fieldError: FieldError | null; name: string | undefined }) {
  return (
    <Form method="post" noValidate className="grid gap-5">
      <Field label="Email" hint="Your account will have this address.">
        <Input type="email" value={email} readOnly autoComplete="username" />
      </Field>
      <NameField fieldError={fieldError} value={name} />
      <PasswordField fieldError={fieldError} fresh />
      <Button type="submit" size="lg" busy={busy} busyLabel="Opening the course...">
        Accept and begin
      </Button>
    </Form>
  );
}

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

/** Somebody else is signed in on this browser: nothing happens before they have signed out. */
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

/** Why the link does not lead into the course, and what to do about it. */
export function InvalidInvitation({
  state,
  slug,
}: {
  state: InvalidInvitationReason;
  slug: string | null;
}) {
  const site = useSite();
  const { title, lead } = invalidInvitationMessages[state];
  return (
    <AuthPage title={title} subtitle={lead} news>
      {slug && (
        <p>
          <ButtonLink href={authPath(`/courses/${slug}/learn`)} size="lg">
            Go to sign in
          </ButtonLink>
        </p>
      )}
      <p className="text-ink-soft">
        {slug ? "Was it not you? Write to me at " : "If you would like to come, write to me at "}
        <a href={`mailto:${site.email}`}>{site.email}</a>
        {slug ? "." : ", and I will see to it."}
      </p>
    </AuthPage>
  );
}
