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

/** Adds the next version of a subject, by the admin who acts; returns its number. */
export async function addVersion(
  trx: Query,
  { actor, clock }: Pick<Services, "actor" | "clock">,
  { subject, content, shown = null }: NewVersion,
): Promise<number> {
  const number = ((await newestVersion(trx, subject))?.number ?? 0) + 1;
  const by = { authorId: actor?.id ?? null, createdAt: clock.now() };
  await trx
    .insertInto("versions")
    .values({ id: newId(), subject, number, content, shown, ...by })
    .execute();
  return number;
}

function newestVersion(db: Query, subject: string) {
  return db
    .selectFrom("versions")
    .select("number")
    .where("subject", "=", subject)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The content of a version, as JSON; null where there is none of this number. */
export async function findVersion(
  db: Query,
  subject: string,
  number: number,
): Promise<string | null> {
  const row = await db
    .selectFrom("versions")
    .select("content")
    .where("subject", "=", subject)
    .where("number", "=", number)
    .executeTakeFirst();
  return row?.content ?? null;
}

const order = {
  column: "versions.number",
  id: "versions.id",
  direction: "desc",
  kind: "number",
} as const;

export type ListedVersion = {
  number: number;
  /** Null where its author has no account any more. */
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
