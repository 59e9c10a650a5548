import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { MailTrouble } from "../schema.ts";

/** What keeps letters from going out, and what becomes of them meanwhile. */
export function TroubleNotice({ trouble }: { trouble: MailTrouble }) {
  if (trouble.kind === "folder")
    return (
      <Notice title="Letters go to nobody yet" className="mail-notice">
        <p>
          No mail server is set up (SMTP_URL). Each letter becomes a file in{" "}
          <span className="break-all">{trouble.folder}</span>, where any mail program can open it.
        </p>
      </Notice>
    );
  return (
    <Notice tone="warning" title="The mail server cannot be used" className="mail-notice">
      <p>
        Since {trouble.since}. What is due waits, for up to 14 days, and goes out by itself when the
        server takes letters again. The site tries every minute. A letter is not sent when it has
        waited longer, or when its link has stopped working.
      </p>
      <p className="mail-words">{trouble.words}</p>
    </Notice>
  );
}

/** What can be done with everything that has failed. */
export function FailedTools({
  canSend,
  busyIntent,
}: {
  canSend: { exhausted: boolean; refused: boolean };
  /** What is being done just now. */
  busyIntent: string | null;
}) {
  const all = [
    canSend.exhausted && (["all-again", "Send again what was tried for days"] as const),
    canSend.refused && (["refused-again", "Send again what was refused"] as const),
  ].filter((one) => one !== false);
  return (
    <div className="mail-tools">
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
      <Dialog id="remove-all" title="Remove all that was not sent?">
        <p>
          None of these letters is sent any more, and the site forgets that they were to be. Letters
          that wait or went out stay as they are.
        </p>
        <Form method="post" className="mt-6">
          <Button type="submit" variant="destructive" name="intent" value="remove-all">
            Remove all
          </Button>
        </Form>
      </Dialog>
    </div>
  );
}
