import { useId } from "react";
import { Form } from "react-router";
import { refundTerms } from "~/features/enrollments/messages.ts";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog, LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Checkbox, Input } from "~/ui/inputs.tsx";
import { partField } from "../messages.ts";
import type { PaymentLine, RefundPart } from "../payments.server.ts";
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
  const { left: cents, leftInWords: money } = payment;
  // The same payment may appear on a page more than once.
  const dialog = `refund-${useId()}`;
  return (
    <>
      <DialogButton dialog={dialog} variant="outline" size={size}>
        Refund {money}
      </DialogButton>
      <ConfirmDialog
        id={dialog}
        title={`Refund ${money}?`}
        form={
          <RefundForm payment={payment} attempt={attempt} amount={{ cents, money }} busy={busy} />
        }
      >
        <RefundConsequences payment={payment} amount={{ money, rest: null }} />
      </ConfirmDialog>
    </>
  );
}

type Amount = {
  cents: number;
  money: string;
  /** What stays with the coach, in words; null when nothing does. */
  rest: string | null;
};

type ConsequencesProps = { payment: PaymentLine; amount: Pick<Amount, "money" | "rest"> };

function RefundConsequences({ payment, amount: { money, rest } }: ConsequencesProps) {
  const { name, course, isEnrolled } = payment;
  const who = name ?? "Whoever paid";
  return (
    <ul className="admin-list">
      <li>
        {who} gets {money} back, the way it was paid.{" "}
        {rest ? `${rest} stays with you.` : "That is all that is left of the payment."} A refund
        cannot be taken back.
      </li>
      {payment.holdsEnrollment && rest && (
        <li>
          “{course}” stays open to {who}, unless you tick the box below.
        </li>
      )}
      {payment.holdsEnrollment && !rest && (
        <li>
          {who} can no longer open “{course}”, from this moment on, unless another payment for it is
          there.
        </li>
      )}
      {payment.holdsEnrollment && <li>What {who} completed and wrote there stays.</li>}
      {!payment.holdsEnrollment && name && (
        <li>
          {isEnrolled
            ? `${who} stays in “${course}”: another way in is there.`
            : `${who} is not in “${course}” now. That stays so.`}
        </li>
      )}
      <li>
        {name ? `${who} gets an email.` : "The account is gone, so no email is sent about it."}
      </li>
    </ul>
  );
}

type RefundFormProps = Omit<RefundButtonProps, "size"> & {
  amount: Pick<Amount, "cents" | "money">;
  /** The amount of a part as it was typed, to show it again. */
  typed?: string;
  form?: string;
};

function RefundForm({ payment, attempt, amount, typed, busy, form }: RefundFormProps) {
  return (
    <Form id={form} method="post" action={`/admin/payments/${payment.id}`}>
      <input type="hidden" name="intent" value="refund" />
      <input type="hidden" name="cents" value={amount.cents} />
      <input type="hidden" name="left" value={payment.left} />
      <input type="hidden" name="attempt" value={attempt} />
      {typed !== undefined && <input type="hidden" name={partField} value={typed} />}
      <Button type="submit" variant="destructive" busy={busy} busyLabel="Refunding...">
        Refund {amount.money}
      </Button>
    </Form>
  );
}

type PartQuestionProps = Omit<RefundButtonProps, "size" | "attempt"> & {
  amount: Amount & RefundPart;
};

/** Asks before a part is refunded, and whether the access ends with it. */
function PartQuestion({ payment, amount, busy }: PartQuestionProps) {
  const form = "refund-part";
  const { attempt, typed } = amount;
  return (
    <LinkedConfirmDialog
      id="part"
      title={`Refund ${amount.money}?`}
      closeHref={`/admin/payments/${payment.id}`}
      form={<RefundForm {...{ payment, attempt, amount, typed, busy, form }} />}
    >
      <RefundConsequences payment={payment} amount={amount} />
      {amount.rest && payment.holdsEnrollment && (
        <Checkbox
          name="access"
          value="end"
          defaultChecked={amount.endsAccess}
          form={form}
          label={`Close “${payment.course}” to ${payment.name ?? "the student"} as well`}
        />
      )}
    </LinkedConfirmDialog>
  );
}

// `until` is formatted in the coach's time zone.
type Standing = Omit<RefundStanding, "until"> & { until: string };

type RefundPanelProps = {
  payment: PaymentLine;
  refunding: { attempt: string; standing: Standing | null; part: RefundPart | null };
  busy: boolean;
};

/** How a payment stands by the terms, and its refund in full or in part. */
export function RefundPanel({ payment, refunding, busy }: RefundPanelProps) {
  const { standing, attempt, part } = refunding;
  if (payment.left === 0 || !standing) return null;
  return (
    <section aria-labelledby="refund" className="mb-10">
      <h2 id="refund" className="mb-3 text-xl/[1.14]">
        Refund
      </h2>
      <StandingWords {...standing} />
      <RefundButton payment={payment} attempt={attempt} busy={busy} />
      <Form
        method="get"
        action={`/admin/payments/${payment.id}`}
        preventScrollReset
        className="admin-form mt-8"
      >
        <Field
          label="Or only a part of it"
          hint={`An amount up to ${payment.leftInWords}. You are asked once more before it is refunded.`}
          error={part && "error" in part && part.error}
        >
          <Input
            dense
            name={partField}
            inputMode="decimal"
            className="max-w-48"
            maxLength={20}
            defaultValue={part?.typed}
          />
        </Field>
        <div>
          <Button type="submit" variant="outline">
            Refund a part
          </Button>
        </div>
      </Form>
      {part && "cents" in part && <PartQuestion payment={payment} amount={part} busy={busy} />}
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
