import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingName, greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { attentionReasons } from "../schema.ts";
import { Attention } from "./emails/attention.tsx";
import { attentionWords } from "./rules.ts";

/**
 * Tells an administrator that a payment needs her. One row an administrator and cause; dealt with
 * before it goes out, or followed by another cause, there is nothing to send.
 */
export const attentionMail = defineJob({
  kind: "payments.attention",
  label: "A payment that needs you",
  payload: z.object({
    paymentId: z.string(),
    reason: z.enum(attentionReasons),
    userId: z.string(),
  }),
  async run({ db, mail, config }, { paymentId, reason, userId }, { id }) {
    const coach = await db.read
      .selectFrom("profiles")
      .select(["name", "email"])
      .where("id", "=", userId)
      .where("role", "=", "admin")
      .executeTakeFirst();
    const payment = await db.read
      .selectFrom("payments")
      .innerJoin("products", "products.id", "payments.productId")
      .leftJoin("profiles", "profiles.id", "payments.userId")
      .select(["profiles.name", "products.title as course", "payments.amountCents"])
      .select("payments.currency")
      .where("payments.id", "=", paymentId)
      .where((eb) => eb.or([eb("attention", "=", reason), eb("waiting", "=", reason)]))
      .where("payments.attendedAt", "is", null)
      .executeTakeFirst();
    if (!coach || !payment) return;
    const name = payment.name && (greetingName(payment.name) ?? "somebody");
    const words = attentionWords(reason, { ...payment, name });
    const link = `${config.appUrl}/admin/payments`;
    const body = await renderMail(Attention({ greeting: greetingOf(coach.name), ...words, link }));
    const to = receiver(coach.name, coach.email);
    await mail.send({ id, to, subject: words.subject, ...body });
  },
});
