import { Form } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { PaymentLine } from "../../listing/rules.ts";
import { RefundButton } from "../../refunds/components/refund-button.tsx";

type AttentionListProps = { waiting: PaymentLine[]; attempt: string; busy: boolean };

/** What has happened to payments and needs the coach, each with what she can do. */
export function AttentionList({ waiting, attempt, busy }: AttentionListProps) {
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
            payment.attentions.map((matter) => (
              <li key={matter.id}>
                <AttentionEntry payment={payment} matter={matter} attempt={attempt} busy={busy} />
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
  matter: PaymentLine["attentions"][number];
  attempt: string;
  busy: boolean;
  /** Of its heading, by what it stands under. */
  heading?: "h2" | "h3";
};

/** One of them: what happened, what can be done, and the buttons that do it. */
export function AttentionEntry(props: EntryProps) {
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
