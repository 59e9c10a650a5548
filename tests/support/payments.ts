import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";

type Paid = {
  userId: string;
  productId: string;
  attention?: string | null;
  paymentIntentId?: string;
};

/** A payment as it stands here after Stripe has told of it, where a test needs no Stripe. @returns its id */
export async function recordPayment({ db, clock }: Services, paid: Paid): Promise<string> {
  const { userId, productId, attention = null } = paid;
  const [id, now] = [newId(), clock.now()];
  const { paymentIntentId = `pi_${id}` } = paid;
  const ids = { id, userId, productId, checkoutSessionId: `cs_${id}`, paymentIntentId };
  const times = { paidAt: now, createdAt: now, updatedAt: now };
  await db.write
    .insertInto("payments")
    .values({ ...ids, ...times, status: "paid", amountCents: 19700, currency: "usd", attention })
    .execute();
  return id;
}
