import { createHash } from "node:crypto";
import { enroll } from "~/features/enrollments/commands.server.ts";
import { findEnrollment } from "~/features/enrollments/queries.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { Refused } from "~/platform/http/errors.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { site } from "~content/site.ts";
import { adopt } from "../adoption/commands.server.ts";
import { end, settle } from "../fulfilment/commands.server.ts";
import { findCheckout } from "../fulfilment/queries.server.ts";
import type { Standing } from "../fulfilment/schema.ts";
import { StripeTrouble } from "../gateway.server.ts";
import type { Asked } from "../schema.ts";
import { bankIsAsked, messages, successPath } from "../texts.ts";
import { createSession, expireSession, findSession } from "./gateway.server.ts";
import {
  type CourseForSale,
  courseForSale,
  hasPaidInVain,
  isDisputed,
  listUnfinished,
} from "./queries.server.ts";
import { isFresh, openMs } from "./rules.ts";

const currency = "usd";
const limit = { what: "checkout", max: 20, windowSeconds: 600 };

type Buyer = { id: string; email: string };
type Started = {
  url: string;
  /** The title of the course that is open now, where nothing was to be paid. */
  opened: string | null;
};

/**
 * Starts buying a course; one without a price opens at once. Pressed again, in this tab or
 * another, it leads to the same checkout as long as that can be paid at today's price.
 * @returns where to go: Stripe's page, or the lessons of a course without a price
 * @throws {Refused} rate_limited; not_found for a course that is not sold; conflict for one not
 *   open yet, or that she has, or has paid, also where a bank still decides about that; unavailable without keys, or while Stripe is away
 */
export async function startCheckout(
  services: Services,
  { buyer, productId }: { buyer: Buyer; productId: string },
): Promise<Started> {
  if (!(await withinLimit(services, { ...limit, whose: buyer.id })))
    throw new Refused("rate_limited", messages.tooMany);
  const course = await courseForSale(services, productId);
  const whose = { userId: buyer.id, productId };
  if (course.priceCents === 0) return give(services, whose, course);
  if (await findEnrollment(services, whose))
    throw new Refused("conflict", messages.alreadyEnrolled);
  if (!services.stripe) throw new Refused("unavailable", messages.notConfigured);
  if (await hasPaidInVain(services, whose)) throw new Refused("conflict", messages.beingLookedAt);
  if (await isDisputed(services, whose)) throw new Refused("conflict", bankIsAsked(site.email));
  try {
    const url = (await takeUp(services, whose, course)) ?? (await begin(services, buyer, course));
    return { url, opened: null };
  } catch (error) {
    if (!(error instanceof StripeTrouble)) throw error;
    services.log.error({ err: error }, "a checkout could not be started");
    throw new Refused("unavailable", messages.failed);
  }
}

type Whose = { userId: string; productId: string };

/**
 * Opens a course that costs nothing. What she began while it had a price is ended as well as can
 * be: Stripe may be away, or the money on its way, and the course opens all the same.
 */
async function give(services: Services, whose: Whose, course: CourseForSale): Promise<Started> {
  if (services.stripe)
    await takeUp(services, whose, course).catch((error: unknown) => {
      services.log.warn({ err: error }, "a checkout of a course that is free now was not ended");
    });
  await enroll(services, { ...whose, onlyActive: true });
  const url = `${services.config.appUrl}/courses/${course.slug}/learn`;
  return { url, opened: course.title };
}

/**
 * Looks after what she began before: the address of a checkout that can be gone on with. All
 * others are ended, so that nobody pays twice; one that turns out to be paid is fulfilled.
 */
async function takeUp(services: Services, whose: Whose, { priceCents }: CourseForSale) {
  const now = services.clock.now();
  for (const begun of await listUnfinished(services, whose)) {
    if (!begun.checkoutSessionId) continue;
    let session = await findSession(services, begun.checkoutSessionId);
    if (session?.status === "open") {
      if (session.url && isFresh(begun, { priceCents, now })) return session.url;
      session = await expireSession(services, session.id).catch(() =>
        findSession(services, session?.id ?? ""),
      );
    }
    if (session) refuseUnlessOver(await settle(services, session));
    // Made with other keys: with those of today it is nobody's.
    else await end(services, begun.id, "expired");
  }
  return null;
}

function refuseUnlessOver(standing: Standing) {
  // It could not be ended: a second one beside it could be paid as well.
  if (standing === "open") throw new Refused("unavailable", messages.failed);
  if (standing === "enrolled") throw new Refused("conflict", messages.alreadyEnrolled);
  if (standing === "waiting") throw new Refused("conflict", messages.onItsWay);
  if (standing === "attention") throw new Refused("conflict", messages.beingLookedAt);
}

/** Writes down what is asked for, then asks Stripe: an answer that is lost is asked for again. */
async function begin(services: Services, buyer: Buyer, course: CourseForSale): Promise<string> {
  const { db } = services;
  const begun = await writeDown(services, { userId: buyer.id, course });
  const asked = askedOf(services, { begun, buyer, course });
  const session = await create(services, asked).catch(async (error: unknown) => {
    // Stripe keeps what it said under a key, its own faults too: the next press needs a new one.
    if (error instanceof StripeTrouble && error.isAnswer)
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
  // Of two presses the other was quicker; where the words changed between them, it made another.
  if (numUpdatedRows === 0n && !(await findCheckout(db.write, session.id)))
    await adopt(services, session);
  if (!session.url) throw new Refused("conflict", messages.failed);
  return session.url;
}

/** Two presses at once find the same row, and so ask Stripe for the same session. */
function writeDown(
  { db, clock }: Services,
  { userId, course: { id: productId, priceCents } }: { userId: string; course: CourseForSale },
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
    if (before && isFresh(before, { priceCents, now })) return before;
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

type Beginning = { begun: { id: string; createdAt: Date }; buyer: Buyer; course: CourseForSale };

function askedOf({ config }: Services, { begun, buyer, course }: Beginning): Asked {
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

/** The same words have the same key; Stripe has its own idea of what an address is. */
async function create(services: Services, asked: Asked) {
  const words = createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
  try {
    return await createSession(services, asked, `${asked.reference}.${words}`);
  } catch (error) {
    if (!(error instanceof StripeTrouble) || error.code !== "email_invalid" || !asked.email)
      throw error;
    return create(services, { ...asked, email: null });
  }
}
