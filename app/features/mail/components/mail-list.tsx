import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { Select } from "~/ui/select.tsx";
import { Table, TableBody, TableHead, Th } from "~/ui/table.tsx";
import { type MailLine, type MailState, mailStates } from "../schema.ts";
import { stateNames } from "../texts.ts";
import { MailRow } from "./mail-row.tsx";

type Here = { pathname: string; search: string };

type MailListProps = {
  lines: MailLine[];
  previous: string | null;
  next: string | null;
  asked: { state: MailState | null; search: string };
  here: Here;
  /** The row that something is being done with. */
  busyId: string | null;
};

/** The site's letters, with search, filter and pages. */
export function MailList({ lines, previous, next, asked, here, busyId }: MailListProps) {
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
          <option value="">All mail</option>
          {mailStates.map((state) => (
            <option key={state} value={state}>
              {stateNames[state]}
            </option>
          ))}
        </Select>
      </ListTools>
      {lines.length === 0 ? (
        <Nothing asked={asked} here={here} />
      ) : (
        <Table caption="Mail">
          <TableHead>
            <Th>To</Th>
            <Th>Letter</Th>
            <Th>State</Th>
            <Th align="end">
              <span className="sr-only">Change</span>
            </Th>
          </TableHead>
          <TableBody>
            {lines.map((line) => (
              <MailRow key={line.id} line={line} isBusy={line.id === busyId} />
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
      <EmptyState title="No mail yet">
        <p>Each letter that the site writes stands here: when it goes out, and if it cannot.</p>
      </EmptyState>
    );
  const all = listAddress(here, { q: null, state: null, at: null });
  const isCalm = asked.state === "failed" && !asked.search;
  return (
    <EmptyState
      title={isCalm ? "Every letter could be sent" : "No mail found"}
      action={
        <ButtonLink variant="outline" href={all}>
          Show all mail
        </ButtonLink>
      }
    >
      <p>
        {isCalm
          ? "If one cannot, it stands here, and a number says so beside “Mail” on every page."
          : "Try the beginning of a name or of an email address, or another state."}
      </p>
    </EmptyState>
  );
}
