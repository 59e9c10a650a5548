import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { formatMoney } from "../rules.ts";
import { type RefundStanding, refundNoteWords, refundStanding } from "./rules.ts";

type Paid = { userId: string | null; productId: string; paidAt: Date };

/** How a payment stands by the terms' rule now. Of progress, nothing is read but when. */
export async function standingOf(
  { db, clock }: Services,
  { userId, productId, paidAt }: Paid,
): Promise<RefundStanding> {
  const [{ lessons }, completed] = await Promise.all([
    lessonsIn(db.read, productId)
      .select(({ fn }) => fn.countAll<number>().as("lessons"))
      .executeTakeFirstOrThrow(),
    lessonsIn(db.read, productId)
      .innerJoin("progress", "progress.lessonId", "lessons.id")
      .select("progress.createdAt")
      .where("progress.userId", "=", userId ?? "")
      .execute(),
  ]);
  const completedAt = completed.map(({ createdAt }) => createdAt);
  return refundStanding({ paidAt, completedAt, lessons: Number(lessons) }, clock.now());
}

const lessonsIn = (db: Query, productId: string) =>
  db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null);

type Reader = { userId: string; slug: string; timeZone: string };

/**
 * What a student reads beside the course that she paid for: until when she can have the money
 * back. Null where nothing was paid, or the terms give nothing back any more. Her page stands
 * without it, so a failure is only logged.
 */
export async function findRefundNote(services: Services, reader: Reader): Promise<string | null> {
  try {
    return await refundNote(services, reader);
  } catch (error) {
    services.log.error({ err: error }, "whether a payment can be refunded could not be read");
    return null;
  }
}

async function refundNote(services: Services, { userId, slug, timeZone }: Reader) {
  const payment = await services.db.read
    .selectFrom("enrollments")
    .innerJoin("payments", "payments.paymentIntentId", "enrollments.stripePaymentId")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["payments.productId", "payments.amountCents", "payments.paidAt"])
    .select(["payments.refundedCents", "payments.currency"])
    .where("enrollments.userId", "=", userId)
    .where("products.slug", "=", slug)
    .where("products.deletedAt", "is", null)
    .where("payments.status", "=", "paid")
    .executeTakeFirst();
  if (!payment?.paidAt) return null;
  const { productId, amountCents, refundedCents, currency, paidAt } = payment;
  const standing = await standingOf(services, { userId, productId, paidAt });
  if (!standing.refundable) return null;
  const zone = timeZone === "UTC" ? "\u00a0UTC" : "";
  const until = `${shortDate(standing.until, timeZone)}, ${clockTime(standing.until, timeZone)}${zone}`;
  return refundNoteWords(standing, {
    money: formatMoney(amountCents - refundedCents, currency),
    until,
    email: site.email,
  });
}
