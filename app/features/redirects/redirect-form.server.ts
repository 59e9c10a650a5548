import { countOf } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { ignoreLostPage } from "./lost-pages.server.ts";
import {
  alreadyLeads,
  belongsToSite,
  elsewhere,
  fromProblems,
  noPageThere,
  pageThere,
  redirectMessages,
  samePlace,
  targetPages,
  targetProblems,
  tooMany,
} from "./messages.ts";
import { findPages, type PatternOf } from "./redirect-lines.server.ts";
import { removeRedirect, saveRedirect } from "./redirects.server.ts";
import {
  mostRedirects,
  readAddress,
  reservedPart,
  shownPath,
  unchosen,
  type Way,
} from "./rules.ts";

/** As typed; `page` is one of the listed pages, or '' for what is typed as `other`. */
export type TypedRedirect = { from: string; page: string; other: string };
export type RedirectField = keyof TypedRedirect;
type Problem = { field: RedirectField; message: string };
export type RedirectFormError = { fieldError: Problem; typed: TypedRedirect };

type Checked = Services & { patternOf: PatternOf };

/** What the form of a stored one begins with. */
export function typedRedirect(
  { fromPath, target }: Way,
  courses: readonly { slug: string }[],
): TypedRedirect {
  const listed = [
    ...targetPages.map(([path]) => path as string),
    ...courses.map(({ slug }) => `/courses/${slug}`),
  ];
  const [page, other] = listed.includes(target) ? [target, ""] : ["", target];
  return { from: shownPath(fromPath), page, other };
}

/** Saves an old address from its form. @returns the first problem, or what was saved
 * @throws {Refused} not_found */
export async function saveRedirectForm(
  services: Services,
  form: { id: string | null; typed: TypedRedirect; patternOf: PatternOf },
): Promise<RedirectFormError | { saved: Way }> {
  const { id, typed, patternOf } = form;
  const asked = { ...services, patternOf };
  const refuse = (field: RedirectField, message: string) => ({
    fieldError: { field, message },
    typed,
  });
  const from = await checkFrom(asked, typed.from);
  if ("problem" in from) return refuse("from", from.problem);
  const page = typed.page === unchosen ? "" : typed.page;
  const field = typed.page ? "page" : "other";
  const target = await checkTarget(asked, page || typed.other);
  if ("problem" in target) return refuse(field, target.problem);
  const saved = { fromPath: from.path, target: target.address };
  if (saved.fromPath === saved.target) return refuse(field, samePlace);
  const taken = await findTaken(services, { id, fromPath: saved.fromPath });
  if (taken !== null && (id !== null || taken !== saved.target))
    return refuse("from", alreadyLeads(shownPath(taken)));
  const isNew = id === null && taken === null;
  if (isNew && (await countOf(services.db.read.selectFrom("redirects"))) >= mostRedirects)
    return refuse("from", tooMany);
  try {
    await saveRedirect(services, { id, ...saved });
    return { saved };
  } catch (error) {
    if (isDuplicate(error)) return refuse("from", alreadyLeads(shownPath(saved.target)));
    throw error;
  }
}

async function checkFrom(
  services: Checked,
  typed: string,
): Promise<{ path: string } | { problem: string }> {
  const read = readAddress(typed, originOf(services));
  if ("problem" in read) return { problem: fromProblems[read.problem] };
  if ("url" in read) return { problem: elsewhere };
  const part = reservedPart(read.path);
  if (part) return { problem: belongsToSite(part) };
  return (await isPage(services, read.path)) ? { problem: pageThere } : read;
}

async function checkTarget(
  services: Checked,
  typed: string,
): Promise<{ address: string } | { problem: string }> {
  const read = readAddress(typed, originOf(services));
  if ("problem" in read) return { problem: targetProblems[read.problem] };
  if ("url" in read) return { address: read.url };
  const { path } = read;
  const part = reservedPart(path);
  if (part && !open.has(path)) return { problem: belongsToSite(part) };
  return (await isPage(services, path)) ? { address: path } : { problem: noPageThere(path) };
}

// Parts of the site that have a first page for everybody.
const open = new Set(["/account", "/auth", "/my-courses"]);

const originOf = ({ config }: Services) => new URL(config.appUrl).origin;

async function isPage(services: Checked, path: string): Promise<boolean> {
  const { patternOf } = services;
  return (await findPages(services, { paths: [path], patternOf })).has(path);
}

async function findTaken(
  { db }: Services,
  { id, fromPath }: { id: string | null; fromPath: string },
): Promise<string | null> {
  const found = await db.read
    .selectFrom("redirects")
    .select(["id", "target"])
    .where("fromPath", "=", fromPath)
    .executeTakeFirst();
  return found && found.id !== id ? found.target : null;
}

/** Does what a button of the two lists asks for, and answers with the list. */
export async function changeList(
  services: Services,
  { intent, id = "" }: Record<string, string | undefined>,
  here: string,
): Promise<Response> {
  const { removed, ignored, failed } = redirectMessages;
  try {
    if (intent === "remove") await removeRedirect(services, id);
    else if (intent === "ignore") await ignoreLostPage(services, id);
    else throw new Refused("invalid", failed);
    return redirectWithToast(here, intent === "remove" ? removed : ignored);
  } catch (error) {
    return redirectWithToast(here, failure(services, error, failed).toast);
  }
}
