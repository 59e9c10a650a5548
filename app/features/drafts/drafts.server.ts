import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import type { DraftKind } from "~/platform/db/tables.ts";
import type { SeenDraft } from "./schema.ts";

/** A lesson's journal, or a lesson that is being written. */
export type DraftOf = { kind: DraftKind; userId: string; lessonId: string };

/** Neither sent, saved nor deleted. */
export const isActive = sql<boolean>`discarded_at is null`;

const mostOffers = 5;

export type DraftRow = {
  id: string;
  /** Null only for a draft that is not active. */
  content: string | null;
  revision: number;
  baseRevision: number;
  updatedAt: Date;
};

/** A user's own active drafts of a lesson: the five newest, newest first. */
export function listDraftRows(db: Query, { kind, userId, lessonId }: DraftOf): Promise<DraftRow[]> {
  return db
    .selectFrom("drafts")
    .select(["id", "content", "revision", "baseRevision", "updatedAt"])
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(isActive)
    .orderBy("updatedAt", "desc")
    .orderBy("id")
    .limit(mostOffers)
    .execute();
}

type DraftPut = DraftOf & {
  id: string;
  revision: number;
  /** Null empties the draft. */
  content: string | null;
  /** The lesson's revision that the text started from; 0 where that does not matter. */
  baseRevision?: number;
};

/**
 * Writes a draft, unless a later revision of it was written or discarded. Each opened page has its
 * own draft, so that nothing is overwritten (docs/decisions/003). Text that was typed after a
 * draft was discarded makes it active again. @returns whether the draft has this revision or a later one
 */
export async function putDraft(
  trx: Query,
  { id, kind, userId, lessonId, revision, content, baseRevision = 0 }: DraftPut,
  now: Date,
): Promise<boolean> {
  const discardedAt = content === null ? now : null;
  const state = { content, revision, baseRevision, updatedAt: now, discardedAt };
  await trx
    .insertInto("drafts")
    .values({ id, kind, userId, lessonId, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({
          ...state,
          // The page may not know yet that its form was saved meanwhile (`rebaseDraft`).
          baseRevision: eb
            .case()
            .when("drafts.baseRevision", ">", baseRevision)
            .then(eb.ref("drafts.baseRevision"))
            .else(baseRevision)
            .end(),
        }))
        .where("drafts.kind", "=", kind)
        .where("drafts.userId", "=", userId)
        .where("drafts.lessonId", "=", lessonId)
        .where("drafts.revision", "<", revision),
    )
    .execute();
  if (content === null) {
    await deleteOldest(trx, { kind, userId });
    return true;
  }
  const row = await trx
    .selectFrom("drafts")
    .select("id")
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(isActive)
    .executeTakeFirst();
  return row !== undefined;
}

/** Discards drafts that were sent, saved or deleted: their text goes, and late autosaves of it are
 * dropped. Text typed after the revision that was seen stays, or makes the draft active again. */
export async function discardDrafts(
  trx: Query,
  { kind, userId, lessonId }: DraftOf,
  drafts: readonly SeenDraft[],
  now: Date,
): Promise<void> {
  for (const { id, revision } of drafts) {
    const empty = { content: null, baseRevision: 0, revision, updatedAt: now, discardedAt: now };
    await trx
      .insertInto("drafts")
      .values({ id, kind, userId, lessonId, createdAt: now, ...empty })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(empty)
          .where("drafts.kind", "=", kind)
          .where("drafts.userId", "=", userId)
          .where("drafts.lessonId", "=", lessonId)
          .where("drafts.revision", "<=", revision),
      )
      .execute();
  }
  if (drafts.length > 0) await deleteOldest(trx, { kind, userId });
}

/** The lesson was saved as `revision` from this draft's form: text typed since continues from it. */
export async function rebaseDraft(
  db: Query,
  { kind, userId, lessonId }: DraftOf,
  { id, revision }: SeenDraft,
): Promise<void> {
  await db
    .updateTable("drafts")
    .set({ baseRevision: revision })
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("baseRevision", "<", revision)
    .execute();
}

const mostDiscarded = 200;

/** Discarded drafts only drop late autosaves: of each user, the newest are enough. */
async function deleteOldest(trx: Query, { kind, userId }: Pick<DraftOf, "kind" | "userId">) {
  const oldest = await trx
    .selectFrom("drafts")
    .select("id")
    .where("kind", "=", kind)
    .where("userId", "=", userId)
    .where("discardedAt", "is not", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .offset(mostDiscarded)
    .limit(mostDiscarded)
    .execute();
  if (oldest.length === 0) return;
  const ids = oldest.map(({ id }) => id);
  // On PostgreSQL, newer text may have come for one of them meanwhile.
  await trx
    .deleteFrom("drafts")
    .where("id", "in", ids)
    .where("discardedAt", "is not", null)
    .execute();
}
