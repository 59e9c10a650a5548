import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Filter, List, type ListPages } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { type SubscriberState, subscriberStates, subscribersPath } from "../messages.ts";
import type { SubscriberLine } from "../subscriber-list.server.ts";

type Props = ListPages & {
  lines: SubscriberLine[];
  asked: { search: string; state: SubscriberState | null };
};

/** Who is on the site's own list, was, or waits to confirm. */
export function SubscriberList({ lines, asked, ...pages }: Props) {
  return (
    <List
      {...pages}
      things="subscribers"
      searchLabel="Search by first name or email"
      search={asked.search}
      filters={
        <Filter name="state" aria-label="State" chosen={asked.state}>
          <option value="">In any state</option>
          {Object.entries(subscriberStates).map(([state, words]) => (
            <option key={state} value={state}>
              {words}
            </option>
          ))}
        </Filter>
      }
      empty={
        <EmptyState
          title="The list is empty"
          action={
            <ButtonLink variant="outline" href="/admin/newsletter/import">
              Import a file
            </ButtonLink>
          }
        >
          <p>
            Who signs up on your pages appears here. If you have a list with another service, take
            it along as a file.
          </p>
        </EmptyState>
      }
      notFound={{
        title: "No subscriber found",
        hint: "Try the beginning of a first name or of an email address, or another state.",
      }}
    >
      {lines.length > 0 && <Lines lines={lines} />}
    </List>
  );
}

function Lines({ lines }: Pick<Props, "lines">) {
  return (
    <Table caption="Subscribers">
      <TableHead>
        <Th>Email</Th>
        <Th>First name</Th>
        <Th>State</Th>
        <Th>Since</Th>
        <Th>From</Th>
      </TableHead>
      <TableBody>
        {lines.map(({ id, email, firstName, state, since, source }) => (
          <Row key={id}>
            <Td rowHeader>
              <span className="wrap-anywhere whitespace-normal">
                <a href={`${subscribersPath}/${id}`}>{email}</a>
              </span>
            </Td>
            <Td>{firstName}</Td>
            <Td phone="beside">
              <StateMark state={state} />
            </Td>
            <Td>
              <span className="people-date">{since}</span>
            </Td>
            <Td phone="hidden">{source}</Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function StateMark({ state }: { state: SubscriberState }) {
  const isOpen = state === "waiting" || state === "suppressed";
  return state === "confirmed" ? (
    subscriberStates[state]
  ) : (
    <span className={isOpen ? "people-mark people-mark-open" : "people-mark"}>
      {subscriberStates[state]}
    </span>
  );
}
