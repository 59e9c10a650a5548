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

/** Databases take only so many values at once. */
const chunk = 500;

/** Those of the events that were not handled yet, in the same order. */
export async function listUnknown(
  { db }: Services,
  events: readonly StripeEvent[],
): Promise<StripeEvent[]> {
  const known = new Set<string>();
  for (let from = 0; from < events.length; from += chunk) {
    const ids = events.slice(from, from + chunk).map(({ id }) => id);
    const rows = await db.read
      .selectFrom("stripeEvents")
      .select("id")
      .where("id", "in", ids)
      .execute();
    for (const { id } of rows) known.add(id);
  }
  return events.filter(({ id }) => !known.has(id));
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
