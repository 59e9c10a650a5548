import { authPath } from "~/features/accounts/rules.ts";
import { formatPriceShort } from "~/features/courses/rules.ts";
import { labels, messages } from "./texts.ts";

/** 'Enroll Now - $197' (spec 2, Blue Dot course page); without a price where there is none. */
export function enrollLabel(priceCents: number | null): string {
  if (priceCents === null) return labels.enroll;
  return `${labels.enroll} - ${formatPriceShort(priceCents)}`;
}

type Pressed = {
  slug: string;
  isSignedIn: boolean;
  isEnrolled: boolean;
  /** A form kept open since before the switch was turned must not sell. */
  isComingSoon?: boolean;
};

/**
 * Where the enroll button leads, and what is said there (spec 2, /courses/{slug}): to the
 * lessons, back to the page while nothing is sold, to signing in, or to the notice whose place
 * a checkout takes.
 */
export function afterEnroll({ slug, isSignedIn, isEnrolled, isComingSoon = false }: Pressed) {
  const page = `/courses/${slug}`;
  if (isEnrolled) return { to: `${page}/learn`, toast: null };
  if (isComingSoon) return { to: page, toast: null };
  if (!isSignedIn) return { to: authPath(page), toast: messages.signInFirst };
  return { to: page, toast: messages.comingSoon };
}
