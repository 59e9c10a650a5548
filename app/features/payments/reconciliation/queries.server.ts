import type { Services } from "~/platform/services.ts";
import type { StripeEvent } from "../schema.ts";

const hourMs = 3600_000;
/** Stripe itself repeats a webhook for three days. */
const usualMs = 72 * hourMs;
/** What happened before the last thing that is known here, and was told after it. */
const overlapMs = hourMs;
/** Stripe keeps no event longer than 30 days. */
const mostMs = 30 * 24 * hourMs;

/** From when on to ask what has happened: three days, or since the site last heard of anything. */
export async function since({ db, clock }: Services): Promise<Date> {
  const now = clock.now().getTime();
  const last = await db.read
    .selectFrom("stripeEvents")
    .select("createdAt")
    .orderBy("createdAt", "desc")
    .executeTakeFirst();
  const heard = last ? last.createdAt.getTime() - overlapMs : now;
  return new Date(Math.max(now - mostMs, Math.min(now - usualMs, heard)));
}

/** Events that are not done, the ones that nobody has begun first, then what was tried longest ago. */
export function listLeft({ db }: Services, most: number): Promise<StripeEvent[]> {
  return db.write
    .selectFrom("stripeEvents")
    .select(["id", "type", "objectId", "createdAt"])
    .where("handledAt", "is", null)
    .orderBy("triedAt", (order) => order.asc().nullsFirst())
    .orderBy("createdAt")
    .orderBy("id")
    .limit(most)
    .execute();
}

/** The checkouts that nobody has looked at for longest, of those that may still be paid. */
export function listWaiting({ db, clock }: Services, { idleMs, most }: Idle) {
  return db.read
    .selectFrom("payments")
    .select(["id", "checkoutSessionId", "createdAt"])
    .where("status", "=", "started")
    .where("updatedAt", "<=", new Date(clock.now().getTime() - idleMs))
    .orderBy("updatedAt")
    .orderBy("id")
    .limit(most)
    .execute();
}

type Idle = { idleMs: number; most: number };
