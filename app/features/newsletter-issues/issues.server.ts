import type { Selectable } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { lockIssue, setLastIssue } from "~/features/newsletter/welcome-series.server.ts";
import { addVersion, findVersion } from "~/features/versions/versions.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { type CountedPage, countUpTo, keysetPage, type Order } from "~/platform/db/keyset.ts";
import type { NewsletterIssuesTable } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { issueMessages } from "./messages.ts";
import { type IssueSave, type IssueWords, issueWords } from "./schema.ts";

export type Issue = Selectable<NewsletterIssuesTable>;

export const versionsOf = (id: string) => `issue:${id}`;

/** @throws {Refused} not_found */
export async function getIssue(db: Query, id: string): Promise<Issue> {
  const issue = await db
    .selectFrom("newsletterIssues")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  if (!issue) throw new Refused("not_found", issueMessages.notNow);
  return issue;
}

/** The issue, held until the transaction ends. @throws {Refused} not_found */
export async function holdIssue(services: Services, trx: Query, id: string): Promise<Issue> {
  await lockIssue(services, trx, id);
  return getIssue(trx, id);
}

/** Begins a draft, with the words of another issue or with none. @returns its id */
export async function createIssue(services: Services, like: string | null = null): Promise<string> {
  const { db, clock } = services;
  const { subject, preview, body } = like
    ? await getIssue(db.read, like)
    : { subject: "", preview: "", body: "" };
  const [id, now] = [newId(), clock.now()];
  const words = { subject, preview, body, html: "" };
  const times = { createdAt: now, updatedAt: now };
  await db.transaction(async (trx) => {
    await trx
      .insertInto("newsletterIssues")
      .values({
        ...{ id, draftId: newId(), ...words, ...times },
        ...{ state: "draft", segment: JSON.stringify({ kind: "all" }) },
      })
      .execute();
    await recordAudit(trx, services, { action: "newsletter.created", id, label: subject });
  });
  return id;
}

const versionMs = 10 * 60_000;

/** Saves what an editor has. Admins share the one draft, and an editor names the save that it started
 * from: another one since is never overwritten. Every ten minutes one becomes a version.
 * @throws {Refused} conflict, not_found */
export async function saveIssue(
  services: Services,
  id: string,
  { draftId, revision, absorbed, subject, preview, body }: Omit<IssueSave, "userId">,
): Promise<void> {
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    const stored = await holdIssue(services, trx, id);
    if (stored.state !== "draft") throw new Refused("conflict", issueMessages.notDraft);
    const isOwn = stored.draftId === draftId;
    // A late save of this editor changes nothing.
    if (isOwn && stored.revision >= revision) return;
    if (!isOwn && !absorbed.some((seen) => isSame(seen, stored)))
      throw new Refused("conflict", issueMessages.changedElsewhere);
    const now = clock.now();
    await trx
      .updateTable("newsletterIssues")
      .set({ draftId, revision, subject, preview, body, updatedAt: now })
      .where("id", "=", id)
      .execute();
    const recent = trx
      .selectFrom("versions")
      .where("subject", "=", versionsOf(id))
      .where("createdAt", ">", new Date(now.getTime() - versionMs));
    if (!(await isAny(recent))) await addIssueVersion(trx, services, id, stored);
  });
}

const isSame = (seen: SeenDraft, { draftId, revision }: Issue) =>
  seen.id === draftId && seen.revision === revision;

export async function addIssueVersion(
  trx: Query,
  services: Services,
  id: string,
  { subject, preview, body }: IssueWords,
): Promise<void> {
  const newest = await trx
    .selectFrom("versions")
    .select("content")
    .where("subject", "=", versionsOf(id))
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const content = JSON.stringify({ subject, preview, body });
  if (newest?.content === content || `${subject}${preview}${body}` === "") return;
  await addVersion(trx, services, { subject: versionsOf(id), content });
}

