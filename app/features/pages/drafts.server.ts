import { z } from "zod";
import { draftSave, type SeenDraft } from "~/features/drafts/schema.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import type { Field, ListField } from "~content/fields.ts";
import { pageMessages } from "./messages.ts";
import { type EditedPage, getField, getPublishedContent, publishedNumber } from "./pages.server.ts";
import { type FieldValue, fieldValue, type PageDraft, type PageEditing } from "./schema.ts";

/** An autosave of one place of a page. */
export const pageDraftSave = draftSave.extend({ field: z.string(), value: fieldValue });

type Save = z.infer<typeof pageDraftSave>;

/** Saves what was typed for one place of a page. All admins share one draft of a place, and an editor
 * names the one that it started from: another one meanwhile is never overwritten.
 * @throws {Refused} conflict, invalid, not_found */
export async function savePageDraft(
  services: Services,
  page: EditedPage,
  { userId, draftId: id, revision, absorbed, field, value }: Save,
): Promise<void> {
  requireShape(getField(page, field), value);
  const { db, clock } = services;
  const { subject } = page;
  const number = await publishedNumber(db.read, subject);
  const row = { id, revision, value: JSON.stringify(value), userId, updatedAt: clock.now() };
  await db.transaction(async (trx) => {
    await lockId(db, trx, `${subject} ${field}`);
    const stored = await findDraft(trx, subject, field);
    if (!stored) {
      await trx
        .insertInto("pageDrafts")
        .values({ subject, field, number, ...row })
        .execute();
      return;
    }
    const isOwn = stored.id === id;
    // A late save of this editor changes nothing.
    if (isOwn && stored.revision >= revision) return;
    const isSeen = absorbed.some(
      (seen) => seen.id === stored.id && seen.revision === stored.revision,
    );
    if (!isOwn && !isSeen) throw new Refused("conflict", pageMessages.changedElsewhere);
    await trx
      .updateTable("pageDrafts")
      .set(row)
      .where("subject", "=", subject)
      .where("field", "=", field)
      .execute();
  });
}

/** What is too long or empty is saved all the same: only publishing asks for more. */
function requireShape(field: Field | ListField, value: FieldValue): void {
  const isList = typeof value !== "string";
  if (isList !== (field.kind === "list")) throw new Refused("invalid", pageMessages.unreadable);
  if (field.kind !== "list" || !isList) return;
  const known = Object.keys(field.of);
  if (value.some((item) => Object.keys(item).some((part) => !known.includes(part))))
    throw new Refused("invalid", pageMessages.unreadable);
}

function findDraft(db: Query, subject: string, field: string) {
  return db
    .selectFrom("pageDrafts")
    .select(["id", "revision"])
    .where("subject", "=", subject)
    .where("field", "=", field)
    .executeTakeFirst();
}

/** Discards the draft of a place, unless it has changed since it was seen.
 * @returns whether it is gone */
export async function discardPageDraft(
  { db }: Services,
  { subject }: EditedPage,
  { field, id, revision }: SeenDraft & { field: string },
): Promise<boolean> {
  await deleteDrafts(db.write, subject, [{ field, id, revision }]);
  return !(await findDraft(db.write, subject, field));
}

/** Deletes drafts that have not changed since they were seen. */
export async function deleteDrafts(
  trx: Query,
  subject: string,
  seen: readonly (SeenDraft & { field: string })[],
): Promise<void> {
  for (const { field, id, revision } of seen)
    await trx
      .deleteFrom("pageDrafts")
      .where("subject", "=", subject)
      .where("field", "=", field)
      .where("id", "=", id)
      .where("revision", "=", revision)
      .execute();
}

/** The drafts of a page by their places. */
export async function listPageDrafts(db: Query, subject: string) {
  const rows = await db
    .selectFrom("pageDrafts")
    .leftJoin("profiles", "profiles.id", "pageDrafts.userId")
    .select(["pageDrafts.field", "pageDrafts.id", "pageDrafts.revision", "pageDrafts.value"])
    .select(["pageDrafts.updatedAt", "profiles.name as who"])
    .where("subject", "=", subject)
    .orderBy("field")
    .execute();
  return rows.flatMap(({ value, ...row }) => {
    const parsed = fieldValue.safeParse(JSON.parse(value));
    return parsed.success ? [{ ...row, value: parsed.data }] : [];
  });
}

/** What an editor of the page starts from. */
export async function getPageEditing(
  services: Services,
  page: EditedPage,
  { userId, timeZone }: { userId: string; timeZone: string },
): Promise<PageEditing> {
  const [{ content }, rows] = await Promise.all([
    getPublishedContent(services, page),
    listPageDrafts(services.db.write, page.subject),
  ]);
  const drafts: Record<string, PageDraft> = {};
  for (const { field, updatedAt, who, ...draft } of rows)
    drafts[field] = { ...draft, when: dateAndTime(updatedAt, timeZone), who: who ?? "" };
  const { name, kind, label } = page;
  return { page: name, kind, label, userId, published: content, drafts };
}
