import { sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { formatPrice } from "~/features/courses/rules.ts";
import { marked } from "~/features/pages/differences.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { getEditedPage } from "~/features/pages/pages.server.ts";
import { getPageChanges } from "~/features/pages/publish.server.ts";
import { fieldsOf, kindOf } from "~/features/pages/rules.ts";
import { keepPictures } from "~/features/pictures/pictures.server.ts";
import { countOf, type Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  type CourseField,
  longestReleaseTitle,
  mostChanges,
  mostReleases,
  releasedFieldLabels,
  releaseMessages,
} from "./messages.ts";
import {
  type CourseFieldChanges,
  courseFieldChanges,
  type PageFieldChanges,
  pageFieldChanges,
  type ReleaseState,
  type SeenFieldDraft,
  seenDrafts,
} from "./schema.ts";

/** Newest first. */
export async function listReleases({ db }: Services, timeZone: string) {
  const rows = await db.read
    .selectFrom("releases")
    .select(["id", "title", "state", "dueAt", "publishedAt"])
    .select((eb) =>
      eb
        .selectFrom("releaseChanges")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("releaseChanges.releaseId", "=", "releases.id")
        .as("changes"),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(mostReleases)
    .execute();
  return rows.map(({ dueAt, publishedAt, changes, state, ...row }) => ({
    ...row,
    state: state as ReleaseState,
    changes: Number(changes ?? 0),
    due: dueAt && dateAndTime(dueAt, timeZone),
    published: publishedAt && dateAndTime(publishedAt, timeZone),
  }));
}

/** Those that something can be added to. */
export async function listOpenReleases({ db }: Services) {
  return db.read
    .selectFrom("releases")
    .select(["id", "title"])
    .where("state", "in", ["open", "failed"])
    .orderBy("createdAt", "desc")
    .limit(50)
    .execute();
}

/** @throws {Refused} not_found */
export async function getRelease(db: Query, id: string) {
  const release = isId(id)
    ? await db.selectFrom("releases").selectAll().where("id", "=", id).executeTakeFirst()
    : undefined;
  if (!release) throw new Refused("not_found", releaseMessages.gone);
  return { ...release, state: release.state as ReleaseState };
}

export type ReleaseChange = {
  subject: string;
  beforeNumber: number | null;
  afterNumber: number | null;
} & (
  | { kind: "page"; name: string; changes: PageFieldChanges; drafts: SeenFieldDraft[] }
  | { kind: "course"; courseId: string; changes: CourseFieldChanges }
);

/** What is in a release, always in the same order: two transactions then never wait for each other. */
export async function listChanges(db: Query, releaseId: string): Promise<ReleaseChange[]> {
  const rows = await db
    .selectFrom("releaseChanges")
    .selectAll()
    .where("releaseId", "=", releaseId)
    .orderBy("subject")
    .execute();
  return rows.map(({ subject, changes, drafts, beforeNumber, afterNumber }) => {
    const numbers = { subject, beforeNumber, afterNumber };
    const written: unknown = JSON.parse(changes);
    if (subject.startsWith("page:"))
      return {
        ...{ ...numbers, kind: "page", name: subject.slice("page:".length) },
        changes: pageFieldChanges.parse(written),
        drafts: seenDrafts.parse(JSON.parse(drafts)),
      };
    return {
      ...{ ...numbers, kind: "course", courseId: subject.slice("course:".length) },
      changes: courseFieldChanges.parse(written),
    };
  });
}

/** Makes an empty release; returns its id. @throws {Refused} invalid, no_room */
export async function createRelease(services: Services, title: string): Promise<string> {
  const named = title.trim();
  if (named === "") throw new Refused("invalid", releaseMessages.titleMissing);
  if (named.length > longestReleaseTitle) throw new Refused("invalid", releaseMessages.titleLong);
  const { db, clock, actor } = services;
  if ((await countOf(db.read.selectFrom("releases"))) >= mostReleases)
    throw new Refused("no_room", releaseMessages.tooMany);
  const id = newId();
  const now = clock.now();
  const times = { createdAt: now, updatedAt: now };
  await db.transaction(async (trx) => {
    const row = { id, title: named, state: "open", authorId: actor?.id ?? null, ...times };
    await trx.insertInto("releases").values(row).execute();
    await recordAudit(trx, services, { action: "release.created", id, label: named });
  });
  return id;
}

/** Puts the drafts of a page into a release, as they are now: what is typed later stays a draft.
 * @throws {Refused} invalid without changes, conflict, no_room */
export async function addPage(services: Services, releaseId: string, name: string): Promise<void> {
  const page = await getEditedPage(services, name);
  const { changes, shown } = await getPageChanges(services, page);
  if (changes.length === 0) throw new Refused("invalid", releaseMessages.nothingChanged);
  if (changes.some(({ problem }) => problem))
    throw new Refused("invalid", pageMessages.cannotPublish);
  const fields: PageFieldChanges = {};
  for (const { field, before, after } of changes) fields[field] = { before, after };
  await putChange(services, releaseId, { subject: page.subject, fields, drafts: shown.drafts });
}

/** Puts a change of a course into a release. @throws {Refused} not_found, invalid, conflict, no_room */
export async function addCourse(
  services: Services,
  releaseId: string,
  { courseId, after }: { courseId: string; after: Partial<Record<CourseField, number | boolean>> },
): Promise<void> {
  const course = await findCourseRow(services.db.read, courseId);
  if (!course) throw new Refused("not_found", releaseMessages.gone);
  const fields: CourseFieldChanges = {};
  for (const [field, value] of Object.entries(after))
    if (value !== undefined && value !== course[field as CourseField])
      fields[field] = { before: course[field as CourseField], after: value };
  if (Object.keys(fields).length === 0)
    throw new Refused("invalid", releaseMessages.nothingChanged);
  await putChange(services, releaseId, { subject: `course:${courseId}`, fields, drafts: [] });
}

export async function findCourseRow(db: Query, id: string) {
  const row = await db
    .selectFrom("products")
    .select(["id", "title", "priceCents", "active", "comingSoon"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

type Put = {
  subject: string;
  fields: PageFieldChanges | CourseFieldChanges;
  drafts: SeenFieldDraft[];
};

async function putChange(services: Services, releaseId: string, { subject, fields, drafts }: Put) {
  const { db } = services;
  await db.transaction(async (trx) => {
    await openRelease(services, trx, releaseId);
    const others = trx.selectFrom("releaseChanges").where("releaseId", "=", releaseId);
    if ((await countOf(others.where("subject", "!=", subject))) >= mostChanges)
      throw new Refused("no_room", releaseMessages.full);
    const row = { changes: JSON.stringify(fields), drafts: JSON.stringify(drafts) };
    await keepPictures(trx, JSON.stringify(Object.values(fields).map(({ after }) => after)));
    await trx
      .insertInto("releaseChanges")
      .values({ releaseId, subject, ...row })
      .onConflict((conflict) => conflict.columns(["releaseId", "subject"]).doUpdateSet(row))
      .execute();
    await recordAudit(trx, services, { action: "release.updated", id: releaseId });
  });
}

/** @throws {Refused} conflict where nothing can be changed in it any more */
async function openRelease({ db }: Services, trx: Query, id: string) {
  await lockId(db, trx, id);
  const release = await getRelease(trx, id);
  if (release.state === "published" || release.state === "undone")
    throw new Refused("conflict", releaseMessages.notOpen);
  return release;
}

/** Takes a change out of a release. Idempotent. @throws {Refused} conflict */
export async function removeChange(
  services: Services,
  { id, subject }: { id: string; subject: string },
): Promise<void> {
  await services.db.transaction(async (trx) => {
    await openRelease(services, trx, id);
    const { numDeletedRows } = await trx
      .deleteFrom("releaseChanges")
      .where("releaseId", "=", id)
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (numDeletedRows) await recordAudit(trx, services, { action: "release.updated", id });
  });
}

/** Deletes a release; what it published stays. */
export async function deleteRelease(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, id);
    const { title } = await getRelease(trx, id);
    await trx.deleteFrom("releases").where("id", "=", id).execute();
    await recordAudit(trx, services, { action: "release.deleted", id, label: title });
  });
}

/** What a release would change, in words, with what is new and what goes marked. */
export async function describeChanges(services: Services, changes: readonly ReleaseChange[]) {
  const described = [];
  for (const change of changes) {
    if (change.kind === "page") {
      const page = await getEditedPage(services, change.name).catch(() => null);
      const kind = kindOf(change.subject);
      const fields = Object.entries(change.changes).map(([field, { before, after }]) =>
        marked(kind, {
          ...{ field, before, after, problem: null },
          label: fieldsOf(kind)[field]?.label ?? field,
        }),
      );
      described.push({ subject: change.subject, label: page?.label ?? change.name, fields });
    } else {
      const course = await findCourseRow(services.db.read, change.courseId);
      const fields = Object.entries(change.changes).map(([field, { before, after }]) => ({
        ...{ field, problem: null, label: releasedFieldLabels[field as CourseField] ?? field },
        pieces: [
          { kind: "old" as const, text: `${courseWord(field, before)} ` },
          { kind: "new" as const, text: courseWord(field, after) },
        ],
      }));
      const label = course?.title ?? "A deleted course";
      described.push({ subject: change.subject, label, fields });
    }
  }
  return described;
}

function courseWord(field: string, value: number | boolean): string {
  if (field === "priceCents") return formatPrice(Number(value));
  return value ? "Yes" : "No";
}

/** How many have missed their time: shown on the overview. */
export const countFailedReleases = ({ db }: Services): Promise<number> =>
  countOf(db.read.selectFrom("releases").where("state", "=", sql.lit("failed")));
