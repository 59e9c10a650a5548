import { audit } from "~/features/accounts/audit/commands.server.ts";
import { findProfile } from "~/features/accounts/queries.server.ts";
import { emailField } from "~/features/accounts/schema.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { endEnrollmentWithin, enrollWithin } from "../commands.server.ts";
import { messages } from "../texts.ts";
import type { Complaint, Enrolled } from "./schema.ts";

/** What the form of an enrollment holds: a course, and the address of an account. */
type Choice = { productId: string; who: string };

/**
 * Enrolls an account in an active course, by hand (spec 2 and 5, Admin dashboard: a course and a
 * user). Twice is once.
 * @returns the enrollment, or what is wrong with the form; `nobody` where the address is free
 * @throws {Refused} for a course that is inactive or gone
 */
export async function createEnrollment(
  services: Services,
  { productId, who }: Choice,
): Promise<{ enrolled: Enrolled } | { complaint: Complaint; nobody: boolean }> {
  const missing = !productId ? "productId" : !who ? "who" : null;
  if (missing)
    return { complaint: { field: missing, message: messages.incomplete }, nobody: false };
  const profile = await findProfile(services, who);
  if (profile) return { enrolled: await enrollPerson(services, { productId, ...profile }) };
  const isAddress = emailField.safeParse({ email: who }).success;
  const message = isAddress ? messages.nobody : messages.chooseSomebody;
  return { complaint: { field: "who", message }, nobody: isAddress };
}

/**
 * Enrolls this account and says what came of it.
 * @throws {Refused} for a course that is inactive or gone
 */
export async function enrollPerson(
  services: Services,
  { id: userId, name, productId }: { id: string; name: string; productId: string },
): Promise<Enrolled> {
  const isNew = await enrollByHand(services, { userId, productId, onlyActive: true });
  const { db } = services;
  const row = await db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "enrollments.createdAt", "products.title as course"])
    .where("enrollments.userId", "=", userId)
    .where("enrollments.productId", "=", productId)
    .executeTakeFirstOrThrow();
  const former = await db.read
    .selectFrom("formerEnrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .executeTakeFirst();
  return { ...row, isNew, name, isBack: former !== undefined };
}

/**
 * Opens a course to an account because somebody who looks after the site says so. Twice is once.
 * @returns whether it is new
 * @throws {Refused} for a course that is gone, or inactive where that matters
 */
export async function enrollByHand(
  services: Services,
  enrolling: { userId: string; productId: string; onlyActive: boolean },
): Promise<boolean> {
  const { db, clock } = services;
  const { userId, productId } = enrolling;
  const isNew = await db.transaction(async (trx) => {
    if (!(await enrollWithin(trx, { ...enrolling, now: clock.now() }))) return false;
    const { id, title } = await trx
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["enrollments.id", "products.title"])
      .where("enrollments.userId", "=", userId)
      .where("enrollments.productId", "=", productId)
      .executeTakeFirstOrThrow();
    const done = { id, label: title, personId: userId };
    await audit(trx, services, { action: "enrollment.created", ...done });
    return true;
  });
  if (isNew) services.wakeWorker();
  return isNew;
}

/**
 * Ends an enrollment by hand: she loses access at once, and what she wrote and completed stays
 * hers. No money moves.
 * @throws {Refused} not_found when there is none, or no longer
 */
export async function removeEnrollment(
  services: Services,
  { id, removedBy }: { id: string; removedBy: string },
): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const ended = await db.transaction(async (trx) => {
    const seat = await trx
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["enrollments.userId", "products.title"])
      .where("enrollments.id", "=", id)
      .executeTakeFirst();
    if (!(await endEnrollmentWithin(trx, id, { removedBy, now }))) return false;
    const done = { id, label: seat?.title, personId: seat?.userId };
    await audit(trx, services, { action: "enrollment.removed", ...done });
    return true;
  });
  if (!ended) throw new Refused("not_found", messages.alreadyRemoved);
}
