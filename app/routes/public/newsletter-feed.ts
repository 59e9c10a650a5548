import { archiveFeed } from "~/features/newsletter-archive/feed.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import type { Route } from "./+types/newsletter-feed.ts";

export const handle = { shared: true } satisfies RouteHandle;

/** The newest issues of the archive, as Atom. */
export async function loader({ context }: Route.LoaderArgs) {
  return new Response(await archiveFeed(servicesOf(context)), {
    headers: {
      "Content-Type": "application/atom+xml; charset=utf-8",
      // Search engines find the pages; the feed is not one.
      "X-Robots-Tag": "noindex",
    },
  });
}
