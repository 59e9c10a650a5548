import { authPath } from "~/features/auth/rules.ts";
import { formatPriceShort } from "~/features/courses/rules.ts";
import { enrollLabels, enrollmentMessages, invitationDays } from "./messages.ts";
import type { Enrolled } from "./schema.ts";

export type Lesson = {
  id: string;
  slug: string;
  title: string;
  dripDay: number;
  isLocked: boolean;
  isCompleted: boolean;
};

export type Module<L = Lesson> = { id: string; title: string; lessons: L[] };

/** 'Enroll Now - $197' (spec 2, Blue Dot course page); without a price where nothing is to be paid. */
export function enrollLabel(priceCents: number | null): string {
  if (!priceCents) return enrollLabels.enroll;
  return `${enrollLabels.enroll} - ${formatPriceShort(priceCents)}`;
}

/** How a course is sold: not at all, by checkout, or for free. */
export type Sale = "nowhere" | "checkout" | "free";

/** @param canSell whether money can be taken here at all */
export function saleOf(priceCents: number | null, canSell: boolean): Sale {
  if (priceCents === 0) return "free";
  return canSell ? "checkout" : "nowhere";
}

const dayMs = 24 * 3600 * 1000;

/** The moment at which a lesson opens for somebody who was enrolled then (spec 4, Lesson). */
export function opensAt(dripDay: number, enrolledAt: Date): Date {
  return new Date(enrolledAt.getTime() + dripDay * dayMs);
}

/** Where days count from then, every lesson is open. */
export const everyLessonOpen = new Date(0);

type Pressed = {
  slug: string;
  isSignedIn: boolean;
  isEnrolled: boolean;
  /** A form that was opened before the switch was turned must not sell. */
  isComingSoon: boolean;
  sale: Sale;
};

/** Where the enroll button leads, with which toast (spec 2, /courses/{slug}; spec 8, Checkout): to the
 * lessons, to sign-in, or back to the page while nothing is sold. Null: start the checkout. */
export function afterEnroll({ slug, isSignedIn, isEnrolled, isComingSoon, sale }: Pressed) {
  const page = `/courses/${slug}`;
  if (isEnrolled) return { to: `${page}/learn`, toast: null };
  if (isComingSoon) return { to: page, toast: null };
  if (!isSignedIn) {
    const toast =
      sale === "checkout" ? enrollmentMessages.signInToBuy : enrollmentMessages.signInFirst;
    return { to: authPath(page), toast };
  }
  return sale === "nowhere" ? { to: page, toast: enrollmentMessages.comingSoon } : null;
}

export function enrolledToast({ isNew, isBack, name, course }: Enrolled, since: string) {
  if (!isNew)
    return {
      title: "Already enrolled",
      description: `${name} has been in “${course}” since ${since}. Nothing was changed.`,
      tone: "default" as const,
    };
  const description = isBack
    ? `${name} is back in “${course}”, with what was completed and written before. The days of its lessons count from today.`
    : `${name} can begin “${course}” now.`;
  return { ...enrollmentMessages.created, description };
}

const invitationDayMs = 24 * 3600_000;

/** When a link that is sent now stops working. */
export function expiryOf(sentAt: Date): Date {
  return new Date(sentAt.getTime() + invitationDays * invitationDayMs);
}

/** When the email was written whose link stops working then. */
export function sentAtOf(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - invitationDays * invitationDayMs);
}

export function invitationState(
  invitation: { acceptedAt: Date | null; withdrawnAt: Date | null; expiresAt: Date },
  now: Date,
): "open" | "used" | "withdrawn" | "expired" {
  if (invitation.acceptedAt) return "used";
  if (invitation.withdrawnAt) return "withdrawn";
  return invitation.expiresAt.getTime() <= now.getTime() ? "expired" : "open";
}

type Invited = {
  email: string;
  enrolled: Enrolled | null;
  since: string;
  toFiles: boolean;
};

export function invitedToast({ email, enrolled, since, toFiles }: Invited) {
  if (!enrolled) {
    const how = toFiles
      ? `Nothing went to ${email}: no mail server is set up.`
      : `Email sent to ${email}.`;
    return {
      title: toFiles ? "Invitation written to a file" : "Invitation sent",
      description: `${how} Its link works for ${invitationDays} days.`,
      tone: "success" as const,
    };
  }
  const toast = enrolledToast(enrolled, since);
  if (!enrolled.isNew) return toast;
  return {
    ...toast,
    description: `${email} has an account already, so no invitation was needed. ${toast.description}`,
  };
}

/** What of a course is open at some moment, and when the rest of it opens. */
export type CourseSchedule = {
  lessons: number;
  open: number;
  /** When the next locked lesson opens, and the last of all; null when none is locked. */
  next: Date | null;
  last: Date | null;
};

/** How a course opens for somebody, from the drip days of its lessons. */
export function openingOf(
  dripDays: readonly number[],
  enrolledAt: Date,
  now: Date,
): CourseSchedule {
  // A lesson of day 0 is never locked, not even while the days are to count from a later one.
  const locked = dripDays
    .filter((day) => day > 0)
    .map((day) => opensAt(day, enrolledAt).getTime())
    .filter((time) => time > now.getTime());
  return {
    lessons: dripDays.length,
    open: dripDays.length - locked.length,
    next: locked.length > 0 ? new Date(Math.min(...locked)) : null,
    last: locked.length > 0 ? new Date(Math.max(...locked)) : null,
  };
}

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** {@link openingOf} in a sentence or two. `day` formats a date: 'Monday, November 23'. */
export function openingWords(opening: CourseSchedule, day: (date: Date) => string): string {
  const { lessons, open, next, last } = opening;
  if (lessons === 0)
    return "Its lessons are not there yet. You will find them in your course as soon as they are.";
  if (!next || !last)
    return lessons === 1 ? "Its lesson is open now." : "All of its lessons are open now.";
  const [first, final] = [day(next), day(last)];
  const now =
    open === 0
      ? ""
      : `${words[open] ?? open} ${open === 1 ? "lesson is" : "lessons are"} open now. `;
  const waiting = lessons - open;
  if (waiting === 1)
    return `${now}${open === 0 ? "Its lesson" : "The last one"} opens on ${first}.`;
  if (first === final)
    return `${now}${open === 0 ? "Its lessons" : "The others"} open on ${first}.`;
  return `${now}The ${open === 0 ? "first" : "next"} one opens on ${first}, the last on ${final}.`;
}
