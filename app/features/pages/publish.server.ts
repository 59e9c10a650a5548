import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { keepPictures } from "~/features/pictures/pictures.server.ts";
import { requestShareCard } from "~/features/share-cards/share-cards.server.ts";
import { addVersion } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  type Content,
  type Field,
  type ListField,
  pageFields,
  type Site,
} from "~content/fields.ts";
import { deleteDrafts, listPageDrafts } from "./drafts.server.ts";
import { pageMessages } from "./messages.ts";
import { withNames } from "./names.server.ts";
import {
  type EditedPage,
  findVersionContent,
  getPublishedContent,
  publishedNumber,
} from "./pages.server.ts";
import { currentPages } from "./published.server.ts";
import { kindOf } from "./rules.ts";
import type { FieldValue, PageChange, ShownState } from "./schema.ts";
import { drawingOf, shareCardOf } from "./share-card.ts";
import { problemsOf, renderPage } from "./words.server.ts";

type SeenField = SeenDraft & { field: string };

/** What the drafts of a page would change. */
export async function getPageChanges(services: Services, page: EditedPage) {
  const { db } = services;
  const [{ number, content }, drafts] = await Promise.all([
    getPublishedContent(services, page),
    listPageDrafts(db.write, page.subject),
  ]);
  const fields = pageFields[page.kind] as Record<string, Field | ListField>;
  const after: Content = { ...content };
  for (const { field, value } of drafts) if (field in fields) after[field] = trimmed(value);
  const problems = await problemsOf(db.read, page.kind, after);
  const changes: PageChange[] = Object.entries(fields)
    .filter(
      ([name]) => problems[name] || JSON.stringify(content[name]) !== JSON.stringify(after[name]),
    )
    .map(([name, { label }]) => ({
      ...{ field: name, label },
      ...{ before: content[name] ?? "", after: after[name] ?? "" },
      problem: problems[name] ?? null,
    }));
  const seen = drafts.map(({ field, id, revision }) => ({ field, id, revision }));
  return { number, content: after, changes, shown: { number, drafts: seen } satisfies ShownState };
}

function trimmed(value: FieldValue): FieldValue {
  const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();
  if (typeof value === "string") return plain(value);
  return value.map((item) =>
    Object.fromEntries(Object.entries(item).map(([part, text]) => [part, plain(text)])),
  );
}

/** The words of a page with its drafts, if these are the ones that were shown and can be published.
 * @throws {Refused} conflict, invalid */
export async function requireShown(
  services: Services,
  page: EditedPage,
  shown: ShownState,
): Promise<Content> {
  const { content, changes, ...now } = await getPageChanges(services, page);
  if (!isSame(now.shown, shown)) throw new Refused("conflict", pageMessages.notAsShown);
  if (changes.length === 0) throw new Refused("invalid", pageMessages.nothingToPublish);
  if (changes.some(({ problem }) => problem))
    throw new Refused("invalid", pageMessages.cannotPublish);
  return content;
}

/** Publishes the drafts of a page as they were shown.
 * @throws {Refused} conflict if the page or a draft has changed since, invalid for words that cannot be
 * published; {MarkdownRefused} */
export async function publishPage(
  services: Services,
  page: EditedPage,
  shown: ShownState,
): Promise<number> {
  const content = await requireShown(services, page, shown);
  const words = await renderPage(services.db.read, page.kind, content);
  const published = await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, page.subject);
    if ((await publishedNumber(trx, page.subject)) !== shown.number)
      throw new Refused("conflict", pageMessages.notAsShown);
    const number = await publishContent(trx, services, page, { content, shown: words });
    await deleteDrafts(trx, page.subject, shown.drafts);
    return number;
  });
  services.wakeWorker();
  return published;
}

const keyOf = ({ field, id, revision }: SeenField) => `${field}:${id}:${revision}`;

function isSame(one: ShownState, other: ShownState): boolean {
  const [a, b] = [one, other].map(({ drafts }) => drafts.map(keyOf).sort().join(" "));
  return one.number === other.number && a === b;
}

/** Publishes a version once more, as a new one; drafts stay.
 * @throws {Refused} not_found, conflict if another one was published since, invalid where what it says
 * can no longer be published */
export async function restoreVersion(
  services: Services,
  page: EditedPage,
  { number, current }: { number: number; current: number },
): Promise<number> {
  const content = await findVersionContent(services, page, number);
  if (!content) throw new Refused("not_found", pageMessages.noVersion);
  const problems = Object.values(await problemsOf(services.db.read, page.kind, content));
  if (problems.length > 0) throw new Refused("invalid", problems[0] ?? pageMessages.cannotPublish);
  const words = await renderPage(services.db.read, page.kind, content);
  const published = await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, page.subject);
    if ((await publishedNumber(trx, page.subject)) !== current)
      throw new Refused("conflict", pageMessages.notAsShown);
    return publishContent(trx, services, page, { content, shown: words });
  });
  services.wakeWorker();
  return published;
}

/** Makes a version the public one. In a transaction that holds the page's lock. */
export async function publishContent(
  trx: Query,
  services: Services,
  page: EditedPage,
  { content, shown }: { content: Content; shown: Content },
): Promise<number> {
  const { subject, name, label } = page;
  const version = { subject, content: JSON.stringify(content), shown: JSON.stringify(shown) };
  await keepPictures(trx, version.content);
  const number = await addVersion(trx, services, version);
  const updatedAt = services.clock.now();
  await trx
    .insertInto("pages")
    .values({ subject, number, updatedAt })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ number, updatedAt }))
    .execute();
  await requestPictures(trx, services, page, shown);
  await recordAudit(trx, services, { action: "page.published", id: name, label });
  return number;
}

/** Has the share picture drawn of the words that are published now; of every page, where it is the
 * names that have changed. */
async function requestPictures(
  trx: Query,
  services: Services,
  page: EditedPage,
  shown: Content,
): Promise<void> {
  const { content } = services;
  const site = page.kind === "site" ? (shown as Site) : content.site;
  const request = async (subject: string, words: Content, slug?: string) => {
    const name = subject.replace(/^page:/, "");
    const named = withNames(kindOf(subject), words, site);
    const card = shareCardOf(named, site, drawingOf(name, slug ?? name));
    if (card) await requestShareCard(trx, services, { page: name, card });
  };
  await request(page.subject, shown, page.path?.split("/").at(-1));
  const { name: brand, coachName } = content.site;
  if (page.kind !== "site" || (site.name === brand && site.coachName === coachName)) return;
  // In a release, some may be newer than what is in memory.
  const words = new Map(content.unnamed());
  for (const newest of await currentPages(trx))
    if (newest.shown) words.set(newest.subject, JSON.parse(newest.shown) as Content);
  for (const [subject, shown] of words) if (subject !== page.subject) await request(subject, shown);
}
