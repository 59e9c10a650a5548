import { Form, useNavigation } from "react-router";
import { ReauthenticationFields } from "~/features/auth/components/reauthentication.tsx";
import { dataPath } from "~/features/auth/messages.ts";
import type { ReauthenticationMethods } from "~/features/auth/reauthentication.server.ts";
import type { FieldError } from "~/features/auth/schema.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";

export function DeletionExplanation() {
  return (
    <div className="prose">
      <p>These go with it, for good:</p>
      <ul>
        <li>everything you have written in your courses, sent or not yet sent,</li>
        <li>your progress, and your place in every course, also in those that you bought,</li>
        <li>your name, your address, your password and every other way in.</li>
      </ul>
      <p>
        Nobody can bring them back, neither can I. If you may want to read your journal again,{" "}
        <a href={dataPath}>download everything</a> first.
      </p>
      <p>
        These stay: records of payments, as long as the law asks for it, without your name and
        address. The weekly newsletter is separate: each one ends with a link to unsubscribe.
      </p>
      <p>
        You have a week to change your mind. You are signed out everywhere at once, and I send you
        an email. Until the week is over you can cancel, with the link in that email or by signing
        in. After that the account is gone.
      </p>
    </div>
  );
}

type Props = { fieldError: FieldError | null; proof: ReauthenticationMethods };

export function DeleteAccountForm({ fieldError, proof }: Props) {
  const busy = useNavigation().formAction !== undefined;
  const isRole = fieldError?.field === "role";
  return (
    <Form method="post" noValidate className="grid gap-5">
      {isRole && (
        <Notice tone="destructive" title="Your account was not deleted" live>
          <p>{fieldError?.message}</p>
        </Notice>
      )}
      <ReauthenticationFields proof={proof} fieldError={isRole ? null : fieldError} />
      <div className="flex flex-wrap gap-3">
        {proof !== "sign-in" && (
          <Button type="submit" variant="destructive" busy={busy} busyLabel="One moment...">
            Delete my account
          </Button>
        )}
        <ButtonLink href={dataPath} variant="outline">
          Keep it
        </ButtonLink>
      </div>
    </Form>
  );
}
