import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { buy, lastEvent } from "../../support/stripe/bought.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** How many connections to this database wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.services.db.read);
  return Number(rows[0]?.n);
}

/** Keeps a payment's row from being written until the answer is called. */
async function hold(paymentId: string) {
  const held = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = shop.services.db.transaction(async (trx) => {
    await trx
      .selectFrom("payments")
      .select("id")
      .where("id", "=", paymentId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
  return async () => {
    letGo.resolve();
    await done;
  };
}

// SQLite has one writer: two transactions never stand in the middle at once there.
test.skipIf(!process.env.TEST_DATABASE_URL)(
  "a second payment is booked and not yet written down while the first is refunded: she is in",
  async () => {
    const first = await buy(shop);
    const price = { currency: "usd", unit_amount: 19700, product_data: { name: "A course" } };
    const id = newId();
    const { id: sessionId } = shop.stripe.account.createSession(
      {
        mode: "payment",
        line_items: [{ quantity: 1, price_data: price }],
        metadata: { payment: id, user: first.buyer.id, product: first.course.id },
        success_url: `${shop.url}/enrollment-success`,
      },
      shop.stripe.url,
    );
    const now = shop.clock.now();
    await shop.services.db.write
      .insertInto("payments")
      .values({
        ...{ id, userId: first.buyer.id, productId: first.course.id, checkoutSessionId: sessionId },
        ...{ status: "started", amountCents: 19700, currency: "usd" },
        ...{ createdAt: now, updatedAt: now },
      })
      .execute();
    const release = await hold(id);
    // It has found that she is in the course, by the first payment, and stops before saying so.
    const booked = shop.tell(shop.stripe.account.pay(sessionId));
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 10_000 });
    shop.stripe.account.refund({ payment_intent: first.intent });
    let isDone = false;
    const refunded = shop.tell(lastEvent(shop, "charge.refunded")).then((answer) => {
      isDone = true;
      return answer;
    });
    await vi.waitFor(async () => expect(isDone || (await waiting()) > 1).toBe(true), {
      timeout: 10_000,
    });
    await release();
    expect([(await booked).status, (await refunded).status]).toEqual([200, 200]);
    const { paymentIntentId } = await shop.paymentOf(sessionId);
    expect(await shop.enrollmentsOf(first.buyer)).toEqual([
      { productId: first.course.id, stripePaymentId: paymentIntentId },
    ]);
  },
);