/** The words of a version; null where there is none of this number. */
export async function findIssueVersion(db: Query, id: string, number: number) {
  const found = await findVersion(db, versionsOf(id), number);
  if (!found) return null;
  const { content, ...about } = found;
  return { ...about, words: issueWords.parse(JSON.parse(content)) };
}

/** Brings the words of a version back into the draft; what was there becomes a version.
 * @throws {Refused} not_found, conflict */
export async function restoreIssueVersion(
  services: Services,
  id: string,
  number: number,
): Promise<void> {
  await services.db.transaction(async (trx) => {
    const stored = await holdIssue(services, trx, id);
    const version = await findIssueVersion(trx, id, number);
    if (!version) throw new Refused("not_found", issueMessages.notNow);
    if (stored.state !== "draft") throw new Refused("conflict", issueMessages.notDraft);
    await addIssueVersion(trx, services, id, stored);
    const save = { draftId: newId(), revision: 0, updatedAt: services.clock.now() };
    await trx
      .updateTable("newsletterIssues")
      .set({ ...version.words, ...save })
      .where("id", "=", id)
      .execute();
    await addIssueVersion(trx, services, id, version.words);
    const { subject: label } = version.words;
    await recordAudit(trx, services, { action: "newsletter.restored", id, label });
  });
}

/** Deletes a draft with its versions; what was sent stays. @throws {Refused} conflict, not_found */
export async function deleteIssue(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    const { state, subject: label } = await holdIssue(services, trx, id);
    if (state !== "draft") throw new Refused("conflict", issueMessages.notNow);
    await trx.deleteFrom("newsletterIssues").where("id", "=", id).execute();
    await trx.deleteFrom("versions").where("subject", "=", versionsOf(id)).execute();
    await recordAudit(trx, services, { action: "newsletter.deleted", id, label });
  });
}

/** Shows an issue that was sent in the archive, or hides it; of the welcome series, none is there.
 * @throws {Refused} not_found, conflict */
export async function showInArchive(services: Services, id: string, inArchive: boolean) {
  await services.db.transaction(async (trx) => {
    const { subject: label, welcomeDay } = await holdIssue(services, trx, id);
    if (welcomeDay !== null) throw new Refused("conflict", issueMessages.notNow);
    const change = { inArchive, updatedAt: services.clock.now() };
    await trx.updateTable("newsletterIssues").set(change).where("id", "=", id).execute();
    const action = inArchive ? "newsletter.shown" : "newsletter.hidden";
    await recordAudit(trx, services, { action, id, label });
  });
}

const order: Order = {
  column: "newsletterIssues.createdAt",
  id: "newsletterIssues.id",
  direction: "desc",
};

const listed = [
  ...(["id", "subject", "state", "stoppedBecause", "dueAt", "startedAt", "finishedAt"] as const),
  ...([
    "updatedAt",
    "recipients",
    "sent",
    "refused",
    "doubtful",
    "leftAfter",
    "slug",
    "welcomeDay",
  ] as const),
] as const;

export type ListedIssue = Pick<Issue, (typeof listed)[number]>;

/** Changes whether new readers get the last issue when they confirm. */
export async function changeLastIssue(services: Services, isGiven: boolean): Promise<void> {
  await services.db.transaction(async (trx) => {
    const isChanged = await setLastIssue(trx, isGiven, services.clock.now());
    const action = isGiven ? "newsletter.last-issue-on" : "newsletter.last-issue-off";
    if (isChanged) await recordAudit(trx, services, { action });
  });
}

/** Issues, the newest first. */
export async function listIssues(
  { db }: Pick<Services, "db">,
  at: { cursor: string | null; limit: number },
): Promise<CountedPage<ListedIssue>> {
  const query = db.read
    .selectFrom("newsletterIssues")
    .select(listed)
    .select("newsletterIssues.createdAt as sortValue");
  const { rows, ...page } = await keysetPage(query, order, at);
  return {
    ...page,
    total: await countUpTo(db.read, query),
    rows: rows.map(({ sortValue: _, ...issue }) => issue),
  };
}
