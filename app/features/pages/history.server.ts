import { countUpTo, keysetPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { marked } from "./differences.server.ts";
import { type EditedPage, findVersionContent, getPublishedContent } from "./pages.server.ts";
import { fieldsOf } from "./rules.ts";

const order = {
  column: "versions.number",
  id: "versions.id",
  direction: "desc",
  kind: "number",
} as const;

/** The versions of a page that were published, newest first. */
export async function listVersions(
  { db }: Services,
  { subject }: EditedPage,
  { cursor, limit, timeZone }: { cursor: string | null; limit: number; timeZone: string },
) {
  const query = db.read
    .selectFrom("versions")
    .leftJoin("profiles", "profiles.id", "versions.authorId")
    .select(["versions.id", "versions.number", "versions.createdAt", "profiles.name as who"])
    .select("versions.number as sortValue")
    .where("versions.subject", "=", subject);
  const { rows, ...pages } = await keysetPage(query, order, { cursor, limit });
  return {
    ...pages,
    total: await countUpTo(db.read, query),
    versions: rows.map(({ number, who, createdAt }) => ({
      number,
      who: who ?? "Somebody without an account now",
      when: dateAndTime(createdAt, timeZone),
    })),
  };
}

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
