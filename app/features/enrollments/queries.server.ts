import { findCourse } from "~/features/courses/queries.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { few } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/services.ts";
import { site } from "~content/site.ts";
import type { Offer } from "./schema.ts";

/** Since when somebody is enrolled in a course, or null. */
export async function findEnrollment(
  { db }: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<{ id: string; createdAt: Date } | null> {
  const row = await db.read
    .selectFrom("enrollments")
    .select(["id", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether so few are enrolled in a course that a list may fetch them all to put them in order. */
export async function hasFew(db: Query, productId: string): Promise<boolean> {
  const oneMore = await db
    .selectFrom("enrollments")
    .select("id")
    .where("productId", "=", productId)
    .orderBy("createdAt")
    .orderBy("id")
    .offset(few)
    .limit(1)
    .executeTakeFirst();
  return oneMore === undefined;
}

/**
 * What the page of a course offers. The page stands whatever happens: a course that is missing
 * or inactive, or a database that fails, is logged (spec 8) and leaves it without a price, in
 * coming-soon mode. Whoever is enrolled keeps her way in, also while the course is inactive.
 */
export async function getOffer(
  services: Services,
  { slug, viewer }: { slug: string; viewer: { id: string } | null },
): Promise<Offer> {
  const nothing = { slug, priceCents: null, isComingSoon: true, isEnrolled: false };
  try {
    const course = await findCourse(services, slug);
    if (!course?.active) services.log.warn({ slug }, "a course page has no active course");
    if (!course) return { ...nothing, hasFailed: false };
    const productId = course.id;
    const seat = viewer && (await findEnrollment(services, { userId: viewer.id, productId }));
    const sells = course.active && !isComingSoon(services, slug);
    return {
      slug,
      priceCents: course.active ? course.priceCents : null,
      isComingSoon: !sells,
      isEnrolled: seat !== null,
      hasFailed: false,
    };
  } catch (error) {
    services.log.error({ err: error, slug }, "the course of a page could not be read");
    return { ...nothing, hasFailed: true };
  }
}

/** Whether a course is only announced: the switch of content/site.ts, unless COMING_SOON says otherwise. */
export function isComingSoon({ config }: Services, slug: string): boolean {
  const pages: Record<string, boolean> = site.comingSoon;
  return config.comingSoon?.includes(slug) ?? pages[slug] ?? false;
}
