import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingName, greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findPaid } from "../queries.server.ts";
import type { AttentionReason } from "../schema.ts";
import { Attention } from "./emails/attention.tsx";
import { attentionWords } from "./rules.ts";

/**
 * Tells an administrator that a payment needs her. One row an administrator and matter; where it is
 * dealt with before it goes out, there is nothing to send.
 */
export const attentionMail = defineJob({
  kind: "payments.attention",
  label: "A payment that needs you",
  payload: z.object({ attentionId: z.string(), userId: z.string() }),
  async run({ db, mail, config }, { attentionId, userId }, { id }) {
    const coach = await db.read
      .selectFrom("profiles")
      .select(["name", "email"])
      .where("id", "=", userId)
      .where("role", "=", "admin")
      .where("suspendedAt", "is", null)
      .executeTakeFirst();
    const matter = await db.read
      .selectFrom("paymentAttentions")
      .select(["paymentId", "reason"])
      .where("id", "=", attentionId)
      .where("attendedAt", "is", null)
      .executeTakeFirst();
    const payment = matter && (await findPaid(db.read, matter.paymentId));
    if (!coach || !payment) return;
    const { person } = payment;
    const name = person && (greetingName(person.name) ?? "somebody");
    const words = attentionWords(matter.reason as AttentionReason, { ...payment, name });
    const link = `${config.appUrl}/admin/payments`;
    const body = await renderMail(Attention({ greeting: greetingOf(coach.name), ...words, link }));
    const to = receiver(coach.name, coach.email);
    await mail.send({ id, to, subject: words.subject, ...body });
  },
});
