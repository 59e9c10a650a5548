import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { EmailProblems } from "../email-log.server.ts";

/** Says why no emails are sent, and what becomes of them. */
export function EmailProblemNotice({ trouble }: { trouble: EmailProblems }) {
  if ("folder" in trouble)
    return (
      <Notice title="Emails are not sent yet" className="mb-6">
        <p>
          No mail server is set up (SMTP_URL). Each email becomes a file in{" "}
          <span className="break-all">{trouble.folder}</span>, which any email program can open.
        </p>
      </Notice>
    );
  return (
    <Notice tone="warning" title="The mail server cannot be used" className="mb-6">
      <p>
        Since {trouble.since}. Emails wait for up to 14 days and are sent by themselves when the
        server accepts them again. The site tries every minute. An email is not sent when it has
        waited longer, or when its link has expired.
      </p>
      <p className="mt-0.5 text-xs/[1.45] wrap-anywhere text-ink-soft">{trouble.words}</p>
    </Notice>
  );
}

export function FailedTools({
  canSend,
  busyIntent,
}: {
  canSend: { exhausted: boolean; refused: boolean };
  busyIntent: string | null;
}) {
  const all = [
    canSend.exhausted && (["all-again", "Send again what was tried for days"] as const),
    canSend.refused && (["refused-again", "Send again what was refused"] as const),
  ].filter((one) => one !== false);
  return (
    <div className="flex flex-wrap gap-3">
      {all.map(([intent, words]) => (
        <Form method="post" key={intent}>
          <Button
            type="submit"
            variant="outline"
            size="sm"
            name="intent"
            value={intent}
            busy={busyIntent === intent}
          >
            {words}
          </Button>
        </Form>
      ))}
      <DialogButton dialog="remove-all" size="sm" variant="ghost">
        Remove all
      </DialogButton>
      <ConfirmDialog
        id="remove-all"
        title="Remove all that was not sent?"
        form={
          <Form method="post">
            <Button type="submit" variant="destructive" name="intent" value="remove-all">
              Remove all
            </Button>
          </Form>
        }
      >
        <p>
          None of these emails will be sent, and they leave this list. Emails that wait or were sent
          stay as they are.
        </p>
      </ConfirmDialog>
    </div>
  );
}
