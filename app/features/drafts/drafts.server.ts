import { sql } from "kysely";
import { compiledOnce } from "~/platform/db/compiled.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import type { DraftKind } from "~/platform/db/tables.ts";
import type { SeenDraft } from "./schema.ts";

export type DraftOf = { kind: DraftKind; userId: string; lessonId: string };

/** Neither sent, saved nor deleted. */
export const isActive = sql<boolean>`discarded_at is null`;

const isOf = ({ kind, userId, lessonId }: DraftOf) =>
  sql<boolean>`drafts.kind = ${kind} and drafts.user_id = ${userId} and drafts.lesson_id = ${lessonId}`;

const mostOffers = 5;

/** A user's own active drafts of a lesson: the five newest, newest first. */
export const listDraftRows = compiledOnce((db, of: DraftOf) =>
  db
    .selectFrom("drafts")
    .select(["id", "content", "revision", "baseRevision", "updatedAt"])
    .where(isOf(of))
    .where(isActive)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(mostOffers),
);

export type DraftRow = Awaited<ReturnType<typeof listDraftRows>>[number];

type DraftPut = DraftOf & {
  id: string;
  revision: number;
  /** Null empties the draft. */
  content: string | null;
  /** The lesson's revision that the text started from; 0 where that does not matter. */
  baseRevision?: number;
};

/** Writes a draft, unless a later revision of it was written or discarded. Each opened page has its
 * own draft, so that nothing is overwritten (docs/decisions/003). Text that was typed after a draft
 * was discarded makes it active again. @returns whether it has this revision or a later one */
export async function putDraft(
  trx: Query,
  { id, kind, userId, lessonId, revision, content, baseRevision = 0 }: DraftPut,
  now: Date,
): Promise<boolean> {
  const of = { kind, userId, lessonId };
  const discardedAt = content === null ? now : null;
  const state = { content, revision, baseRevision, updatedAt: now, discardedAt };
  await trx
    .insertInto("drafts")
    .values({ id, ...of, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({
          ...state,
          // The page may not know yet that its form was saved meanwhile (`rebaseDraft`).
          baseRevision: sql<number>`case when drafts.base_revision > ${baseRevision}
            then drafts.base_revision else ${baseRevision} end`,
        })
        .where(isOf(of))
        .where("drafts.revision", "<", revision),
    )
    .execute();
  if (content === null) {
    await deleteOldest(trx, of);
    return true;
  }
  return isAny(trx.selectFrom("drafts").where("id", "=", id).where(isOf(of)).where(isActive));
}

/** Discards drafts that were sent, saved or deleted: their text goes, and late autosaves of it are
 * dropped. Text typed after the revision that was seen stays, or makes the draft active again. */
export async function discardDrafts(
  trx: Query,
  of: DraftOf,
  drafts: readonly SeenDraft[],
  now: Date,
): Promise<void> {
  for (const { id, revision } of drafts) {
    const empty = { content: null, baseRevision: 0, revision, updatedAt: now, discardedAt: now };
    await trx
      .insertInto("drafts")
      .values({ id, ...of, createdAt: now, ...empty })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(empty)
          .where(isOf(of))
          .where("drafts.revision", "<=", revision),
      )
      .execute();
  }
  if (drafts.length > 0) await deleteOldest(trx, of);
}

/** The lesson was saved as `revision` from this draft's form: text typed since continues from it. */
export async function rebaseDraft(
  db: Query,
  of: DraftOf,
  { id, revision }: SeenDraft,
): Promise<void> {
  await db
    .updateTable("drafts")
    .set({ baseRevision: revision })
    .where("id", "=", id)
    .where(isOf(of))
    .where("baseRevision", "<", revision)
    .execute();
}

const mostDiscarded = 200;

/** Discarded drafts only drop late autosaves: of each user, the newest are enough. */
async function deleteOldest(trx: Query, { kind, userId }: DraftOf): Promise<void> {
  const oldest = trx
    .selectFrom("drafts")
    .select("id")
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where("discardedAt", "is not", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .offset(mostDiscarded)
    .limit(mostDiscarded);
  await trx
    .deleteFrom("drafts")
    .where("id", "in", oldest)
    // On PostgreSQL, newer text may have come for one of them meanwhile.
    .where("discardedAt", "is not", null)
    .execute();
}
