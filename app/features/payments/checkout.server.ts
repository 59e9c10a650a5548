import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Course } from "~/features/courses/schema.ts";
import { enroll, findEnrollment, isComingSoon } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { site } from "~content/site.ts";
import {
  endCheckout,
  findCheckout,
  fulfilCheckout,
  fulfilSession,
  recoverCheckout,
} from "./fulfilment.server.ts";
import { bankIsAsked, paymentMessages, successPath } from "./messages.ts";
import { isIssueOpen } from "./payment-issues.server.ts";
import { isReusableCheckout, openMs } from "./rules.ts";
import type { CheckoutInput, CheckoutStanding, Purchase } from "./schema.ts";
import {
  createSession,
  expireSession,
  findCheckoutSession,
  StripeUnavailable,
} from "./stripe.server.ts";

type Whose = { userId: string; productId: string };

function listOpenCheckouts({ db }: Services, { userId, productId }: Whose) {
  return db.write
    .selectFrom("payments")
    .select(["id", "checkoutSessionId", "amountCents", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "started")
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Why the user cannot buy the course a second time: they paid and that payment has an open
 * payment issue, or a bank is still deciding about it. */
async function findPaymentInDoubt({ db }: Services, { userId, productId }: Whose) {
  const payments = await db.read
    .selectFrom("payments")
    .leftJoin("paymentIssues", (join) =>
      join
        .onRef("paymentIssues.paymentId", "=", "payments.id")
        .on("paymentIssues.resolvedAt", "is", null),
    )
    .select(["payments.status", "payments.dispute", "paymentIssues.id as issueId"])
    .where("payments.userId", "=", userId)
    .where("payments.productId", "=", productId)
    .where("payments.status", "in", ["paid", "disputed"])
    .execute();
  if (payments.some(({ status, issueId }) => status === "paid" && issueId)) return "issue";
  const isDisputed = payments.some((one) => one.status === "disputed" && one.dispute === "open");
  return isDisputed ? "dispute" : null;
}

const currency = "usd";
const limit = { what: "checkout", max: 20, windowSeconds: 600 };

type Buyer = { id: string; email: string };
type Started = {
  url: string;
  /** Title of a free course that was opened at once; null otherwise. */
  opened: string | null;
};

/** Starts a purchase; a free course opens at once. Repeated, also from another tab, it returns
 * the same checkout while that can be paid at today's price. @returns the URL of Stripe's page or
 * of a free course's lessons. @throws {Refused} rate_limited; not_found without an active course;
 * conflict if it is coming soon, or the user has it, paid for it or has a disputed payment;
 * unavailable without keys or Stripe */
export async function startCheckout(
  services: Services,
  { buyer, course }: { buyer: Buyer; course: Course | null },
): Promise<Started> {
  if (!(await withinLimit(services, { ...limit, whose: buyer.id })))
    throw new Refused("rate_limited", paymentMessages.tooMany);
  if (!course?.active) throw new Refused("not_found", paymentMessages.notForSale);
  if (isComingSoon(services, course.slug))
    throw new Refused("conflict", paymentMessages.notOpenYet);
  const whose = { userId: buyer.id, productId: course.id };
  if (course.priceCents === 0) return give(services, whose, course);
  if (await findEnrollment(services, whose))
    throw new Refused("conflict", paymentMessages.alreadyEnrolled);
  if (!services.stripe) throw new Refused("unavailable", paymentMessages.notConfigured);
  const doubt = await findPaymentInDoubt(services, whose);
  if (doubt === "issue") throw new Refused("conflict", paymentMessages.beingLookedAt);
  if (doubt === "dispute") throw new Refused("conflict", bankIsAsked(site.email));
  try {
    const url = (await takeUp(services, whose, course)) ?? (await begin(services, buyer, course));
    return { url, opened: null };
  } catch (error) {
    if (!(error instanceof StripeUnavailable)) throw error;
    services.log.error({ err: error }, "a checkout could not be started");
    throw new Refused("unavailable", paymentMessages.failed);
  }
}

// Ends old checkouts if possible: the course opens even if Stripe is away or money is coming.
async function give(services: Services, whose: Whose, course: Course): Promise<Started> {
  if (services.stripe)
    await takeUp(services, whose, course).catch((error: unknown) => {
      services.log.warn({ err: error }, "a checkout of a course that is free now was not ended");
    });
  await enroll(services, { ...whose, onlyActive: true });
  const url = `${services.config.appUrl}/courses/${course.slug}/learn`;
  return { url, opened: course.title };
}

// Returns the URL of an open checkout that can be reused. All others are ended, so that the user
// cannot pay twice; one that turns out to be paid is fulfilled.
async function takeUp(services: Services, whose: Whose, { priceCents }: Course) {
  const now = services.clock.now();
  for (const begun of await listOpenCheckouts(services, whose)) {
    if (!begun.checkoutSessionId) continue;
    let session = await findCheckoutSession(services, begun.checkoutSessionId);
    if (session?.status === "open") {
      if (session.url && isReusableCheckout(begun, { priceCents, now })) return session.url;
      session = await expireSession(services, session.id).catch(() =>
        findCheckoutSession(services, session?.id ?? ""),
      );
    }
    if (session) refuseUnlessOver(await fulfilSession(services, session));
    // The session was created with other Stripe keys; for today's keys it does not exist.
    else await endCheckout(services, begun.id, "expired");
  }
  return null;
}

function refuseUnlessOver(standing: CheckoutStanding) {
  // It could not be expired: a second checkout beside it could be paid as well.
  if (standing === "open") throw new Refused("unavailable", paymentMessages.failed);
  if (standing === "enrolled") throw new Refused("conflict", paymentMessages.alreadyEnrolled);
  if (standing === "waiting") throw new Refused("conflict", paymentMessages.onItsWay);
  if (standing === "attention") throw new Refused("conflict", paymentMessages.beingLookedAt);
}

// The row is saved before Stripe is called, so that a lost response can be requested again.
async function begin(services: Services, buyer: Buyer, course: Course): Promise<string> {
  const { db } = services;
  const begun = await writeDown(services, { userId: buyer.id, course });
  const asked = askedOf(services, { begun, buyer, course });
  const session = await create(services, asked).catch(async (error: unknown) => {
    // Stripe repeats its answer to an idempotency key, even its own faults: a retry needs a new
    // one.
    if (error instanceof StripeUnavailable && error.isAnswer)
      await db.write
        .updateTable("payments")
        .set({ status: "expired", updatedAt: services.clock.now() })
        .where("id", "=", begun.id)
        .where("checkoutSessionId", "is", null)
        .execute();
    throw error;
  });
  const { numUpdatedRows } = await db.write
    .updateTable("payments")
    .set({ checkoutSessionId: session.id, updatedAt: services.clock.now() })
    .where("id", "=", begun.id)
    .where("checkoutSessionId", "is", null)
    .executeTakeFirst();
  // A concurrent request was faster; with other parameters, Stripe made a second session.
  if (numUpdatedRows === 0n && !(await findCheckout(db.write, session.id)))
    await recoverCheckout(services, session);
  if (!session.url) throw new Refused("conflict", paymentMessages.failed);
  return session.url;
}

// Concurrent requests find the same row, and so ask Stripe for the same session.
function writeDown(
  { db, clock }: Services,
  { userId, course: { id: productId, priceCents } }: { userId: string; course: Course },
): Promise<{ id: string; createdAt: Date }> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, `checkout:${userId}:${productId}`);
    const before = await trx
      .selectFrom("payments")
      .select(["id", "createdAt", "amountCents"])
      .where("userId", "=", userId)
      .where("productId", "=", productId)
      .where("status", "=", "started")
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .executeTakeFirst();
    if (before && isReusableCheckout(before, { priceCents, now })) return before;
    const made = { id: newId(), createdAt: now };
    await trx
      .insertInto("payments")
      .values({
        ...made,
        userId,
        productId,
        status: "started",
        amountCents: priceCents,
        currency,
        updatedAt: now,
      })
      .execute();
    return made;
  });
}

