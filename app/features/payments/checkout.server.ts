import { createHash } from "node:crypto";
import type Stripe from "stripe";
import type { Course } from "~/features/courses/schema.ts";
import { enroll, findEnrollment } from "~/features/enrollments/enrollments.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { withTimeout } from "~/platform/utils/clock.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { bankIsAsked, paymentMessages, successPath } from "./messages.ts";
import { findPayment } from "./payments.server.ts";
import { purchaseState } from "./rules.ts";
import type { CheckoutStanding, Purchase } from "./schema.ts";
import {
  type CheckoutSession,
  createSession,
  expireSession,
  findCheckoutSession,
  StripeUnavailable,
} from "./stripe.server.ts";
import {
  endCheckout,
  findCheckout,
  fulfilCheckout,
  fulfilSession,
  recoverCheckout,
} from "./webhook.server.ts";

const hourMs = 3600_000;
// How long a checkout can be paid. Stripe allows at most 24 hours, and its clock may be behind.
const openMs = 23 * hourMs;
// A younger checkout is reused when the user presses the button again.
const freshMs = 12 * hourMs;

const currency = "usd";
const limit = { what: "checkout", max: 20, windowSeconds: 600 };

type Whose = { userId: string; productId: string };
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
  if (course.comingSoon) throw new Refused("conflict", paymentMessages.notOpenYet);
  const whose = { userId: buyer.id, productId: course.id };
  if (course.priceCents === 0) return openFreeCourse(services, whose, course);
  if (await findEnrollment(services, whose))
    throw new Refused("conflict", paymentMessages.alreadyEnrolled);
  if (!services.stripe) throw new Refused("unavailable", paymentMessages.notConfigured);
  const doubt = await findPaymentInDoubt(services.db.read, whose);
  if (doubt === "issue") throw new Refused("conflict", paymentMessages.beingLookedAt);
  if (doubt === "dispute") throw new Refused("conflict", bankIsAsked(services.content.site.email));
  try {
    const open = await reuseCheckout(services, whose, course);
    return { url: open ?? (await beginCheckout(services, buyer, course)), opened: null };
  } catch (error) {
    if (!(error instanceof StripeUnavailable)) throw error;
    services.log.error({ err: error }, "a checkout could not be started");
    throw new Refused("unavailable", paymentMessages.failed);
  }
}

// Ends old checkouts if possible: the course opens even if Stripe is away or money is coming.
async function openFreeCourse(services: Services, whose: Whose, course: Course): Promise<Started> {
  if (services.stripe)
    await reuseCheckout(services, whose, course).catch((error: unknown) => {
      services.log.warn({ err: error }, "a checkout of a course that is free now was not ended");
    });
  await enroll(services, { ...whose, onlyActive: true, way: "free" });
  const url = `${services.config.appUrl}/courses/${course.slug}/learn`;
  return { url, opened: course.title };
}

/** Why the user cannot buy the course a second time: they paid and that payment has an open
 * payment issue, or a bank is still deciding about it. */
