import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { type Checkout, findCheckout } from "../fulfilment/queries.server.ts";
import type { CheckoutSession } from "../schema.ts";

/**
 * Finds the checkout of a session by what we wrote on it, where its id is not known here: the
 * process ended between Stripe's answer and writing it down, or the database is a backup from
 * before. A session beside the one its checkout already has becomes a checkout of its own: money
 * that was taken is never without a row. Sessions of others on the same Stripe account have none
 * of our courses on them.
 */
export async function adopt(
  { db, clock, log }: Services,
  session: CheckoutSession,
): Promise<Checkout | null> {
  const { payment: id, user, product } = session.metadata;
  if (![id, user, product].every(isId)) return null;
  const now = clock.now();
  return db.transaction(async (trx) => {
    const course = await trx
      .selectFrom("products")
      .select("id")
      .where("id", "=", String(product))
      .executeTakeFirst();
    if (!course) {
      if (session.isPaid) log.error({ payment: id }, "what was paid for is no course of this site");
      return null;
    }
    const buyer = await trx
      .selectFrom("profiles")
      .select("id")
      .where("id", "=", String(user))
      .executeTakeFirst();
    const begun = { userId: buyer?.id ?? null, productId: course.id, now };
    await writeDown(trx, { ...begun, id: String(id), session });
    await trx
      .updateTable("payments")
      .set({ checkoutSessionId: session.id })
      .where("id", "=", String(id))
      .where("checkoutSessionId", "is", null)
      .execute();
    log.info({ payment: id }, "a checkout was found by what is written on it");
    const found = await findCheckout(trx, session.id);
    if (found) return found;
    await writeDown(trx, { ...begun, id: newId(), session });
    return (await findCheckout(trx, session.id)) ?? null;
  });
}

type Begun = {
  id: string;
  userId: string | null;
  productId: string;
  session: CheckoutSession;
  now: Date;
};

/** Once, whoever else does it: of an id and of a session there is one row. */
async function writeDown(trx: Query, { session, now, ...begun }: Begun): Promise<void> {
  const { id: checkoutSessionId, amountCents, currency } = session;
  await trx
    .insertInto("payments")
    .values({
      ...begun,
      checkoutSessionId,
      status: "started",
      amountCents,
      currency,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
