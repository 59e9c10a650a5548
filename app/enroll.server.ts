import type { RouterContextProvider } from "react-router";
import { leavingPath, leavingWords } from "./features/accounts/leaving/texts.ts";
import { authPath } from "./features/accounts/rules.ts";
import { findCourse } from "./features/courses/queries.server.ts";
import { afterEnroll, saleOf } from "./features/enrollments/rules.ts";
import { openedToast } from "./features/enrollments/texts.ts";
import { startCheckout } from "./features/payments/checkout/commands.server.ts";
import { findRefundNote } from "./features/payments/refunds/queries.server.ts";
import { messages } from "./features/payments/texts.ts";
import { servicesOf, sessionContext, timeZoneContext, viewerOf } from "./platform/http/context.ts";
import { reasonToShow } from "./platform/http/errors.ts";
import { redirectWithToast } from "./platform/http/flash.ts";

type Offered = {
  slug: string;
  priceCents: number | null;
  isEnrolled: boolean;
  isComingSoon?: boolean;
};

/**
 * The enroll button of a course's page (spec 2 and 8): on to the lessons, which a free course
 * opens at once, to signing in, or to the checkout; whose account is to be deleted decides about
 * that first. It is a plain form, so all of it works without scripts.
 */
export async function pressEnroll(
  context: Readonly<RouterContextProvider>,
  offered: Offered,
): Promise<Response> {
  const services = servicesOf(context);
  const viewer = viewerOf(context);
  if (context.get(sessionContext).leaving) {
    const choice = authPath(`/courses/${offered.slug}`, leavingPath);
    return redirectWithToast(choice, leavingWords.keepFirst);
  }
  const sale = saleOf(offered, services.stripe !== null);
  const led = afterEnroll({ ...offered, isSignedIn: viewer !== null, sale });
  if (led || !viewer) return redirectWithToast(led?.to ?? "/", led?.toast ?? null);
  try {
    const course = await findCourse(services, offered.slug);
    const buying = { buyer: viewer, productId: course?.id ?? "" };
    const { url, opened } = await startCheckout(services, buying);
    if (opened === null) return redirectWithToast(url, null);
    return redirectWithToast(`/courses/${offered.slug}/learn`, openedToast(opened));
  } catch (error) {
    const description = reasonToShow(services, error, messages.failed);
    return redirectWithToast(`/courses/${offered.slug}`, {
      title: messages.checkoutFailed,
      description,
      tone: "destructive",
    });
  }
}

/** What stands beside the button for whoever has paid, while she can have her money back. */
export async function refundNoteFor(
  context: Readonly<RouterContextProvider>,
  { slug, isEnrolled }: Pick<Offered, "slug" | "isEnrolled">,
): Promise<string | null> {
  const viewer = viewerOf(context);
  if (!viewer || !isEnrolled) return null;
  const timeZone = context.get(timeZoneContext);
  return findRefundNote(servicesOf(context), { userId: viewer.id, slug, timeZone });
}
