import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findPaid } from "../queries.server.ts";
import { formatMoney } from "../rules.ts";
import { Refunded } from "./emails/refunded.tsx";

/**
 * Tells somebody that her money is on its way back. What became of her access is read when it is
 * sent: another payment may hold it, or the coach.
 */
export const refundedMail = defineJob({
  kind: "payments.refunded",
  label: "A refund",
  payload: z.object({ paymentId: z.string() }),
  async run({ db, mail }, { paymentId }, { id }) {
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.person) return;
    const { person, course, refundedCents, currency, isEnrolled, heldSeat } = payment;
    const money = formatMoney(refundedCents, currency);
    const access = isEnrolled ? "open" : heldSeat ? "ended" : "never";
    const greeting = greetingOf(person.name);
    const body = await renderMail(Refunded({ greeting, course, money, access }));
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: `Your refund for “${course}”`, ...body });
  },
});
