import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { Row, Td } from "~/ui/table.tsx";
import { stateNames } from "../messages.ts";
import type { EmailLine } from "../schema.ts";

export function EmailRow({ line, isBusy }: { line: EmailLine; isBusy: boolean }) {
  const { to, about, subject, state, when, reason, words } = line;
  return (
    <Row>
      <Td rowHeader>
        <div className="mail-to">
          <Receiver to={to} />
        </div>
      </Td>
      <Td label="Email">
        <span className="mail-letter">
          {about}
          {subject && <span className="mail-subject">{subject}</span>}
        </span>
      </Td>
      <Td label="State">
        <div className="mail-state">
          <p>
            <span className={`mail-mark mail-mark-${state}`}>{stateNames[state]}</span>{" "}
            <span className="mail-when">{when}</span>
          </p>
          {reason && <p>{reason}</p>}
          {words && state !== "sent" && (
            <p className="mail-words">
              <span className="sr-only">As reported: </span>
              {words}
            </p>
          )}
        </div>
      </Td>
      <Td align="end">
        <Changes line={line} isBusy={isBusy} />
      </Td>
    </Row>
  );
}

function Receiver({ to: { userId, name, address } }: Pick<EmailLine, "to">) {
  if (!userId)
    return <span className="mail-address">{address ?? "Not kept: the newsletter’s own list"}</span>;
  return (
    <span className="mail-letter">
      <a href={`/admin/students/${userId}`}>{name}</a>
      <span className="person-email">{address}</span>
    </span>
  );
}

function Changes({ line, isBusy }: { line: EmailLine; isBusy: boolean }) {
  const { id, to, about, state, canSendAgain, canTryNow } = line;
  const whose = `${about}, to ${to.name ?? to.address ?? "nobody in particular"}`;
  if (state !== "failed" && !canTryNow) return null;
  const dialog = `remove-${id}`;
  return (
    <>
      <div className="desk-row-buttons">
        {(canSendAgain || canTryNow) && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button
              type="submit"
              size="sm"
              variant="outline"
              name="intent"
              value={canTryNow ? "now" : "again"}
              busy={isBusy}
              aria-label={`${canTryNow ? "Try now" : "Send again"}: ${whose}`}
            >
              {canTryNow ? "Try now" : "Send again"}
            </Button>
          </Form>
        )}
        {state === "failed" && (
          <DialogButton dialog={dialog} size="sm" variant="ghost" aria-label={`Remove: ${whose}`}>
            Remove
          </DialogButton>
        )}
      </div>
      {state === "failed" && (
        <Dialog id={dialog} title="Remove this from the list?">
          <p>
            It is not sent any more, and the site forgets that it was to be: “{about}” to{" "}
            <span className="mail-dialog-address">{to.address ?? "nobody in particular"}</span>.
          </p>
          <Form method="post" preventScrollReset className="mt-6">
            <input type="hidden" name="id" value={id} />
            <Button type="submit" variant="destructive" name="intent" value="remove">
              Remove
            </Button>
          </Form>
        </Dialog>
      )}
    </>
  );
}
