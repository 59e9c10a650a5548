import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { PaymentLine } from "../payments.server.ts";
import { RefundButton } from "./refund-panel.tsx";

type PaymentIssueListProps = { waiting: PaymentLine[]; attempt: string; busy: boolean };

export function PaymentIssueList({ waiting, attempt, busy }: PaymentIssueListProps) {
  return (
    <section aria-labelledby="attention" className="mb-12">
      <h2 id="attention" className="mb-3 text-xl/[1.14]">
        Needs attention
      </h2>
      {waiting.length === 0 ? (
        <p className="max-w-[40rem] text-ink-soft">
          Nothing. A dispute, or a payment that could not open its course, would stand here until
          you have dealt with it.
        </p>
      ) : (
        <ul className="grid gap-4">
          {waiting.flatMap((payment) =>
            payment.issues.map((issue) => (
              <li key={issue.id}>
                <PaymentIssueEntry payment={payment} issue={issue} attempt={attempt} busy={busy} />
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
  issue: PaymentLine["issues"][number];
  attempt: string;
  busy: boolean;
  heading?: "h2" | "h3";
};

/** One issue of a payment: what happened, and what can be done. */
export function PaymentIssueEntry(props: EntryProps) {
  const { payment, issue, attempt, busy, heading: Heading = "h3" } = props;
  const { id, left, stripeUrl, canEnroll, isCourseDeleted } = payment;
  return (
    <article
      className="grid gap-1.5 rounded-control border border-s-3 border-line border-s-clay bg-surface px-6 py-5"
      aria-labelledby={`attention-${issue.id}`}
    >
      <Heading id={`attention-${issue.id}`} className="text-lg/[1.2]">
        {issue.subject}
      </Heading>
      <p className="max-w-[46rem] wrap-anywhere">{issue.happened}</p>
      <p className="max-w-[46rem] wrap-anywhere text-ink-soft">{issue.remedy}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {canEnroll && (
          <PostButton id={id} intent="enroll" busy={busy}>
            Enroll {payment.name}
          </PostButton>
        )}
        {left > 0 && <RefundButton payment={payment} attempt={attempt} busy={busy} size="sm" />}
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
        <PostButton id={id} intent="resolve" issue={issue.id} busy={busy}>
          Mark as done
        </PostButton>
      </div>
    </article>
  );
}

type PostButtonProps = {
  id: string;
  intent: "enroll" | "resolve";
  issue?: string;
  busy: boolean;
  children: React.ReactNode;
};

function PostButton({ id, intent, issue, busy, children }: PostButtonProps) {
  return (
    <Form method="post" action={`/admin/payments/${id}`} className="contents">
      <input type="hidden" name="intent" value={intent} />
      {issue && <input type="hidden" name="issue" value={issue} />}
      <Button
        type="submit"
        variant={intent === "enroll" ? "default" : "ghost"}
        size="sm"
        busy={busy}
      >
        {children}
      </Button>
    </Form>
  );
}
