import type { Services } from "~/platform/http/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { type LostPage, listLostPages } from "./lost-pages.server.ts";
import { listRedirects, type RedirectListParams } from "./redirects.server.ts";
import { shownPath } from "./rules.ts";

/** The pattern of the route at a path (platform/http/context.ts). */
export type PatternOf = (path: string) => string;

type Paths = { paths: readonly string[]; patternOf: PatternOf };

/** Which of these paths have a page on the site, that of a course among them. */
export async function findPages(
  { db }: Services,
  { paths, patternOf }: Paths,
): Promise<Set<string>> {
  const pages = new Set<string>();
  const bySlug = new Map<string, string[]>();
  for (const path of paths) {
    const pattern = patternOf(path);
    if (pattern === "/*" || pattern === "/404") continue;
    const slug = /^\/courses\/:slug(\/|$)/.test(pattern) ? path.split("/")[2] : undefined;
    if (slug === undefined) pages.add(path);
    else bySlug.set(slug, [...(bySlug.get(slug) ?? []), path]);
  }
  if (bySlug.size === 0) return pages;
  const courses = await db.read
    .selectFrom("products")
    .select("slug")
    .where("slug", "in", [...bySlug.keys()])
    .where("deletedAt", "is", null)
    .execute();
  for (const { slug } of courses) for (const path of bySlug.get(slug) ?? []) pages.add(path);
  return pages;
}

type Row = Awaited<ReturnType<typeof listRedirects>>["rows"][number];
export type RedirectLine = ReturnType<typeof lineOf>;

function lineOf(row: Row, pages: ReadonlySet<string>, timeZone: string) {
  const { id, fromPath, target, hits, createdAt } = row;
  const isOwn = target.startsWith("/");
  const remark = pages.has(fromPath)
    ? "Not used: there is a page at this address."
    : isOwn && !pages.has(target)
      ? "The page that it leads to is gone."
      : null;
  return {
    ...{ id, hits, remark },
    from: shownPath(fromPath),
    target: isOwn ? shownPath(target) : target,
    href: target,
    since: shortDate(createdAt, timeZone),
  };
}

export async function readRedirects(
  services: Services,
  params: RedirectListParams & { limit: number },
  { patternOf, timeZone }: { patternOf: PatternOf; timeZone: string },
) {
  const { rows, ...pages } = await listRedirects(services, params);
  const paths = rows.flatMap(({ fromPath, target }) =>
    target.startsWith("/") ? [fromPath, target] : [fromPath],
  );
  const there = await findPages(services, { paths, patternOf });
  return { ...pages, lines: rows.map((row) => lineOf(row, there, timeZone)) };
}

export type LostLine = ReturnType<typeof lostLine>;

function lostLine({ path, requests, lastDay }: LostPage) {
  // A day of the site's calendar, wherever the coach is.
  const last = shortDate(new Date(`${lastDay}T12:00:00Z`), "UTC");
  return { path, shown: shownPath(path), requests, last };
}

export async function readLostPages(
  services: Services,
  at: { cursor: string | null; limit: number },
) {
  const { rows, ...pages } = await listLostPages(services, at);
  return { ...pages, lines: rows.map(lostLine) };
}