async function findPaymentInDoubt(db: Query, { userId, productId }: Whose) {
  const payments = await db
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

const openCheckouts = (db: Query, { userId, productId }: Whose) =>
  db
    .selectFrom("payments")
    .select(["id", "checkoutSessionId", "amountCents", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "started")
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc");

type Begun = { id: string; amountCents: number; createdAt: Date };

const isReusable = ({ amountCents, createdAt }: Begun, { priceCents }: Course, now: Date) =>
  amountCents === priceCents && now.getTime() - createdAt.getTime() < freshMs;

// Returns the URL of an open checkout that can be reused. All others are ended, so that the user
// cannot pay twice; one that turns out to be paid is fulfilled.
async function reuseCheckout(services: Services, whose: Whose, course: Course) {
  const now = services.clock.now();
  for (const begun of await openCheckouts(services.db.write, whose).execute()) {
    const id = begun.checkoutSessionId;
    if (!id) continue;
    let session = await findCheckoutSession(services, id);
    if (session?.status === "open") {
      if (session.url && isReusable(begun, course, now)) return session.url;
      session = await expireSession(services, id).catch(() => findCheckoutSession(services, id));
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
async function beginCheckout(services: Services, buyer: Buyer, course: Course): Promise<string> {
  const { db, clock } = services;
  const begun = await insertCheckout(services, buyer, course);
  const change = (values: { status: "expired" } | { checkoutSessionId: string }) =>
    db.write
      .updateTable("payments")
      .set({ ...values, updatedAt: clock.now() })
      .where("id", "=", begun.id)
      .where("checkoutSessionId", "is", null)
      .executeTakeFirst();
  const params = sessionParams(services, { begun, buyer, course });
  const session = await createOnce(services, params).catch(async (error: unknown) => {
    // Stripe repeats its answer to an idempotency key, even its faults: a retry needs a new one.
    if (error instanceof StripeUnavailable && error.isAnswer) await change({ status: "expired" });
    throw error;
  });
  const { numUpdatedRows } = await change({ checkoutSessionId: session.id });
  // A concurrent request was faster; with other parameters, Stripe made a second session.
  if (numUpdatedRows === 0n && !(await findCheckout(db.write, session.id)))
    await recoverCheckout(services, session);
  if (!session.url) throw new Refused("conflict", paymentMessages.failed);
  return session.url;
}

// Concurrent requests find the same row, and so ask Stripe for the same session.
function insertCheckout(
  { db, clock }: Services,
  { id: userId }: Buyer,
  course: Course,
): Promise<Begun> {
  const now = clock.now();
  const whose = { userId, productId: course.id };
  return db.transaction(async (trx) => {
    await lockId(db, trx, `checkout:${userId}:${course.id}`);
    const before = await openCheckouts(trx, whose).executeTakeFirst();
    if (before && isReusable(before, course, now)) return before;
    const made = { id: newId(), amountCents: course.priceCents, createdAt: now };
    await trx
      .insertInto("payments")
      .values({ ...made, ...whose, status: "started", currency, updatedAt: now })
      .execute();
    return made;
  });
}

function sessionParams(
  { config }: Services,
  { begun, buyer, course }: { begun: Begun; buyer: Buyer; course: Course },
): Stripe.Checkout.SessionCreateParams {
  const title = course.title.slice(0, 250);
  const metadata = { payment: begun.id, user: buyer.id, product: course.id };
  const price = { currency, unit_amount: course.priceCents, product_data: { name: title } };
  return {
    mode: "payment",
    line_items: [{ quantity: 1, price_data: price }],
    client_reference_id: begun.id,
    customer_email: buyer.email,
    metadata,
    payment_intent_data: { metadata, description: title },
    expires_at: Math.floor((begun.createdAt.getTime() + openMs) / 1000),
    success_url: `${config.appUrl}${successPath}?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${config.appUrl}/courses/${course.slug}`,
  };
}

// The same parameters have the same key. Stripe may reject an email that this site accepts.
async function createOnce(
  services: Services,
  params: Stripe.Checkout.SessionCreateParams,
): Promise<CheckoutSession> {
  const digest = createHash("sha256").update(JSON.stringify(params)).digest("base64url");
  try {
    return await createSession(services, params, `${params.client_reference_id}.${digest}`);
  } catch (error) {
    const { customer_email: email, ...others } = params;
    const isRejected = error instanceof StripeUnavailable && error.code === "email_invalid";
    if (!isRejected || !email) throw error;
    return createOnce(services, others);
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
  const { db, log } = services;
  try {
    const checkout = await findCheckout(db.read, sessionId);
    if (checkout?.userId !== userId) return null;
    const fulfilled = fulfilCheckout(services, sessionId).catch((error: unknown) => {
      log.error({ err: error }, "a checkout could not be fulfilled on return");
      return null;
    });
    const standing = await withTimeout(patienceMs, fulfilled, null);
    const payment = await findPayment(services, checkout.id);
    if (!payment) return null;
    const state = purchaseState(payment);
    // An ended checkout can still be found paid: only Stripe's answer of now says that it failed.
    const isDoubtful = state === "failed" && standing !== "failed" && standing !== "expired";
    return {
      state: isDoubtful ? "waiting" : state,
      ...{ title: payment.course, slug: payment.slug },
    };
  } catch (error) {
    log.error({ err: error }, "a return from checkout could not be looked at");
    return null;
  }
}
