import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { fulfilCheckout } from "./fulfilment.server.ts";
import type { StripeEvent } from "./schema.ts";
import { listEvents, StripeUnavailable } from "./stripe.server.ts";
import { eventHandlers, handleEvent, storeEvents } from "./webhook.server.ts";

const hourMs = 3600_000;
// Stripe repeats a webhook for three days.
const usualMs = 72 * hourMs;
// Stripe may list an event a little after it happened.
const overlapMs = hourMs;
// Stripe keeps events for 30 days.
const mostMs = 30 * 24 * hourMs;

/** Name of the setting with the time when all events were last read from Stripe. */
export const reconciledSetting = "payments.compared";

/** From when to read events: the last three days, or since the last read if that is longer ago.
 * A received webhook does not count: it says nothing about the missed ones. */
export async function reconcileSince({ db, clock }: Services): Promise<Date> {
  const now = clock.now().getTime();
  const last = await db.read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", reconciledSetting)
    .executeTakeFirst();
  const compared = last ? new Date(last.value).getTime() - overlapMs : now;
  return new Date(Math.max(now - mostMs, Math.min(now - usualMs, compared)));
}

export function listUnhandledEvents({ db }: Services, most: number): Promise<StripeEvent[]> {
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

export function listCheckoutsToCheck({ db, clock }: Services, { idleMs, most }: Idle) {
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

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const most = 200;

/** Reads the events that the webhook missed: while the site was down or failed, or without a
 * webhook. All are stored first and then handled: one that fails, or is too many for a run, is left
 * for later runs, however old it gets, and does not delay the others. Handled events are skipped,
 * so several machines may run this at once. */
export const syncMissedEvents: RegularTask = {
  name: "payments.missed-events",
  async run(services) {
    if (!services.stripe) return;
    const now = services.clock.now();
    const asked = { since: await reconcileSince(services), types: [...eventHandlers.keys()] };
    const { events, isWhole } = await listEvents(services, asked);
    await storeEvents(services, events);
    if (isWhole) await noteCompared(services, now);
    else services.log.error("more has happened at Stripe than is read at once");
    for (const event of await listUnhandledEvents(services, most))
      await onItsOwn(services, { event: event.id }, () => handleEvent(services, event));
  },
};

async function noteCompared({ db }: Services, now: Date): Promise<void> {
  const value = now.toISOString();
  await db.write
    .insertInto("settings")
    .values({ name: reconciledSetting, value, createdAt: now })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value }).where("settings.value", "<", value),
    )
    .execute();
}

/** Checks unfinished checkouts at Stripe: paid, expired, or never saved with a session id. */
export const syncOpenCheckouts: RegularTask = {
  name: "payments.unfinished-checkouts",
  async run(services) {
    if (!services.stripe) return;
    const waiting = await listCheckoutsToCheck(services, { idleMs: 10 * minuteMs, most });
    for (const checkout of waiting)
      await onItsOwn(services, { payment: checkout.id }, () => lookAfter(services, checkout));
  },
};

type Waiting = Awaited<ReturnType<typeof listCheckoutsToCheck>>[number];

async function lookAfter(services: Services, { id, checkoutSessionId, createdAt }: Waiting) {
  const now = services.clock.now();
  const standing = checkoutSessionId
    ? await fulfilCheckout(services, checkoutSessionId)
    : "unknown";
  // Stripe expires a session after a day. One unknown to Stripe or to this site cannot be paid.
  const isOver = standing === "unknown" && now.getTime() - createdAt.getTime() > dayMs;
  await services.db.write
    .updateTable("payments")
    .set({ updatedAt: now, ...(isOver ? { status: "expired", endedAt: now } : {}) })
    .where("id", "=", id)
    .where("status", "=", "started")
    .execute();
}

// Stops the run when Stripe is unreachable: the others would wait as long, in vain.
async function onItsOwn(services: Services, what: object, work: () => Promise<void>) {
  try {
    await work();
  } catch (err) {
    if (err instanceof StripeUnavailable && !err.isAnswer) throw err;
    services.log.error({ err, ...what }, "what Stripe knows could not be taken over");
  }
}

/** Deletes handled events that Stripe no longer lists. */
export const deleteOldEvents: RegularTask = {
  name: "payments.forget-events",
  async run({ db, clock }) {
    await db.write
      .deleteFrom("stripeEvents")
      .where("createdAt", "<", new Date(clock.now().getTime() - 60 * dayMs))
      .where("handledAt", "is not", null)
      .execute();
  },
};
