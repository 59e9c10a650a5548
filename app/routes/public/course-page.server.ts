import type { RouterContextProvider } from "react-router";
import { deletionMessages, deletionPendingPath } from "~/features/accounts/messages.ts";
import { authPath } from "~/features/auth/rules.ts";
import type { Course } from "~/features/courses/schema.ts";
import { getOffer } from "~/features/enrollments/enrollments.server.ts";
import { enrollmentMessages, openedToast } from "~/features/enrollments/messages.ts";
import { afterEnroll, saleOf } from "~/features/enrollments/rules.ts";
import { coursePageWords } from "~/features/pages/page-words.server.ts";
import { startCheckout } from "~/features/payments/checkout.server.ts";
import { paymentMessages } from "~/features/payments/messages.ts";
import { findRefundNote } from "~/features/payments/payments.server.ts";
import { findPortrait } from "~/features/pictures/pictures.server.ts";
import {
  currentUser,
  incompleteContext,
  notFound,
  servicesOf,
  sessionContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import { reasonToShow, redirectWithToast } from "~/platform/http/flash.ts";

type Offered = {
  slug: string;
  /** Null where there is none, or none is offered. */
  course: Course | null;
  isEnrolled: boolean;
  isComingSoon: boolean;
};

/** The enroll button of a course's page (spec 2 and 8) leads to the lessons, which a free course
 * opens at once, to sign-in, or to the checkout; a user with a scheduled account deletion decides
 * about that first. It is a plain form, so all of it works without scripts. */
export async function pressEnroll(
  context: Readonly<RouterContextProvider>,
  offered: Offered,
): Promise<Response> {
  const services = servicesOf(context);
  const viewer = currentUser(context);
  if (context.get(sessionContext).pendingDeletion) {
    const choice = authPath(`/courses/${offered.slug}`, deletionPendingPath);
    return redirectWithToast(choice, deletionMessages.keepFirst);
  }
  const { course } = offered;
  const sale = saleOf(course?.priceCents ?? null, services.stripe !== null);
  const led = afterEnroll({ ...offered, isSignedIn: viewer !== null, sale });
  if (led || !viewer) return redirectWithToast(led?.to ?? "/", led?.toast ?? null);
  try {
    const { url, opened } = await startCheckout(services, { buyer: viewer, course });
    if (opened === null) return redirectWithToast(url, null);
    return redirectWithToast(`/courses/${offered.slug}/learn`, openedToast(opened));
  } catch (error) {
    const description = reasonToShow(services, error, paymentMessages.failed);
    return redirectWithToast(`/courses/${offered.slug}`, {
      title: paymentMessages.checkoutFailed,
      description,
      tone: "destructive",
    });
  }
}

/** The note beside the button for students who can still get a refund. */
export async function refundNoteFor(
  context: Readonly<RouterContextProvider>,
  { slug, isEnrolled }: Pick<Offered, "slug" | "isEnrolled">,
): Promise<string | null> {
  const viewer = currentUser(context);
  if (!viewer || !isEnrolled) return null;
  const timeZone = context.get(timeZoneContext);
  return findRefundNote(servicesOf(context), { userId: viewer.id, slug, timeZone });
}

type Args = { context: Readonly<RouterContextProvider> };

/** Loader for the page of an announced course: what it offers to the visitor. */
export const offerLoader =
  (slug: string) =>
  async ({ context, url }: Args & { url: URL }) => {
    const [services, viewer] = [servicesOf(context), currentUser(context)];
    const offer = await getOffer(services, { slug, viewer });
    context.set(incompleteContext, offer.hasFailed);
    const page = await coursePageWords({ context, url }, { id: offer.productId, slug });
    if (!page.words) throw notFound(context);
    return {
      ...offer,
      ...page,
      words: page.words,
      refundNote: await refundNoteFor(context, offer),
    };
  };

/** Action of that page: its enroll button. */
export const enrollAction =
  (slug: string) =>
  async ({ context }: Args) => {
    const offer = await getOffer(servicesOf(context), { slug, viewer: currentUser(context) });
    if (offer.hasFailed) return redirectWithToast(`/courses/${slug}`, enrollmentMessages.failed);
    return pressEnroll(context, offer);
  };

/** The coach's portrait; without it, pages show a drawing. */
export async function findPortraitOrNone(context: Args["context"]) {
  const services = servicesOf(context);
  try {
    return await findPortrait(services, "");
  } catch (error) {
    services.log.error({ err: error }, "the portrait could not be read");
    context.set(incompleteContext, true);
    return null;
  }
}
