import { useId } from "react";
import { Form } from "react-router";
import { refundTerms } from "~/features/enrollments/messages.ts";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import type { PaymentLine } from "../payments.server.ts";
import { completedInWords, type RefundStanding } from "../rules.ts";

type RefundButtonProps = {
  payment: PaymentLine;
  /** Idempotency key of this page: pressing twice makes one refund. */
  attempt: string;
  busy: boolean;
  size?: "sm" | "default";
};

/** Refunds what is left of a payment, after a question. */
export function RefundButton({ payment, attempt, busy, size = "default" }: RefundButtonProps) {
  const { id, name, course, isEnrolled, left, leftInWords: money } = payment;
  const who = name ?? "Whoever paid";
  // The same payment may appear on a page more than once.
  const dialog = `refund-${useId()}`;
  return (
    <>
      <DialogButton dialog={dialog} variant="outline" size={size}>
        Refund {money}
      </DialogButton>
      <Dialog id={dialog} title={`Refund ${money}?`}>
        <ul className="admin-list">
          <li>
            {who} gets {money} back, the way it was paid. That is all that is left of the payment,
            and it cannot be taken back.
          </li>
          {payment.holdsEnrollment ? (
            <>
              <li>
                {who} can no longer open “{course}”, from this moment on, unless another payment for
                it is there.
              </li>
              <li>What {who} completed and wrote there is kept.</li>
            </>
          ) : (
            name && (
              <li>
                {isEnrolled
                  ? `${who} stays in “${course}”: another way in is there.`
                  : `${who} is not in “${course}” now. That stays so.`}
              </li>
            )
          )}
          <li>
            {name ? `${who} gets an email.` : "The account is gone, so no email is sent about it."}
          </li>
        </ul>
        <Form method="post" action={`/admin/payments/${id}`} className="mt-7">
          <input type="hidden" name="intent" value="refund" />
          <input type="hidden" name="cents" value={left} />
          <input type="hidden" name="attempt" value={attempt} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Refunding...">
            Refund {money}
          </Button>
        </Form>
      </Dialog>
    </>
  );
}

// `until` is formatted in the coach's time zone.
type Standing = Omit<RefundStanding, "until"> & { until: string };

type RefundPanelProps = {
  payment: PaymentLine;
  refunding: { attempt: string; standing: Standing | null };
  busy: boolean;
};

/** How a payment stands by the terms, and its refund. */
export function RefundPanel({ payment, refunding, busy }: RefundPanelProps) {
  const { standing, attempt } = refunding;
  if (payment.left === 0 || !standing) return null;
  return (
    <section aria-labelledby="refund" className="mb-10">
      <h2 id="refund" className="mb-3 text-xl/[1.14]">
        Refund
      </h2>
      <StandingWords {...standing} />
      <RefundButton payment={payment} attempt={attempt} busy={busy} />
    </section>
  );
}

function StandingWords({ refundable, endedBy, until, ...progress }: Standing) {
  const completed = completedInWords(progress);
  if (refundable)
    return (
      <p className="mb-5 max-w-[46rem]">
        By the terms, this can be refunded until {until}, as long as no more than{" "}
        {refundTerms.percent}% of the lessons are completed. So far: {completed}.
      </p>
    );
  const why =
    endedBy === "days"
      ? `The ${refundTerms.days} days ended on ${until}. So far: ${completed}.`
      : `More than ${refundTerms.percent}% of the lessons are completed: ${completed}.`;
  return (
    <p className="mb-5 max-w-[46rem]">
      By the terms, this is no longer refundable. {why} You may still refund it. That is your
      decision.
    </p>
  );
}
