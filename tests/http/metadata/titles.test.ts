import { expect, test } from "vitest";
import { pageTitle } from "~content/site.ts";
import { openEveryPage, pagesApart } from "../../support/every-page.ts";
import { site as facts } from "../../support/first-edition.ts";
import { headOf } from "../../support/head.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { routeTable } from "../../support/route-table.ts";

const site = openForTests(openEveryPage);

/** What several addresses may say, since they say the same: there is nothing else to see there. */
const shared = ["Page Not Found", "This link does not work", "This link no longer works"].map(
  (title) => pageTitle(facts, title),
);

test("titles: no two routes share one, so that tabs and histories tell pages apart", async () => {
  const routes = new Map<string, Set<string>>();
  for (const { pattern, path, as } of site.pages) {
    const response = await site.ask(path, { as });
    expect(response.headers.get("location"), `${path} leads on`).toBeNull();
    const { titles } = headOf(await response.text());
    expect(titles, path).toHaveLength(1);
    for (const title of titles)
      if (!shared.includes(title)) routes.set(title, (routes.get(title) ?? new Set()).add(pattern));
  }
  const alike = [...routes].filter(([, patterns]) => patterns.size > 1);
  expect(alike.map(([title, patterns]) => [title, ...patterns])).toEqual([]);
});

test("every page: each route with a page of its own is among them", () => {
  const seen = new Set([...site.pages.map(({ pattern }) => pattern), ...pagesApart]);
  const pages = routeTable.filter(({ file }) => file.endsWith(".tsx"));
  expect(pages.map(({ pattern }) => pattern).filter((pattern) => !seen.has(pattern))).toEqual([]);
});
