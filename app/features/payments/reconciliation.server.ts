import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { listEvents, type StripeEvent, StripeUnavailable } from "./stripe.server.ts";
import { eventHandlers, fulfilCheckout, handleEvent } from "./webhook.server.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

// Stripe repeats a webhook for three days, and lists events for 30.
const usualMs = 3 * dayMs;
const mostMs = 30 * dayMs;
// Stripe may list an event a little after it happened.
const overlapMs = hourMs;

/** How many events and checkouts one run handles. */
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
    const asked = { since: await readSince(services, now), types: [...eventHandlers.keys()] };
    const { events, isWhole } = await listEvents(services, asked);
    await storeEvents(services, events);
    if (isWhole) await saveReadAt(services, now);
    else services.log.error("Stripe has more events than one run reads");
    for (const event of await listUnhandledEvents(services))
      await logFailure(services, { event: event.id }, () => handleEvent(services, event));
  },
};

// When all events were last read from Stripe.
const readAtSetting = "payments.compared";

// From when to read events: the last three days, or since the last read if that is longer ago.
// A received webhook does not count: it says nothing about the missed ones.
async function readSince({ db }: Services, now: Date): Promise<Date> {
  const last = await db.read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", readAtSetting)
    .executeTakeFirst();
  const readAt = last ? new Date(last.value).getTime() - overlapMs : now.getTime();
  return new Date(Math.max(now.getTime() - mostMs, Math.min(now.getTime() - usualMs, readAt)));
}

async function saveReadAt({ db }: Services, now: Date): Promise<void> {
  const value = now.toISOString();
  await db.write
    .insertInto("settings")
    .values({ name: readAtSetting, value, createdAt: now })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value }).where("settings.value", "<", value),
    )
    .execute();
}

// Databases limit the values of a statement.
const chunk = 500;

async function storeEvents({ db }: Services, events: readonly StripeEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += chunk)
    await db.write
      .insertInto("stripeEvents")
      .values(events.slice(from, from + chunk))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
}

// Those that were tried longest ago first.
function listUnhandledEvents({ db }: Services): Promise<StripeEvent[]> {
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

/** Checks unfinished checkouts at Stripe: paid, expired, or never saved with a session id. */
export const syncOpenCheckouts: RegularTask = {
  name: "payments.unfinished-checkouts",
  async run(services) {
    if (!services.stripe) return;
    for (const checkout of await listCheckoutsToCheck(services))
      await logFailure(services, { payment: checkout.id }, () => checkCheckout(services, checkout));
  },
};

const idleMs = 10 * minuteMs;

/** Unfinished checkouts of which nothing was heard for ten minutes, the longest first. */
export function listCheckoutsToCheck({ db, clock }: Services) {
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

type Waiting = Awaited<ReturnType<typeof listCheckoutsToCheck>>[number];

async function checkCheckout(services: Services, { id, checkoutSessionId, createdAt }: Waiting) {
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

// Stops the run when Stripe is unreachable: the others would time out as well.
async function logFailure(services: Services, what: object, work: () => Promise<void>) {
  try {
    await work();
  } catch (err) {
    if (err instanceof StripeUnavailable && !err.isAnswer) throw err;
    services.log.error({ err, ...what }, "failed to sync from Stripe");
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
