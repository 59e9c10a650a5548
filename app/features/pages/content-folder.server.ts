import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { CommandError } from "~/platform/utils/errors.ts";
import type { Content } from "~content/fields.ts";
import { contentFileName, readContentFile, writeContentFile } from "./content-files.server.ts";
import {
  type EditedPage,
  getEditedPage,
  getPublishedContent,
  listEditedPages,
  publishedNumber,
} from "./pages.server.ts";
import { publishContent } from "./publish.server.ts";
import { problemsOf, renderPage } from "./words.server.ts";

/* All public words as a folder that fits into git, in the format of content/pages. */

/** In bytes; the longest page that can be written has some 800,000 characters. */
const largestFile = 4 * 1024 * 1024;

async function filesOf(services: Services): Promise<Map<string, EditedPage>> {
  const { pages, courses } = await listEditedPages(services, "UTC");
  const files = new Map<string, EditedPage>();
  for (const { name } of [...pages, ...courses]) {
    const page = await getEditedPage(services, name);
    const slug = page.path?.split("/").at(-1);
    files.set(contentFileName(page.kind, page.kind === "course" ? slug : page.kind), page);
  }
  return files;
}

/** Writes the published words of every page into a folder; files of other names stay as they are.
 * @returns how many files there are */
export async function exportContent(services: Services, folder: string): Promise<number> {
  const files = await filesOf(services);
  await mkdir(folder, { recursive: true });
  for (const [file, page] of files) {
    const { content } = await getPublishedContent(services, page);
    await writeFile(path.join(folder, file), writeContentFile(page.kind, content));
  }
  return files.size;
}

type Read = { page: EditedPage; number: number; content: Content };

/** Publishes the words of a folder: of all pages that it has files of, or of none.
 * @returns the names of the pages that were changed
 * @throws {CommandError} with a line for each mistake, naming its file */
export async function importContent(services: Services, folder: string): Promise<string[]> {
  const known = await filesOf(services);
  const names = (await readdir(folder)).filter((name) => /\.(md|yaml)$/.test(name)).sort();
  if (names.length === 0) throw new CommandError(`${folder}: there is no file of a page in it`);
  const mistakes: string[] = [];
  const changed: Read[] = [];
  for (const file of names) {
    const read = await readOne(services, known.get(file), path.join(folder, file));
    if (typeof read === "string") mistakes.push(read);
    else if (read) changed.push(read);
  }
  if (mistakes.length > 0) throw new CommandError(`${mistakes.join("\n")}\nNothing was published.`);
  const ready: (Read & { shown: Content })[] = [];
  for (const one of changed)
    ready.push({ ...one, shown: await renderPage(services.db.read, one.page.kind, one.content) });
  await services.db.transaction(async (trx) => {
    for (const { page, number, content, shown } of ready) {
      await lockId(services.db, trx, page.subject);
      if ((await publishedNumber(trx, page.subject)) !== number)
        throw new CommandError(`${page.label} was published meanwhile. Nothing was changed here.`);
      await publishContent(trx, services, page, { content, shown });
    }
  });
  return changed.map(({ page }) => page.label);
}

/** Null where the page says this already; a text for what is wrong with the file. */
async function readOne(
  services: Services,
  page: EditedPage | undefined,
  file: string,
): Promise<Read | string | null> {
  if (!page) return `${file}: no page or course of this site has this name`;
  if ((await stat(file)).size > largestFile) return `${file}: is larger than a page can be`;
  try {
    const content = readContentFile(page.kind, await readFile(file, "utf8"), file);
    const problems = Object.entries(await problemsOf(services.db.read, page.kind, content));
    if (problems.length > 0)
      return problems.map(([field, problem]) => `${file}: ${field}: ${problem}`).join("\n");
    const { number, content: now } = await getPublishedContent(services, page);
    return isDeepStrictEqual(now, content) ? null : { page, number, content };
  } catch (error) {
    return (error as Error).message;
  }
}
