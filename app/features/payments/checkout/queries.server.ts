import { isComingSoon } from "~/features/enrollments/queries.server.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { messages } from "../texts.ts";

export type CourseForSale = { id: string; slug: string; title: string; priceCents: number };

/**
 * The course that somebody wants to buy.
 * @throws {Refused} not_found unless it is active, conflict while it is only announced
 */
export async function courseForSale(services: Services, id: string): Promise<CourseForSale> {
  const course = await services.db.read
    .selectFrom("products")
    .select(["id", "slug", "title", "priceCents"])
    .where("id", "=", id)
    .where("active", "=", true)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) throw new Refused("not_found", messages.notForSale);
  if (isComingSoon(services, course.slug)) throw new Refused("conflict", messages.notOpenYet);
  return course;
}

type Whose = { userId: string; productId: string };

/** Checkouts of somebody for a course that may still be paid, newest first. */
export function listUnfinished({ db }: Services, { userId, productId }: Whose) {
  return db.write
    .selectFrom("payments")
    .select(["id", "checkoutSessionId", "amountCents", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "started")
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Whether somebody has paid for a course, and the coach has not looked at what came of it. */
export async function hasPaidInVain({ db }: Services, { userId, productId }: Whose) {
  const row = await db.read
    .selectFrom("payments")
    .innerJoin("paymentAttentions", "paymentAttentions.paymentId", "payments.id")
    .select("payments.id")
    .where("payments.userId", "=", userId)
    .where("payments.productId", "=", productId)
    .where("payments.status", "=", "paid")
    .where("paymentAttentions.attendedAt", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a bank is deciding about a payment of hers for a course: it may count again soon. */
export async function isDisputed({ db }: Services, { userId, productId }: Whose) {
  const row = await db.read
    .selectFrom("payments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "disputed")
    .where("dispute", "=", "open")
    .executeTakeFirst();
  return row !== undefined;
}
