import { servicesOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/robots.ts";

/** Everything that is a page may be crawled. Pages that search engines must not index say so
 * themselves: a crawler that may not fetch one would never learn it. */
export function loader({ context }: Route.LoaderArgs) {
  const lines = [
    "User-agent: *",
    "Allow: /",
    ...["/api/", "/media/", "/uploads", "/healthz"].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${servicesOf(context).config.appUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}
