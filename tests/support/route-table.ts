import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../app/routes.ts";

/** Every address of app/routes.ts ('/courses/:slug') and the file behind it, below app/. */
export const routeTable = flat(routes);

/** Every address of the admin area that shows a page; what has no page ends in .ts. */
export const adminPages = routeTable
  .filter(({ pattern, file }) => /^\/admin(\/|$)/.test(pattern) && file.endsWith(".tsx"))
  .map(({ pattern }) => pattern);

function flat(
  entries: readonly RouteConfigEntry[],
  above = "",
): { pattern: string; file: string }[] {
  return entries.flatMap(({ path, index, file, children = [] }) => {
    const pattern = path && path !== "/" ? `${above}/${path}` : above;
    // A layout is around addresses, and has none of its own.
    const own = path || index ? [{ pattern: pattern || "/", file }] : [];
    return [...own, ...flat(children, pattern)];
  });
}
