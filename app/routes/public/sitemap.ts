import { listCourseAddresses } from "~/features/courses/courses.server.ts";
import { dedicatedPages } from "~/features/courses/rules.ts";
import { listArchiveAddresses } from "~/features/newsletter-archive/archive.server.ts";
import { archivePath } from "~/features/newsletter-archive/rules.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { escapeHtml } from "~/platform/utils/html.ts";
import type { Route } from "./+types/sitemap.ts";

// Courses with a page of their own are listed even before they are active.
const pages = [
  "/",
  "/about",
  "/courses",
  ...dedicatedPages.map((slug) => `/courses/${slug}`),
  "/coaching",
  "/help",
];

/** The sitemap (sitemaps.org): what search engines may find, with the day of each change. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const changes = new Map<string, Date | null>(pages.map((path) => [path, null]));
  for (const { slug, updatedAt } of await listCourseAddresses(services))
    changes.set(`/courses/${slug}`, updatedAt);
  const issues = await listArchiveAddresses(services);
  if (issues.length > 0) changes.set(archivePath, null);
  for (const { path, updatedAt } of issues) changes.set(path, updatedAt);
  const urls = [...changes].map(([path, changed]) => {
    const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : "";
    return `<url><loc>${escapeHtml(new URL(services.config.appUrl + path).href)}</loc>${lastmod}</url>`;
  });
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
  return new Response(xml, {
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Cache-Control": "public, max-age=300",
      // Search engines read it, but must not list it.
      "X-Robots-Tag": "noindex",
    },
  });
}
