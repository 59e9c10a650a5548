import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { List, type ListPages } from "~/ui/list-tools.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { reads } from "../messages.ts";
import type { PaymentLine } from "../payments.server.ts";

type PaymentListProps = ListPages & {
  lines: PaymentLine[];
  search: string;
};

export function PaymentList({
  lines,
  previous,
  next,
  total,
  page,
  search,
  here,
}: PaymentListProps) {
  return (
    <section aria-labelledby="payments">
      <h2 id="payments" className="sr-only">
        All payments
      </h2>
      <List
        {...{ here, previous, next, total, page, search }}
        things="payments"
        searchLabel="Search by name or email"
        exportPath="/admin/export/payments"
        empty={
          <EmptyState title="No payments yet">
            <p>
              Payments are listed here once somebody has bought a course: who, what, how much and
              when.
            </p>
          </EmptyState>
        }
        notFound={{
          title: "No payment found",
          hint: "Try part of a name or of an email address.",
        }}
      >
        {lines.length > 0 && <Lines lines={lines} />}
      </List>
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
        <Th unseen>Open</Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>
              <span className="grid gap-0.5 wrap-anywhere">
                {line.userId ? (
                  <a href={`/admin/students/${line.userId}`}>{line.name}</a>
                ) : (
                  "Account gone"
                )}
                {line.email && (
                  <span className="desk-only text-xs/[1.45] text-ink-soft">{line.email}</span>
                )}
              </span>
            </Td>
            <Td>
              <span className="wrap-anywhere">{line.course}</span>
            </Td>
            <Td align="end">{line.amount}</Td>
            <Td>
              <span className="people-name">
                {line.state}
                {line.issues.length > 0 && (
                  <span className="people-mark people-mark-open">Needs attention</span>
                )}
              </span>
            </Td>
            <Td>
              <span className="people-date">{line.paid}</span>
            </Td>
            <Td align="end" phone="beside">
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

/** Says that Stripe rejects the key or some of its permissions, and what has to be done. */
export function KeyRefused({ refused }: { refused: string[] }) {
  if (refused.length === 0) return null;
  if (refused.length < reads.length)
    return (
      <Notice tone="warning" title="This site’s key may not read everything" className="mb-8">
        <p>
          This key may not read: {refused.join(", ")}. Until it may, not all that happens at Stripe
          is noticed here. Give the key these rights at Stripe, under Developers.
        </p>
      </Notice>
    );
  return (
    <Notice tone="warning" title="Stripe does not accept this site’s key" className="mb-8">
      <p>
        Until that is fixed, nothing can be sold or refunded here, and what happens at Stripe is not
        noticed. Make a new key at Stripe, under Developers, set it as{" "}
        <code>STRIPE_SECRET_KEY</code>, and start the site again.
      </p>
    </Notice>
  );
}

/** Says that nothing can be sold yet, and what has to be done. */
export function NotConfigured() {
  return (
    <Notice tone="info" title="Nothing can be paid here yet" className="mb-8">
      <p>
        Payments go through Stripe. Set <code>STRIPE_SECRET_KEY</code> and{" "}
        <code>STRIPE_WEBHOOK_SECRET</code> where this site has its settings, and start it again.
        Both are in your account at Stripe, under Developers: the API keys, and a webhook to{" "}
        <code>/api/webhooks/stripe</code> of this site. Until then you can enroll people by hand.
      </p>
    </Notice>
  );
}
