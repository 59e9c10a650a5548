import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";

export function CheckYourEmail({ email }: { email: string }) {
  return (
    <Notice tone="success" title="Please check your email" focused>
      <p className="break-words">
        {`We sent a link to ${email}. Open it and press the button there, and your account is ready. The email can take a minute; please also look in your spam folder.`}
      </p>
      <SendAgain email={email} />
    </Notice>
  );
}

/** Shown after a refused sign-in. The text must not reveal whether the address has an account. */
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

/** Shown when the provider has not verified the address and a confirmation link was sent. */
export function ConfirmFirst({ provider }: { provider: string }) {
  return (
    <Notice tone="success" title="Please check your email">
      <p>
        {`${provider} has not confirmed your address, so we sent a link to it. Open it and press the button there. The email can take a minute; please also look in your spam folder.`}
      </p>
    </Notice>
  );
}

/** Shown at sign-in after correct credentials, because the account is suspended. */
export function PausedAccount({ email }: { email: string }) {
  return (
    <Notice tone="warning" title="This account is paused" focused>
      <p className="break-words">
        It cannot be used to sign in just now. Nothing in it is lost. If you would like to ask why,
        write to <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </Notice>
  );
}
