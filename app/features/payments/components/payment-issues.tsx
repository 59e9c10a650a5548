import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { PaymentLine } from "../rules.ts";
import { RefundButton } from "./refund-panel.tsx";

type PaymentIssueListProps = { waiting: PaymentLine[]; attempt: string; busy: boolean };

export function PaymentIssueList({ waiting, attempt, busy }: PaymentIssueListProps) {
  return (
    <section aria-labelledby="attention" className="attention">
      <h2 id="attention">Needs attention</h2>
      {waiting.length === 0 ? (
        <p className="attention-none">
          Nothing. A dispute, or a payment that could not open its course, would stand here until
          you have dealt with it.
        </p>
      ) : (
        <ul>
          {waiting.flatMap((payment) =>
            payment.issues.map((matter) => (
              <li key={matter.id}>
                <PaymentIssueEntry
                  payment={payment}
                  matter={matter}
                  attempt={attempt}
                  busy={busy}
                />
              </li>
            )),
          )}
        </ul>
      )}
    </section>
  );
}

type EntryProps = {
  payment: PaymentLine;
  matter: PaymentLine["issues"][number];
  attempt: string;
  busy: boolean;
  heading?: "h2" | "h3";
};

export function PaymentIssueEntry(props: EntryProps) {
  const { payment, matter, attempt, busy, heading: Heading = "h3" } = props;
  const { id, left, leftInWords, stripeUrl, canEnroll, isCourseDeleted } = payment;
  return (
    <article className="attention-entry" aria-labelledby={`attention-${matter.id}`}>
      <Heading id={`attention-${matter.id}`}>{matter.subject}</Heading>
      <p>{matter.happened}</p>
      <p className="text-ink-soft">{matter.remedy}</p>
      <div className="attention-buttons">
        {canEnroll && (
          <PostButton id={id} intent="enroll" busy={busy} variant="default">
            Enroll {payment.name}
          </PostButton>
        )}
        {left > 0 && (
          <RefundButton
            payment={payment}
            cents={left}
            money={leftInWords}
            attempt={attempt}
            busy={busy}
            size="sm"
          />
        )}
        {isCourseDeleted && (
          <ButtonLink href="/admin/courses/deleted" variant="ghost" size="sm">
            Deleted courses
          </ButtonLink>
        )}
        {stripeUrl && (
          <ButtonLink href={stripeUrl} variant="ghost" size="sm" target="_blank" rel="noreferrer">
            Open at Stripe
          </ButtonLink>
        )}
        <PostButton id={id} intent="attend" matter={matter.id} busy={busy} variant="ghost">
          Mark as done
        </PostButton>
      </div>
    </article>
  );
}

type PostButtonProps = {
  id: string;
  intent: "enroll" | "attend";
  matter?: string;
  busy: boolean;
  variant: "default" | "ghost";
  children: React.ReactNode;
};

function PostButton({ id, intent, matter, busy, variant, children }: PostButtonProps) {
  return (
    <Form method="post" action={`/admin/payments/${id}`} className="contents">
      <input type="hidden" name="intent" value={intent} />
      {matter && <input type="hidden" name="matter" value={matter} />}
      <Button type="submit" variant={variant} size="sm" busy={busy}>
        {children}
      </Button>
    </Form>
  );
}
