import { z } from "zod";
import { dayOf } from "~/features/accounts/leaving/queries.server.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { findPaid } from "../queries.server.ts";
import { formatMoney } from "../rules.ts";
import { Receipt } from "./emails/receipt.tsx";
import { accessOf } from "./rules.ts";
import { receiptSubject } from "./texts.ts";

/**
 * What she paid, for what and when, and how to have it back: one letter a payment, whatever has
 * become of it meanwhile. Not to be declined. Without an account there is nobody to write to.
 */
export const receiptLetter = defineJob({
  kind: "payments.receipt",
  label: "Receipt",
  payload: z.object({ paymentId: z.string() }),
  async run(services, { paymentId }, { id }) {
    const { db, mail, config } = services;
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.paidAt || !payment.person) return;
    const { course, slug, paidAt, person, goesAt } = payment;
    const body = await renderMail(
      Receipt({
        greeting: greetingOf(person.name),
        course,
        price: formatMoney(payment.amountCents, payment.currency),
        paidOn: dateInWords(paidAt, "UTC"),
        reference: payment.paymentIntentId ?? payment.id,
        access: accessOf(payment),
        goesOn: goesAt && dayOf(services, goesAt, person.timeZone),
        link: `${config.appUrl}/courses/${slug}/learn`,
      }),
    );
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: receiptSubject(course), ...body });
  },
});
