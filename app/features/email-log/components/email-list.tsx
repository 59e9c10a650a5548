import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { Select } from "~/ui/select.tsx";
import { Table, TableBody, TableHead, Th } from "~/ui/table.tsx";
import { stateNames } from "../messages.ts";
import { type EmailLine, type EmailState, emailStates } from "../schema.ts";
import { EmailRow } from "./email-row.tsx";

type Here = { pathname: string; search: string };

type MailListProps = {
  lines: EmailLine[];
  previous: string | null;
  next: string | null;
  asked: { state: EmailState | null; search: string };
  here: Here;
  busyId: string | null;
};

export function EmailList({ lines, previous, next, asked, here, busyId }: MailListProps) {
  return (
    <>
      <ListTools searchLabel="Search by name or email" search={asked.search}>
        <Select
          dense
          name="state"
          aria-label="State"
          defaultValue={asked.state ?? ""}
          key={asked.state}
        >
          <option value="">All emails</option>
          {emailStates.map((state) => (
            <option key={state} value={state}>
              {stateNames[state]}
            </option>
          ))}
        </Select>
      </ListTools>
      {lines.length === 0 ? (
        <Nothing asked={asked} here={here} />
      ) : (
        <Table caption="Emails">
          <TableHead>
            <Th>To</Th>
            <Th>Email</Th>
            <Th>State</Th>
            <Th align="end">
              <span className="sr-only">Change</span>
            </Th>
          </TableHead>
          <TableBody>
            {lines.map((line) => (
              <EmailRow key={line.id} line={line} isBusy={line.id === busyId} />
            ))}
          </TableBody>
        </Table>
      )}
      <Pager here={here} previous={previous} next={next} />
    </>
  );
}

function Nothing({ asked, here }: Pick<MailListProps, "asked" | "here">) {
  if (!asked.state && !asked.search)
    return (
      <EmptyState title="No emails yet">
        <p>Each email that the site sends is listed here: when it was sent, and if it failed.</p>
      </EmptyState>
    );
  const all = listAddress(here, { q: null, state: null, at: null });
  const isCalm = asked.state === "failed" && !asked.search;
  return (
    <EmptyState
      title={isCalm ? "Every email was sent" : "No emails found"}
      action={
        <ButtonLink variant="outline" href={all}>
          Show all emails
        </ButtonLink>
      }
    >
      <p>
        {isCalm
          ? "If one fails, it is listed here, and a number beside “Email” on every page says so."
          : "Try the beginning of a name or of an email address, or another state."}
      </p>
    </EmptyState>
  );
}
