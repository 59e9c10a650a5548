import { routeTable } from "../../support/route-table.ts";

/** Every address of the admin that shows a page; what has no page ends in .ts. */
export const deskPages = routeTable
  .filter(({ pattern, file }) => /^\/admin(\/|$)/.test(pattern) && file.endsWith(".tsx"))
  .map(({ pattern }) => pattern);
