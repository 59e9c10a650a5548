import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

// Reading a payment and sending its refund take 18 seconds at most: two tries of each.
const claimMs = 30_000;

export type Claim = { name: string; value: string };

/** Reserves a payment for one refund, so that what is left cannot change between reading and
 * sending. @returns null while another attempt holds it. Its `value` is the idempotency key at
 * Stripe: the same until it is released, however often the attempt is repeated. */
export async function claimRefund(
  { db, clock }: Services,
  { paymentId, attempt }: { paymentId: string; attempt: string },
): Promise<Claim | null> {
  const now = clock.now();
  const name = `refund:${paymentId}`;
  const value = `${attempt}:${newId()}`;
  const claim = await db.write
    .insertInto("settings")
    .values({ name, value, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((eb) => ({
          value: eb
            .case()
            .when("settings.value", "like", `${attempt}:%`)
            .then(eb.ref("settings.value"))
            .else(value)
            .end(),
          createdAt: now,
        }))
        .where((eb) =>
          eb.or([
            eb("settings.value", "like", `${attempt}:%`),
            eb("settings.createdAt", "<=", new Date(now.getTime() - claimMs)),
          ]),
        ),
    )
    .returning("value")
    .executeTakeFirst();
  return claim ? { name, value: claim.value } : null;
}

/** Once Stripe has answered: it repeats even an error to the same key. */
export async function releaseRefund({ db }: Services, { name, value }: Claim): Promise<void> {
  await db.write
    .deleteFrom("settings")
    .where("name", "=", name)
    .where("value", "=", value)
    .execute();
}
