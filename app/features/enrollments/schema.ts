import { z } from "zod";
import { emailField, signUpFields } from "~/features/auth/schema.ts";
import type { Course } from "~/features/courses/schema.ts";
import { type InvalidInvitationReason, invitationMessages } from "./messages.ts";

/** Enqueued for an enrollment in a course that sends its lessons; lesson-emails sends it. */
export const courseBegun = {
  kind: "learning.first-lessons",
  payload: z.object({ userId: z.string(), productId: z.string() }),
};

/** How an enrollment without a payment came about. */
export const enrollmentWays = ["manual", "invitation", "free"] as const;
export type EnrollmentWay = (typeof enrollmentWays)[number];

/** What a course's page offers to its visitor (spec 2, Blue Dot course page and 7 Days of Calm page). */
export type Offer = {
  slug: string;
  /** Of the course at this address, active or not. */
  productId: string | null;
  /** Null where there is nothing to be sold: no active course, or no database. */
  course: Course | null;
  /** 'Coming Soon' instead of 'Enroll Now'. */
  isComingSoon: boolean;
  isEnrolled: boolean;
  /** The database did not answer: the page is incomplete and not cached. */
  hasFailed: boolean;
};

export type Enrolled = {
  id: string;
  /** False: it was there before, since `createdAt`. */
  isNew: boolean;
  createdAt: Date;
  /** They were enrolled here before, and removed. */
  isBack: boolean;
  name: string;
  course: string;
};

/** The form of an invitation. The order of the fields is the order of the messages. */
export const invitationFields = z.object({
  productId: z
    .string({ error: invitationMessages.incomplete })
    .min(1, invitationMessages.incomplete),
  email: z
    .string({ error: invitationMessages.incomplete })
    .trim()
    .min(1, invitationMessages.incomplete)
    .pipe(emailField.shape.email)
    .transform((email) => email.toLowerCase()),
  name: z
    .string()
    .trim()
    .max(100, "Name must be less than 100 characters")
    .transform((name) => name || null)
    .nullish()
    .transform((name) => name ?? null),
});

/** What somebody without an account fills in: the rules of signing up, without the address. */
export const acceptanceFields = signUpFields.pick({ name: true, password: true });

export type OpenInvitation = {
  id: string;
  email: string;
  name: string | null;
  productId: string;
  course: string;
  slug: string;
  /** The confirmed account of the address, to which its owner can sign in. */
  accountId: string | null;
};

/** What a link is: good, or why it is not. Of a used one, whose it was and where it led. */
export type FoundInvitation =
  | { state: "open"; invitation: OpenInvitation }
  | { state: "used"; email: string; slug: string }
  | { state: Exclude<InvalidInvitationReason, "used"> };
