import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
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
    const payment = await db.read
      .selectFrom("payments")
      .innerJoin("products", "products.id", "payments.productId")
      .innerJoin("profiles", "profiles.id", "payments.userId")
      .leftJoin("enrollments", (join) =>
        join
          .onRef("enrollments.userId", "=", "payments.userId")
          .onRef("enrollments.productId", "=", "payments.productId"),
      )
      .select(["profiles.name", "profiles.email", "products.title as course"])
      .select(["payments.refundedCents", "payments.currency", "enrollments.id as enrollmentId"])
      .where("payments.id", "=", paymentId)
      .executeTakeFirst();
    if (!payment) return;
    const { name, email, course, refundedCents, currency, enrollmentId } = payment;
    const money = formatMoney(refundedCents, currency);
    const body = await renderMail(
      Refunded({ greeting: greetingOf(name), course, money, hasAccess: enrollmentId !== null }),
    );
    const to = receiver(name, email);
    await mail.send({ id, to, subject: `Your refund for “${course}”`, ...body });
  },
});
