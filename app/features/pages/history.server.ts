import type { Services } from "~/platform/http/services.ts";
import { marked } from "./differences.server.ts";
import { type EditedPage, findVersionContent, getPublishedContent } from "./pages.server.ts";
import { fieldsOf } from "./rules.ts";

/** How an older version differs from what is public, as if it were published now; null where there is
 * no such version. */
export async function compareVersion(services: Services, page: EditedPage, number: number) {
  const [published, older] = await Promise.all([
    getPublishedContent(services, page),
    findVersionContent(services, page, number),
  ]);
  if (!older) return null;
  const fields = fieldsOf(page.kind);
  const changes = Object.entries(fields)
    .map(([field, { label }]) => ({
      ...{ field, label, problem: null },
      ...{ before: published.content[field] ?? "", after: older[field] ?? "" },
    }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map((change) => marked(page.kind, change));
  const title = number === 0 ? "First edition" : `Version ${number}`;
  return { number, title, current: published.number, changes };
}
