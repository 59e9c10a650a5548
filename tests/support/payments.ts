import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

type Paid = {
  userId: string;
  productId: string;
  attention?: string;
  paymentIntentId?: string;
};

/** A payment as it stands here after Stripe has told of it, where a test needs no Stripe. @returns its id */
export async function recordPayment(services: Services, paid: Paid): Promise<string> {
  const { userId, productId, attention } = paid;
  const [id, now] = [newId(), services.clock.now()];
  const { paymentIntentId = `pi_${id}` } = paid;
  const ids = { id, userId, productId, checkoutSessionId: `cs_${id}`, paymentIntentId };
  const times = { paidAt: now, createdAt: now, updatedAt: now };
  await services.db.write
    .insertInto("payments")
    .values({ ...ids, ...times, status: "paid", amountCents: 19700, currency: "usd" })
    .execute();
  if (attention) await recordAttention(services, id, attention);
  return id;
}

/** Something about a payment that waits for the coach. @returns the id of its entry */
export async function recordAttention(
  { db, clock }: Services,
  paymentId: string,
  reason: string,
): Promise<string> {
  const id = newId();
  await db.write
    .insertInto("paymentIssues")
    .values({ id, paymentId, reason, cause: paymentId, raisedAt: clock.now() })
    .execute();
  return id;
}

/** What of a payment waits for the coach, in the order in which it was raised. */
export async function openIssues({ db }: Services, paymentId: string) {
  return db.write
    .selectFrom("paymentIssues")
    .select(["id", "reason", "cause"])
    .where("paymentId", "=", paymentId)
    .where("resolvedAt", "is", null)
    .orderBy("raisedAt")
    .orderBy("id")
    .execute();
}
