import { refundTerms } from "~/features/enrollments/texts.ts";
import type { PaymentLine } from "../../listing/rules.ts";
import { completedInWords } from "../rules.ts";
import { RefundButton } from "./refund-button.tsx";

/** How it stands by the terms; `until` in words of the coach's time zone. */
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

/** Whether the terms ask for the money back, and the one button that gives it. */
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
