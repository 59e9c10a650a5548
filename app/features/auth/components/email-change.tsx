import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { PendingEmailChange } from "../email-change.server.ts";
import { accountPath } from "../messages.ts";
import type { ReauthenticationMethods } from "../reauthentication.server.ts";
import type { FieldError } from "../schema.ts";
import { EmailField } from "./credential-fields.tsx";
import { ReauthenticationFields } from "./reauthentication.tsx";

type Props = {
  fieldError: FieldError | null;
  typed: string | undefined;
  proof: ReauthenticationMethods;
};

export function EmailChangeForm({ fieldError, typed, proof }: Props) {
  const busy = useNavigation().formAction !== undefined;
  const isEmail = fieldError?.field === "email";
  return (
    <>
      <p>
        We send an email to both addresses, each with a link. Your address changes once both are
        confirmed, so that nobody can take over your account on a device that you left open. The
        weekly newsletter is separate: it still goes to the address that you signed up with.
      </p>
      <Form method="post" noValidate className="grid gap-5">
        <EmailField label="New email address" fieldError={fieldError} value={typed} />
        <ReauthenticationFields proof={proof} fieldError={isEmail ? null : fieldError} />
        <div className="flex flex-wrap gap-3">
          {proof !== "sign-in" && (
            <Button type="submit" busy={busy} busyLabel="Sending...">
              Send both emails
            </Button>
          )}
          <ButtonLink href={accountPath} variant="outline">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
}

export function PendingEmailChangeNotice({
  email,
  wish,
}: {
  email: string;
  wish: PendingEmailChange;
}) {
  const { newEmail, until, isOldDone, isNewDone } = wish;
  const emails = [
    { address: email, isDone: isOldDone },
    { address: newEmail, isDone: isNewDone },
  ];
  return (
    <>
      <Notice title={`It changes to ${newEmail} once both are confirmed`}>
        <p>Please confirm with the link in each email before {until}.</p>
      </Notice>
      <ul className="account-rows">
        {emails.map(({ address, isDone }) => (
          <li key={address}>
            <span>{address}</span>
            <span className={isDone ? "text-sage" : "text-ink-soft"}>
              {isDone ? "Confirmed" : "Waits for you"}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">
        No email? It can take a minute; please also look in your spam folder. To try again, or with
        another address, cancel this change first.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="cancel" />
        <Button type="submit" variant="outline">
          Keep my address
        </Button>
      </Form>
    </>
  );
}
