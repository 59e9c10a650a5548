import { setTimeout as pause } from "node:timers/promises";
import { findEnrollment } from "~/features/enrollments/queries.server.ts";
import type { Services } from "~/platform/services.ts";
import { isOpen } from "../attention/commands.server.ts";
import { hasPaidInVain } from "../checkout/queries.server.ts";
import { fulfil } from "../fulfilment/commands.server.ts";
import type { Standing } from "../fulfilment/schema.ts";
import type { Purchase } from "./schema.ts";

/** How long somebody waits for Stripe to be asked; after that the page comes without. */
const patienceMs = 6000;

/**
 * Somebody comes back from Stripe's page: her checkout is fulfilled, if the webhook was not
 * quicker. Null for whatever is no checkout of hers, without asking Stripe; never an error, for
 * the page stands whatever happens.
 */
export async function welcomeBack(
  services: Services,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Purchase | null> {
  if (!/^cs_\w{1,250}$/.test(sessionId)) return null;
  try {
    const checkout = await services.db.read
      .selectFrom("payments")
      .innerJoin("products", "products.id", "payments.productId")
      .select(["payments.productId", "products.title", "products.slug"])
      .where("payments.checkoutSessionId", "=", sessionId)
      .where("payments.userId", "=", userId)
      .executeTakeFirst();
    if (!checkout) return null;
    const { productId, title, slug } = checkout;
    const standing = await inTime(services, sessionId);
    const whose = { userId, productId };
    if (await findEnrollment(services, whose)) return { state: "enrolled", title, slug };
    return { state: await stateOf(services, { standing, sessionId, whose }), title, slug };
  } catch (error) {
    services.log.error({ err: error }, "a return from checkout could not be looked at");
    return null;
  }
}

type Stood = {
  standing: Standing | null;
  sessionId: string;
  whose: { userId: string; productId: string };
};

/** Of a course that is not open to her. */
async function stateOf(
  services: Services,
  { standing, sessionId, whose }: Stood,
): Promise<Purchase["state"]> {
  if (standing === "failed" || standing === "expired") return "failed";
  if (standing === null || standing === "open" || standing === "waiting" || standing === "unknown")
    return "waiting";
  const payment = await services.db.read
    .selectFrom("payments")
    .select(["id", "dispute"])
    .where("checkoutSessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  if (standing === "returned") return payment.dispute === "open" ? "disputed" : "returned";
  const failed = { paymentId: payment.id, reason: "refund_failed" } as const;
  if (await isOpen(services.db.read, failed)) return "undelivered";
  return (await hasPaidInVain(services, whose)) ? "attention" : "closed";
}

/** Where the checkout stands; null when Stripe did not say in time. It goes on meanwhile. */
async function inTime(services: Services, sessionId: string): Promise<Standing | null> {
  const limit = new AbortController();
  const fulfilled = fulfil(services, sessionId).catch((error: unknown) => {
    services.log.error({ err: error }, "a checkout could not be fulfilled on return");
    return null;
  });
  const late = pause(patienceMs, null, limit).catch(() => null);
  const standing = await Promise.race([fulfilled, late]);
  limit.abort();
  return standing;
}
