import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { PaymentFailed } from "./emails/payment-failed.tsx";
import { failureSubject } from "./texts.ts";

/**
 * Tells somebody whose payment takes days that it did not come: she waits for it. Nothing is sent
 * when it came after all, or when she is in the course by another way.
 */
export const failureLetter = defineJob({
  kind: "payments.failed",
  label: "A payment that did not go through",
  payload: z.object({ paymentId: z.string() }),
  async run({ db, mail, config }, { paymentId }, { id }) {
    const payment = await db.read
      .selectFrom("payments")
      .innerJoin("profiles", "profiles.id", "payments.userId")
      .innerJoin("products", "products.id", "payments.productId")
      .leftJoin("enrollments", (join) =>
        join
          .onRef("enrollments.userId", "=", "payments.userId")
          .onRef("enrollments.productId", "=", "payments.productId"),
      )
      .select(["profiles.name", "profiles.email", "products.title", "products.slug"])
      .select(["products.active", "products.deletedAt"])
      .where("payments.id", "=", paymentId)
      .where("payments.status", "=", "failed")
      .where("enrollments.id", "is", null)
      .executeTakeFirst();
    if (!payment) return;
    const { name, email, title, slug, active, deletedAt } = payment;
    const isSold = active && deletedAt === null;
    const link = isSold ? `${config.appUrl}/courses/${slug}` : null;
    const body = await renderMail(
      PaymentFailed({ greeting: greetingOf(name), course: title, link }),
    );
    await mail.send({ id, to: receiver(name, email), subject: failureSubject(title), ...body });
  },
});