type Beginning = { begun: { id: string; createdAt: Date }; buyer: Buyer; course: Course };

function askedOf({ config }: Services, { begun, buyer, course }: Beginning): CheckoutInput {
  return {
    title: course.title.slice(0, 250),
    amountCents: course.priceCents,
    currency,
    reference: begun.id,
    email: buyer.email,
    metadata: { payment: begun.id, user: buyer.id, product: course.id },
    expiresAt: new Date(begun.createdAt.getTime() + openMs),
    successUrl: `${config.appUrl}${successPath}?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${config.appUrl}/courses/${course.slug}`,
  };
}

// The same parameters have the same key. Stripe may reject an email that this site accepts.
async function create(services: Services, asked: CheckoutInput) {
  const words = createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
  try {
    return await createSession(services, asked, `${asked.reference}.${words}`);
  } catch (error) {
    if (!(error instanceof StripeUnavailable) || error.code !== "email_invalid" || !asked.email)
      throw error;
    return create(services, { ...asked, email: null });
  }
}

// How long the return page waits for Stripe; after that it renders without the result.
const patienceMs = 6000;

/** Fulfils the checkout that a user returns from, unless the webhook was faster. Null when it is
 * not theirs (Stripe is not asked), and for any error: the page must render. */
export async function returnFromCheckout(
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
  standing: CheckoutStanding | null;
  sessionId: string;
  whose: { userId: string; productId: string };
};

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
  if (await isIssueOpen(services.db.read, failed)) return "undelivered";
  return (await findPaymentInDoubt(services, whose)) === "issue" ? "attention" : "closed";
}

// Null when Stripe does not answer in time; the fulfilment goes on in the background.
async function inTime(services: Services, sessionId: string): Promise<CheckoutStanding | null> {
  const limit = new AbortController();
  const fulfilled = fulfilCheckout(services, sessionId).catch((error: unknown) => {
    services.log.error({ err: error }, "a checkout could not be fulfilled on return");
    return null;
  });
  const late = pause(patienceMs, null, limit).catch(() => null);
  const standing = await Promise.race([fulfilled, late]);
  limit.abort();
  return standing;
}
