import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findPaid } from "../queries.server.ts";
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
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.person || payment.status !== "failed" || payment.isEnrolled) return;
    const { person, course, slug, isSold } = payment;
    const link = isSold ? `${config.appUrl}/courses/${slug}` : null;
    const greeting = greetingOf(person.name);
    const body = await renderMail(PaymentFailed({ greeting, course, link }));
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: failureSubject(course), ...body });
  },
});
