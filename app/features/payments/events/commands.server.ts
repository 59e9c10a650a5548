import type { Services } from "~/platform/services.ts";
import { handlers } from "../hooks.server.ts";
import type { StripeEvent } from "../schema.ts";

/**
 * Does what an event asks for, unless that was done before: then Stripe is not even asked. It is
 * written down as handled when it has been; one that failed comes again.
 */
export async function handleEvent(services: Services, event: StripeEvent): Promise<void> {
  const { db, clock } = services;
  const { id, type, createdAt, objectId } = event;
  const handler = handlers.get(type);
  if (!handler) return;
  const known = await db.read
    .selectFrom("stripeEvents")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (known) return;
  await handler(services, objectId);
  await db.write
    .insertInto("stripeEvents")
    .values({ id, type, createdAt, handledAt: clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
