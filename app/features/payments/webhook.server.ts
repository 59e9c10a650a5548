import type { Services } from "~/platform/http/services.ts";
import { fulfilCheckout, fulfilSession } from "./fulfilment.server.ts";
import { syncPayment } from "./refunds.server.ts";
import type { StripeEvent } from "./schema.ts";
import {
  findDispute,
  findPaymentOfCharge,
  findRefund,
  findSessionOfPayment,
} from "./stripe.server.ts";

export async function syncCharge(services: Services, chargeId: string): Promise<void> {
  await settleAny(services, await findPaymentOfCharge(services, chargeId));
}

export async function syncDispute(services: Services, disputeId: string): Promise<void> {
  const dispute = await findDispute(services, disputeId);
  await settleAny(services, dispute?.paymentIntentId ?? null);
}

export async function syncRefund(services: Services, refundId: string): Promise<void> {
  const refund = await findRefund(services, refundId);
  await settleAny(services, refund?.paymentIntentId ?? null);
}

// Events come in any order: a payment that was not booked yet is booked first. Payments to other
// sites on the same Stripe account are ignored.
async function settleAny(services: Services, paymentIntentId: string | null): Promise<void> {
  if (!paymentIntentId || (await syncPayment(services, paymentIntentId))) return;
  const session = await findSessionOfPayment(services, paymentIntentId);
  if (!session) return;
  await fulfilSession(services, session);
  await syncPayment(services, paymentIntentId);
}

// Gets the id of the event's object and reads its state from Stripe. Idempotent, in any order.
type Handler = (services: Services, objectId: string) => Promise<unknown>;

export const eventHandlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["checkout.session.completed", fulfilCheckout],
  ["checkout.session.async_payment_succeeded", fulfilCheckout],
  ["checkout.session.async_payment_failed", fulfilCheckout],
  ["checkout.session.expired", fulfilCheckout],
  ["charge.refunded", syncCharge],
  ["charge.dispute.created", syncDispute],
  ["charge.dispute.updated", syncDispute],
  ["charge.dispute.closed", syncDispute],
  ["refund.updated", syncRefund],
  ["refund.failed", syncRefund],
]);

/** Handles an event unless it was handled before. A failed one is saved and retried until done. */
export async function handleEvent(services: Services, event: StripeEvent): Promise<void> {
  const handler = eventHandlers.get(event.type);
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

// Once handled, an event stays handled, even if a concurrent attempt fails.
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

export async function storeEvents({ db }: Services, events: readonly StripeEvent[]): Promise<void> {
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

// Databases limit the values of a statement.
const chunk = 500;
