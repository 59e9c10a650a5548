import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";

/** A confirmation link is on its way. */
export function CheckYourMail({ email }: { email: string }) {
  return (
    <Notice tone="success" title="Please check your email" focused>
      <p className="break-words">
        {`A link is on its way to ${email}. Open it and press the button there, and your account is ready. The email can take a minute, and sometimes it lands among the spam.`}
      </p>
      <SendAgain email={email} />
    </Notice>
  );
}

/**
 * A sign-in was refused. Whether the password was wrong or the address is not confirmed, or nobody
 * has an account with it, reads the same: who asks may not be its owner.
 */
export function MaybeUnconfirmed({ email }: { email: string }) {
  return (
    <Notice tone="warning" title="Have you just signed up?" live>
      <p className="break-words">
        {`Then please confirm your email first. Open the email that we sent to ${email} and press the button in it: your account is ready then. It may have landed among the spam.`}
      </p>
      <SendAgain email={email} />
    </Notice>
  );
}

function SendAgain({ email }: { email: string }) {
  return (
    <Form method="post" className="mt-4">
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="email" value={email} />
      <Button type="submit" variant="outline" size="sm">
        Send the email again
      </Button>
    </Form>
  );
}

/** Somebody came from a provider that has not confirmed her address: a link is on its way there. */
export function ConfirmFirst({ provider }: { provider: string }) {
  return (
    <Notice tone="success" title="Please check your email">
      <p>
        {`${provider} has not confirmed your address, so a link is on its way to it. Open it and press the button there. The email can take a minute, and sometimes it lands among the spam.`}
      </p>
    </Notice>
  );
}
