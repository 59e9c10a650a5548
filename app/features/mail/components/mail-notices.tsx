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
        Since {trouble.since}. Nothing is lost: what is due waits, and goes out by itself as soon as
        the server takes letters again. It is asked every minute. Only letters whose link stops
        working meanwhile are not sent.
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
    canSend.exhausted && (["all-again", "Send all again that nobody refused"] as const),
    canSend.refused && (["refused-again", "Send all again that was refused"] as const),
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
