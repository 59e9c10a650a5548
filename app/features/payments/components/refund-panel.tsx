import { useId } from "react";
import { Form } from "react-router";
import { refundTerms } from "~/features/enrollments/messages.ts";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { completedInWords, type PaymentLine } from "../rules.ts";

type RefundButtonProps = {
  payment: {
    id: string;
    name: string | null;
    course: string;
    holdsEnrollment: boolean;
    isEnrolled: boolean;
  };
  /** In cents. */
  cents: number;
  money: string;
  /** Idempotency key of this page: pressing twice makes one refund. */
  attempt: string;
  busy: boolean;
  size?: "sm" | "default";
};

export function RefundButton(props: RefundButtonProps) {
  const { payment, cents, money, attempt, busy, size = "default" } = props;
  const who = payment.name ?? "Whoever paid";
  // The same payment may appear on a page more than once.
  const dialog = `refund-${useId()}`;
  return (
    <>
      <DialogButton dialog={dialog} variant="outline" size={size}>
        Refund {money}
      </DialogButton>
      <Dialog id={dialog} title={`Refund ${money}?`}>
        <ul className="desk-list">
          <li>
            {who} gets {money} back, the way it was paid. That is all that is left of the payment,
            and it cannot be taken back.
          </li>
          {payment.holdsEnrollment ? (
            <>
              <li>
                {who} can no longer open “{payment.course}”, from this moment on, unless another
                payment for it is there.
              </li>
              <li>What {who} completed and wrote there is kept.</li>
            </>
          ) : (
            payment.name && (
              <li>
                {payment.isEnrolled
                  ? `${who} stays in “${payment.course}”: another way in is there.`
                  : `${who} is not in “${payment.course}” now. That stays so.`}
              </li>
            )
          )}
          <li>
            {payment.name
              ? `${who} is told by email.`
              : "The account is gone, so no email is sent about it."}
          </li>
        </ul>
        <Form method="post" action={`/admin/payments/${payment.id}`} className="mt-7">
          <input type="hidden" name="intent" value="refund" />
          <input type="hidden" name="cents" value={cents} />
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
type Standing = {
  refundable: boolean;
  endedBy: "days" | "lessons" | null;
  completed: number;
  lessons: number;
  until: string;
};

type RefundPanelProps = {
  payment: PaymentLine;
  refunding: { attempt: string; standing: Standing | null };
  busy: boolean;
};

export function RefundPanel({ payment, refunding, busy }: RefundPanelProps) {
  const { left, leftInWords } = payment;
  const { standing, attempt } = refunding;
  if (left === 0 || !standing) return null;
  return (
    <section aria-labelledby="refund" className="refund-panel">
      <h2 id="refund">Refund</h2>
      <StandingWords {...standing} />
      <RefundButton
        payment={payment}
        cents={left}
        money={leftInWords}
        attempt={attempt}
        busy={busy}
      />
    </section>
  );
}

function StandingWords({ refundable, endedBy, until, ...progress }: Standing) {
  const completed = completedInWords(progress);
  if (refundable)
    return (
      <p>
        By the terms, this can be refunded until {until}, as long as no more than{" "}
        {refundTerms.percent}% of the lessons are completed. So far: {completed}.
      </p>
    );
  const why =
    endedBy === "days"
      ? `The ${refundTerms.days} days ended on ${until}. So far: ${completed}.`
      : `More than ${refundTerms.percent}% of the lessons are completed: ${completed}.`;
  return (
    <p>
      By the terms, this is no longer refundable. {why} You may still refund it. That is your
      decision.
    </p>
  );
}
