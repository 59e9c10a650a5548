import { authPath } from "~/features/accounts/rules.ts";
import { formatPriceShort } from "~/features/courses/rules.ts";
import { labels, messages } from "./texts.ts";

/** 'Enroll Now - $197' (spec 2, Blue Dot course page); without a price where nothing is to be paid. */
export function enrollLabel(priceCents: number | null): string {
  if (!priceCents) return labels.enroll;
  return `${labels.enroll} - ${formatPriceShort(priceCents)}`;
}

/** How a course is to be had: nobody sells it yet, it has a price that is paid by checkout, or none. */
export type Sale = "nowhere" | "checkout" | "free";

/** @param canSell whether money can be taken here at all */
export function saleOf({ priceCents }: { priceCents: number | null }, canSell: boolean): Sale {
  if (priceCents === 0) return "free";
  return canSell ? "checkout" : "nowhere";
}

const dayMs = 24 * 3600 * 1000;

/** The moment at which a lesson opens for somebody who was enrolled then (spec 4, Lesson). */
export function opensAt(dripDay: number, enrolledAt: Date): Date {
  return new Date(enrolledAt.getTime() + dripDay * dayMs);
}

type Pressed = {
  slug: string;
  isSignedIn: boolean;
  isEnrolled: boolean;
  /** A form kept open since before the switch was turned must not sell. */
  isComingSoon?: boolean;
  sale: Sale;
};

/**
 * Where the enroll button leads, and what is said there (spec 2, /courses/{slug}; spec 8,
 * Checkout): to the lessons, back to the page while nothing is sold, to signing in, or to the
 * notice in the place of a checkout. Null: the course is to be bought now.
 */
export function afterEnroll({ slug, isSignedIn, isEnrolled, isComingSoon = false, sale }: Pressed) {
  const page = `/courses/${slug}`;
  if (isEnrolled) return { to: `${page}/learn`, toast: null };
  if (isComingSoon) return { to: page, toast: null };
  if (!isSignedIn) {
    const toast = sale === "checkout" ? messages.signInToBuy : messages.signInFirst;
    return { to: authPath(page), toast };
  }
  return sale === "nowhere" ? { to: page, toast: messages.comingSoon } : null;
}
