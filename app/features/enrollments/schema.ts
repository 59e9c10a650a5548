import { z } from "zod";

/**
 * What is written into the outbox when somebody is enrolled in a course that sends its lessons by
 * mail; the letter itself is learning's.
 */
export const courseBegun = {
  kind: "learning.first-lessons",
  payload: z.object({ userId: z.string(), productId: z.string() }),
};

/**
 * What a course with a page of its own offers to whoever looks at it (spec 2, Blue Dot course
 * page and 7 Days of Calm page).
 */
export type Offer = {
  slug: string;
  /** In US cents; null where there is nothing to be sold: no such course, or no database. */
  priceCents: number | null;
  /** 'Coming Soon' instead of 'Enroll Now'. */
  isComingSoon: boolean;
  isEnrolled: boolean;
  /** The database did not answer: the page is less than it should be, and not to be kept. */
  hasFailed: boolean;
};
