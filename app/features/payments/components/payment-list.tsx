import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { PaymentLine } from "../rules.ts";

type PaymentListProps = {
  lines: PaymentLine[];
  previous: string | null;
  next: string | null;
  search: string;
  here: { pathname: string; search: string };
};

export function PaymentList({ lines, previous, next, search, here }: PaymentListProps) {
  if (lines.length === 0 && search === "" && !previous)
    return (
      <EmptyState title="No payments yet">
        <p>
          Payments are listed here once somebody has bought a course: who, what, how much and when.
        </p>
      </EmptyState>
    );
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="sr-only">
        All payments
      </h2>
      <ListTools searchLabel="Search by name or email" search={search} />
      {lines.length === 0 ? (
        <EmptyState
          title="No payment found"
          action={
            <ButtonLink variant="outline" href={listAddress(here, { q: null, at: null })}>
              Show all payments
            </ButtonLink>
          }
        >
          <p>Try part of a name or of an email address.</p>
        </EmptyState>
      ) : (
        <Lines lines={lines} />
      )}
      <Pager here={here} previous={previous} next={next} />
    </section>
  );
}

function Lines({ lines }: { lines: PaymentLine[] }) {
  return (
    <Table caption="Payments">
      <TableHead>
        <Th>Paid by</Th>
        <Th>Course</Th>
        <Th align="end">Amount</Th>
        <Th>State</Th>
        <Th>Paid on</Th>
        <Th align="end">
          <span className="sr-only">Open</span>
        </Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>
              <span className="roster-since">
                {line.userId ? (
                  <a href={`/admin/students/${line.userId}`}>{line.name}</a>
                ) : (
                  "Account gone"
                )}
                {line.email && <span className="roster-payment">{line.email}</span>}
              </span>
            </Td>
            <Td label="Course">{line.course}</Td>
            <Td label="Amount" align="end">
              <span className="payment-amount">{line.amount}</span>
            </Td>
            <Td label="State">
              <span className="people-name">
                {line.state}
                {line.issues.length > 0 && (
                  <span className="people-mark people-mark-open">Needs attention</span>
                )}
              </span>
            </Td>
            <Td label="Paid on">
              <span className="people-date">{line.paid}</span>
            </Td>
            <Td align="end">
              <ButtonLink
                size="sm"
                variant="ghost"
                href={`/admin/payments/${line.id}`}
                aria-label={`Open the payment of ${line.name ?? "a gone account"} for ${line.course}`}
              >
                Open
              </ButtonLink>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
