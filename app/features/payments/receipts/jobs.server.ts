import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { formatMoney } from "../rules.ts";
import { Receipt } from "./emails/receipt.tsx";
import { receiptSubject } from "./texts.ts";

/**
 * What she paid, for what and when, and how to have it back: one letter a payment, whatever has
 * become of it meanwhile. Not to be declined. Without an account there is nobody to write to.
 */
export const receiptLetter = defineJob({
  kind: "payments.receipt",
  label: "Receipt",
  payload: z.object({ paymentId: z.string() }),
  async run({ db, mail, config }, { paymentId }, { id }) {
    const payment = await db.read
      .selectFrom("payments")
      .innerJoin("profiles", "profiles.id", "payments.userId")
      .innerJoin("products", "products.id", "payments.productId")
      .select(["profiles.name", "profiles.email", "products.title", "products.slug"])
      .select([
        "payments.id",
        "payments.paymentIntentId",
        "payments.paidAt",
        "payments.bookingReason",
      ])
      .select(["payments.amountCents", "payments.currency"])
      .where("payments.id", "=", paymentId)
      .executeTakeFirst();
    if (!payment?.paidAt) return;
    const { name, email, title, slug, paidAt, bookingReason } = payment;
    const isOpen = bookingReason === null || bookingReason === "already_enrolled";
    const body = await renderMail(
      Receipt({
        greeting: greetingOf(name),
        course: title,
        price: formatMoney(payment.amountCents, payment.currency),
        paidOn: dateInWords(paidAt, "UTC"),
        reference: payment.paymentIntentId ?? payment.id,
        link: isOpen ? `${config.appUrl}/courses/${slug}/learn` : null,
      }),
    );
    await mail.send({ id, to: receiver(name, email), subject: receiptSubject(title), ...body });
  },
});
