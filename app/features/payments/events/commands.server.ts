import type { Services } from "~/platform/services.ts";
import { handlers } from "../hooks.server.ts";
import type { StripeEvent } from "../schema.ts";

/**
 * Does what an event asks for, unless that was done before: then Stripe is not even asked. One that
 * failed is written down as left, and asked for again until it is done.
 */
export async function handleEvent(services: Services, event: StripeEvent): Promise<void> {
  const handler = handlers.get(event.type);
  if (!handler) return;
  const known = await services.db.read
    .selectFrom("stripeEvents")
    .select("id")
    .where("id", "=", event.id)
    .where("handledAt", "is not", null)
    .executeTakeFirst();
  if (known) return;
  try {
    await handler(services, event.objectId);
  } catch (error) {
    await writeDown(services, event, false).catch((err: unknown) =>
      services.log.error(
        { err, event: event.id },
        "that an event failed could not be written down",
      ),
    );
    throw error;
  }
  await writeDown(services, event, true);
}

/** Once it is done, it stays done, whoever fails beside it. */
async function writeDown({ db, clock }: Services, event: StripeEvent, isDone: boolean) {
  const triedAt = clock.now();
  const handledAt = isDone ? triedAt : null;
  await db.write
    .insertInto("stripeEvents")
    .values({ ...event, triedAt, handledAt })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ triedAt, ...(handledAt ? { handledAt } : {}) }),
    )
    .execute();
}

/** Writes events down that are not known yet; what is known stays as it is. */
export async function keepEvents({ db }: Services, events: readonly StripeEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += chunk) {
    const some = events.slice(from, from + chunk);
    const ids = some.map(({ id }) => id);
    const rows = await db.read
      .selectFrom("stripeEvents")
      .select("id")
      .where("id", "in", ids)
      .execute();
    const known = new Set(rows.map(({ id }) => id));
    const unknown = some.filter(({ id }) => !known.has(id));
    if (unknown.length > 0)
      await db.write
        .insertInto("stripeEvents")
        .values(unknown)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
  }
}

/** Databases take only so many values at once. */
const chunk = 500;
