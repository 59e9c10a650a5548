import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Pager, type Pages, RowButton } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { PendingInvitation } from "../invitations.server.ts";

type InvitationLine = Omit<PendingInvitation, "sentAt" | "expiresAt"> & {
  sent: string;
  until: string;
};

type InvitationListProps = Pages & {
  lines: InvitationLine[];
  /** The invitation that something is being done with. */
  busyId: string | null;
};

/** Invitations that were not accepted yet: what became of each email, and what can be done. */
export function InvitationList({ lines, previous, next, here, busyId }: InvitationListProps) {
  return (
    <section className="admin-part" aria-labelledby="waiting">
      <h2 id="waiting">Waiting</h2>
      {lines.length === 0 ? (
        <p className="mt-3 text-ink-soft">
          No invitation is waiting. What you send stands here until it is accepted.
        </p>
      ) : (
        <Table caption="Invitations that are waiting">
          <TableHead>
            <Th>Invited</Th>
            <Th>Course</Th>
            <Th>Since</Th>
            <Th>Link</Th>
            <Th unseen>Change</Th>
          </TableHead>
          <TableBody>
            {lines.map((line) => (
              <Line key={line.id} line={line} isBusy={busyId === line.id} />
            ))}
          </TableBody>
        </Table>
      )}
      <Pager here={here} previous={previous} next={next} />
    </section>
  );
}

function stateOf({ isRefused, isExpired, until }: InvitationLine) {
  if (isRefused) return "The email could not be delivered: is the address right?";
  return isExpired ? `Expired on ${until}` : `Works until ${until}`;
}

function Line({ line, isBusy }: { line: InvitationLine; isBusy: boolean }) {
  const { id, email, name, course, sent } = line;
  const dialog = `withdraw-${id}`;
  return (
    <Row>
      <Td rowHeader>
        <span className="grid">
          <span className="break-all">{email}</span>
          {name && <span className="desk-only font-normal text-ink-soft">{name}</span>}
        </span>
      </Td>
      <Td>{course}</Td>
      <Td phone="hidden">{sent}</Td>
      <Td>
        <span className={line.isRefused || line.isExpired ? "text-clay" : undefined}>
          {stateOf(line)}
        </span>
      </Td>
      <Td align="end" phone="below">
        <div className="admin-row-buttons">
          <RowButton
            id={id}
            size="sm"
            variant="outline"
            value="again"
            busy={isBusy}
            aria-label={`Send again to ${email}`}
          >
            Send again
          </RowButton>
          <DialogButton
            dialog={dialog}
            size="sm"
            variant="ghost"
            aria-label={`Withdraw the invitation of ${email}`}
          >
            Withdraw
          </DialogButton>
        </div>
        <ConfirmDialog
          id={dialog}
          title="Withdraw this invitation?"
          form={
            <RowButton id={id} variant="destructive" value="withdraw">
              Withdraw
            </RowButton>
          }
        >
          <p>
            The link that went to <span className="break-all">{email}</span> stops working, and no
            email says so. You can invite again at any time.
          </p>
        </ConfirmDialog>
      </Td>
    </Row>
  );
}
