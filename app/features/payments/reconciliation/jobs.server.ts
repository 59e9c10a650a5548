import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";
import { handleEvent, keepEvents } from "../events/commands.server.ts";
import { listEvents } from "../events/gateway.server.ts";
import { fulfil } from "../fulfilment/commands.server.ts";
import { StripeTrouble } from "../gateway.server.ts";
import { handlers } from "../hooks.server.ts";
import { comparedSetting, listLeft, listWaiting, since } from "./queries.server.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** So many events and checkouts are asked for at Stripe in one round. */
const most = 200;

/**
 * Asks Stripe for what its webhook did not bring: while the site was down, while it failed, or
 * where nobody has set the webhook up. All of it is written down first, then done: what fails, or is
 * too much for one round, is left for the next ones, however old it gets, and keeps none of the others
 * back. What is done is skipped, so several machines may do it at once.
 */
export const missedEvents: RegularTask = {
  name: "payments.missed-events",
  async run(services) {
    if (!services.stripe) return;
    const now = services.clock.now();
    const asked = { since: await since(services), types: [...handlers.keys()] };
    const { events, isWhole } = await listEvents(services, asked);
    await keepEvents(services, events);
    if (isWhole) await noteCompared(services, now);
    else services.log.error("more has happened at Stripe than is read at once");
    for (const event of await listLeft(services, most))
      await onItsOwn(services, { event: event.id }, () => handleEvent(services, event));
  },
};

/** All that happened until now is written down. */
async function noteCompared({ db }: Services, now: Date): Promise<void> {
  const value = now.toISOString();
  await db.write
    .insertInto("settings")
    .values({ name: comparedSetting, value, createdAt: now })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value }).where("settings.value", "<", value),
    )
    .execute();
}

/** Looks after checkouts that came to no end here: paid, expired, or nobody ever got their address. */
export const unfinishedCheckouts: RegularTask = {
  name: "payments.unfinished-checkouts",
  async run(services) {
    if (!services.stripe) return;
    const waiting = await listWaiting(services, { idleMs: 10 * minuteMs, most });
    for (const checkout of waiting)
      await onItsOwn(services, { payment: checkout.id }, () => lookAfter(services, checkout));
  },
};

type Waiting = Awaited<ReturnType<typeof listWaiting>>[number];

async function lookAfter(services: Services, { id, checkoutSessionId, createdAt }: Waiting) {
  const now = services.clock.now();
  const standing = checkoutSessionId ? await fulfil(services, checkoutSessionId) : "unknown";
  // Stripe ends a session after a day; one that it does not know, or we do not, nobody can pay.
  const isOver = standing === "unknown" && now.getTime() - createdAt.getTime() > dayMs;
  await services.db.write
    .updateTable("payments")
    .set({ updatedAt: now, ...(isOver ? { status: "expired", endedAt: now } : {}) })
    .where("id", "=", id)
    .where("status", "=", "started")
    .execute();
}

/** @throws {StripeTrouble} when Stripe cannot be reached: the others would wait as long, in vain */
async function onItsOwn(services: Services, what: object, work: () => Promise<void>) {
  try {
    await work();
  } catch (err) {
    if (err instanceof StripeTrouble && !err.isAnswer) throw err;
    services.log.error({ err, ...what }, "what Stripe knows could not be taken over");
  }
}

/** What is done, and Stripe does not tell any more, need not be known any more. */
export const forgetEvents: RegularTask = {
  name: "payments.forget-events",
  async run({ db, clock }) {
    await db.write
      .deleteFrom("stripeEvents")
      .where("createdAt", "<", new Date(clock.now().getTime() - 60 * dayMs))
      .where("handledAt", "is not", null)
      .execute();
  },
};
