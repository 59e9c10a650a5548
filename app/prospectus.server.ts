import type { RouterContextProvider } from "react-router";
import { getOffer } from "./features/enrollments/queries.server.ts";
import { afterEnroll } from "./features/enrollments/rules.ts";
import { messages } from "./features/enrollments/texts.ts";
import { incompleteContext, servicesOf, viewerOf } from "./platform/http/context.ts";
import { redirectWithToast } from "./platform/http/flash.ts";

type Args = { context: Readonly<RouterContextProvider> };

/** What the page of an announced course loads: what it offers to whoever looks at it. */
export const offerLoader =
  (slug: string) =>
  async ({ context }: Args) => {
    const offer = await getOffer(servicesOf(context), { slug, viewer: viewerOf(context) });
    context.set(incompleteContext, offer.hasFailed);
    return offer;
  };

/** Its button. */
export const enrollAction =
  (slug: string) =>
  async ({ context }: Args) => {
    const viewer = viewerOf(context);
    const offer = await getOffer(servicesOf(context), { slug, viewer });
    if (offer.hasFailed) return redirectWithToast(`/courses/${slug}`, messages.failed);
    const { to, toast } = afterEnroll({ ...offer, isSignedIn: viewer !== null });
    return redirectWithToast(to, toast);
  };
