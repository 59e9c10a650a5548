import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Filter, List, type ListPages, RowButton } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { EmailLine } from "../email-lines.server.ts";
import { emailStates, stateNames } from "../messages.ts";

type EmailListProps = ListPages & {
  lines: EmailLine[];
  asked: { state: (typeof emailStates)[number] | null; search: string };
  busyId: string | null;
  toFiles: boolean;
};

export function EmailList({
  lines,
  previous,
  next,
  total,
  page,
  asked,
  toFiles,
  here,
  busyId,
}: EmailListProps) {
  const isCalm = asked.state === "failed" && !asked.search;
  return (
    <List
      {...{ here, previous, next, total, page }}
      things="emails"
      searchLabel="Search by name or email"
      search={asked.search}
      filters={
        <Filter name="state" aria-label="State" chosen={asked.state}>
          <option value="">All emails</option>
          {emailStates.map((state) => (
            <option key={state} value={state}>
              {stateNames[state === "sent" && toFiles ? "file" : state]}
            </option>
          ))}
        </Filter>
      }
      empty={
        <EmptyState title="No emails yet">
          <p>Each email of the site is listed here, with what became of it.</p>
        </EmptyState>
      }
      notFound={
        isCalm
          ? {
              title: toFiles ? "No email has failed" : "Every email was sent",
              hint: "If one fails, it is listed here, and a number beside “Email” on every page says so.",
            }
          : {
              title: "No emails found",
              hint: "Try the beginning of a name or of an email address, or another state.",
            }
      }
    >
      {lines.length > 0 && (
        <Table caption="Emails">
          <TableHead>
            <Th>To</Th>
            <Th>Email</Th>
            <Th>State</Th>
            <Th unseen>Change</Th>
          </TableHead>
          <TableBody>
            {lines.map((line) => (
              <EmailRow key={line.id} line={line} isBusy={line.id === busyId} />
            ))}
          </TableBody>
        </Table>
      )}
    </List>
  );
}

function EmailRow({ line, isBusy }: { line: EmailLine; isBusy: boolean }) {
  const { to, about, subject, state, when, reason, words } = line;
  return (
    <Row>
      <Td rowHeader>
        <div className="mail-to">
          <Receiver to={to} />
        </div>
      </Td>
      <Td>
        <span className="grid gap-0.5 wrap-anywhere">
          {about}
          {subject && <span className="desk-only text-sm/[1.45] text-ink-soft">{subject}</span>}
        </span>
      </Td>
      <Td phone={reason || words ? "below" : undefined}>
        <div className="mail-state">
          <p>
            <span className={`mail-mark mail-mark-${state}`}>{stateNames[state]}</span>{" "}
            <span className="text-sm/[1.45] text-ink-soft">{when}</span>
          </p>
          {reason && <p>{reason}</p>}
          {words && state !== "sent" && state !== "file" && (
            <p className="mt-0.5 text-xs/[1.45] wrap-anywhere text-ink-soft">
              <span className="sr-only">As reported: </span>
              {words}
            </p>
          )}
        </div>
      </Td>
      <Td align="end" phone={isChangeable(line) ? "below" : "hidden"}>
        <Changes line={line} isBusy={isBusy} />
      </Td>
    </Row>
  );
}

function Receiver({ to: { userId, name, address } }: Pick<EmailLine, "to">) {
  if (!userId)
    return (
      <span className="font-normal wrap-anywhere">
        {address ?? "Not kept: the newsletter’s own list"}
      </span>
    );
  return (
    <span className="grid gap-0.5 wrap-anywhere">
      <a href={`/admin/students/${userId}`}>{name}</a>
      <span className="desk-only text-sm/[1.45] font-normal text-ink-soft">{address}</span>
    </span>
  );
}

const isChangeable = ({ state, canTryNow }: EmailLine) => state === "failed" || canTryNow;

function Changes({ line, isBusy }: { line: EmailLine; isBusy: boolean }) {
  const { id, to, about, state, canSendAgain, canTryNow } = line;
  const whose = `${about}, to ${to.name ?? to.address ?? "nobody in particular"}`;
  if (!isChangeable(line)) return null;
  const dialog = `remove-${id}`;
  return (
    <>
      <div className="admin-row-buttons">
        {(canSendAgain || canTryNow) && (
          <RowButton
            id={id}
            size="sm"
            variant="outline"
            value={canTryNow ? "now" : "again"}
            busy={isBusy}
            aria-label={`${canTryNow ? "Try now" : "Send again"}: ${whose}`}
          >
            {canTryNow ? "Try now" : "Send again"}
          </RowButton>
        )}
        {state === "failed" && (
          <DialogButton dialog={dialog} size="sm" variant="ghost" aria-label={`Remove: ${whose}`}>
            Remove
          </DialogButton>
        )}
      </div>
      {state === "failed" && (
        <ConfirmDialog
          id={dialog}
          title="Remove this from the list?"
          form={
            <RowButton id={id} variant="destructive" value="remove">
              Remove
            </RowButton>
          }
        >
          <p>
            It is not sent any more, and the site forgets that it was to be: “{about}” to{" "}
            <span className="wrap-anywhere">{to.address ?? "nobody in particular"}</span>.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
