import { readFileSync } from "node:fs";
import path from "node:path";
import { contentFileName } from "~/features/pages/content-files.server.ts";
import { withNames } from "~/features/pages/names.server.ts";
import type { PageContent, PageKind } from "~content/fields.ts";
import { readPage } from "../../scripts/build/content.ts";
import { site as firstSite } from "../../scripts/build/first-site.ts";

/** The names and words of every page that a new site begins with. */
export const site = firstSite;

const folder = path.join(import.meta.dirname, "..", "..", "content", "pages");

/** A page of the first edition as it is shown; a course's by its address. */
export async function firstPage<Kind extends PageKind>(kind: Kind, name: string = kind) {
  const source = readFileSync(path.join(folder, contentFileName(kind, name)), "utf8");
  const { shown } = await readPage(name, source);
  return withNames(kind, shown, site) as PageContent<Kind>;
}
