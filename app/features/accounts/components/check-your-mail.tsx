import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";

/** A confirmation link is on its way; or it was, and can be sent again. */
export function CheckYourMail({ email, kind }: { email: string; kind: "sent" | "unverified" }) {
  const sent = kind === "sent";
  return (
    <Notice
      tone={sent ? "success" : "warning"}
      title={sent ? "Please check your email" : "This address is not confirmed yet"}
      focused
    >
      <p className="break-words">
        {sent
          ? `A link is on its way to ${email}. Open it and press the button there, and your account is ready. The email can take a minute, and sometimes it lands among the spam.`
          : `When you signed up, a link went to ${email}. Once you have confirmed it there, you can sign in.`}
      </p>
      <Form method="post" className="mt-4">
        <input type="hidden" name="intent" value="resend" />
        <input type="hidden" name="email" value={email} />
        <Button type="submit" variant="outline" size="sm">
          Send the email again
        </Button>
      </Form>
    </Notice>
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
