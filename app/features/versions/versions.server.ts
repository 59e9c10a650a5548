import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { countUpTo, keysetPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";

/* The versions of what admins write. A subject is 'page:NAME', 'course:ID' or 'lesson:ID'; its versions
 * are numbered from 1 and never change. To write one, a transaction holds a lock on its subject until
 * its end. */

type NewVersion = {
  subject: string;
  /** JSON. */
  content: string;
  /** JSON, of what is shown otherwise than it was written. */
  shown?: string | null;
};

type Who = Pick<Services, "actor" | "clock">;

/** 'course:ID', 'lesson:ID'. */
export const versionSubject = (kind: "course" | "lesson", id: string) => `${kind}:${id}`;

/** Adds the next version of a subject, by the admin who acts; returns its number. */
export async function addVersion(
  trx: Query,
  { actor, clock }: Who,
  version: NewVersion,
): Promise<number> {
  const newest = await newestVersion(trx, version.subject).select("number").executeTakeFirst();
  const number = (newest?.number ?? 0) + 1;
  await insertVersion(trx, number, version, actor?.id ?? null, clock.now());
  return number;
}

type Saved = {
  subject: string;
  /** What was stored until now; null for what is new. */
  before: { content: string; updatedAt: Date } | null;
  content: string;
};

/** Adds what is saved as a version, if it differs from what was stored before. So that every save can
 * be taken back, that is added first where the newest version is another: in older databases, and
 * after changes that make no versions, such as of the order. */
export async function recordVersion(
  trx: Query,
  { actor, clock }: Who,
  { subject, before, content }: Saved,
): Promise<void> {
  if (before?.content === content) return;
  const newest = await newestVersion(trx, subject).select(["number", "content"]).executeTakeFirst();
  let number = newest?.number ?? 0;
  if (before && newest?.content !== before.content) {
    number += 1;
    await insertVersion(trx, number, { ...before, subject }, null, before.updatedAt);
  }
  await insertVersion(trx, number + 1, { subject, content }, actor?.id ?? null, clock.now());
}

function newestVersion(db: Query, subject: string) {
  return db
    .selectFrom("versions")
    .where("subject", "=", subject)
    .orderBy("number", "desc")
    .limit(1);
}

async function insertVersion(
  trx: Query,
  number: number,
  { subject, content, shown = null }: NewVersion,
  authorId: string | null,
  createdAt: Date,
): Promise<void> {
  const version = { id: newId(), subject, number, content, shown, authorId, createdAt };
  await trx.insertInto("versions").values(version).execute();
}

/** A version with its content as JSON; null where there is none of this number. */
export async function findVersion(db: Query, subject: string, number: number) {
  const row = await db
    .selectFrom("versions")
    .leftJoin("profiles", "profiles.id", "versions.authorId")
    .select(["versions.content", "versions.createdAt", "profiles.name as who"])
    .where("versions.subject", "=", subject)
    .where("versions.number", "=", number)
    .executeTakeFirst();
  return row ?? null;
}

const order = {
  column: "versions.number",
  id: "versions.id",
  direction: "desc",
  kind: "number",
} as const;

export type ListedVersion = {
  number: number;
  /** Null where no author is known, or has no account any more. */
  who: string | null;
  /** In the reader's zone. */
  when: string;
};

/** A page of the versions of a subject, newest first. */
export async function listVersions(
  { db }: Pick<Services, "db">,
  subject: string,
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
    versions: rows.map(
      ({ number, who, createdAt }): ListedVersion => ({
        ...{ number, who },
        when: dateAndTime(createdAt, timeZone),
      }),
    ),
  };
}
