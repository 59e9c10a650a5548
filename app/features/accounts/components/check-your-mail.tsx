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
    >
      <p className="break-words">
        {sent
          ? `We sent a link to ${email}. Open it, and your account is ready. It can take a minute, and it sometimes lands among the spam.`
          : `When you signed up we sent a link to ${email}. Once you have opened it, you can sign in.`}
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
