import type { Query } from "~/platform/db/database.ts";
import type { Standing } from "./schema.ts";

/** The checkout that Stripe knows by this id; undefined when it is none of this site. */
export function findCheckout(db: Query, sessionId: string) {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("checkoutSessionId", "=", sessionId)
    .executeTakeFirst();
}

export type Checkout = NonNullable<Awaited<ReturnType<typeof findCheckout>>>;

/** Where a checkout stands for good; null while only Stripe can say. */
export function standingOf({ status, bookingReason }: Checkout): Standing | null {
  if (status === "paid") return bookingReason ? "attention" : "enrolled";
  return status === "refunded" || status === "disputed" ? "returned" : null;
}
