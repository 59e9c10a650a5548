import type { Services } from "~/platform/services.ts";
import type { StripeEvent } from "../schema.ts";

const hourMs = 3600_000;
/** Stripe itself repeats a webhook for three days. */
const usualMs = 72 * hourMs;
/** Stripe may list an event a little after it happened. */
const overlapMs = hourMs;
/** Stripe keeps no event longer than 30 days. */
const mostMs = 30 * 24 * hourMs;

/** Under which the settings keep when Stripe was last asked for all that has happened. */
export const comparedSetting = "payments.compared";

/**
 * From when on to ask what has happened: three days, or since Stripe was last asked. What a webhook
 * has brought meanwhile says nothing of what it has not.
 */
export async function since({ db, clock }: Services): Promise<Date> {
  const now = clock.now().getTime();
  const last = await db.read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", comparedSetting)
    .executeTakeFirst();
  const compared = last ? new Date(last.value).getTime() - overlapMs : now;
  return new Date(Math.max(now - mostMs, Math.min(now - usualMs, compared)));
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
