import type { RouterContextProvider } from "react-router";
import { pressEnroll, refundNoteFor } from "./enroll.server.ts";
import { getOffer } from "./features/enrollments/queries.server.ts";
import { messages } from "./features/enrollments/texts.ts";
import { incompleteContext, servicesOf, viewerOf } from "./platform/http/context.ts";
import { redirectWithToast } from "./platform/http/flash.ts";

type Args = { context: Readonly<RouterContextProvider> };

/** What the page of an announced course loads: what it offers to whoever looks at it. */
export const offerLoader =
  (slug: string) =>
  async ({ context }: Args) => {
    const [services, viewer] = [servicesOf(context), viewerOf(context)];
    const offer = await getOffer(services, { slug, viewer });
    context.set(incompleteContext, offer.hasFailed);
    return { ...offer, refundNote: await refundNoteFor(context, offer) };
  };

/** Its button. */
export const enrollAction =
  (slug: string) =>
  async ({ context }: Args) => {
    const offer = await getOffer(servicesOf(context), { slug, viewer: viewerOf(context) });
    if (offer.hasFailed) return redirectWithToast(`/courses/${slug}`, messages.failed);
    return pressEnroll(context, offer);
  };
