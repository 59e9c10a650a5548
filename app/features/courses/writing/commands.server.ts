import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { formMessages } from "../lessons/texts.ts";
import type { SeenWriting, WritingSave } from "./schema.ts";

/** Drafts of one author that were neither saved nor given up. */
const mostWritings = 200;

type Writing = Omit<WritingSave, "draftId"> & { id: string; lessonId: string };
type Rebase = { id: string; userId: string; lessonId: string; revision: number };

/**
 * Keeps what an author is typing. Each page that is opened for writing has a draft of its own, so
 * that nothing overwrites anything; a save that arrives after a later one is dropped
 * (docs/decisions/003 and 015).
 * @throws {Refused} no_room for a new one where there are {@link mostWritings} of theirs
 */
export async function saveWriting(
  { db, clock }: Services,
  { id, userId, lessonId, baseRevision, saves, fields }: Writing,
): Promise<void> {
  const now = clock.now();
  const alive = db.write
    .selectFrom("authoringDrafts")
    .where("userId", "=", userId)
    .where("discardedAt", "is", null);
  const { count } = await alive
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostWritings) {
    const own = await alive.select("id").where("id", "=", id).executeTakeFirst();
    if (!own) throw new Refused("no_room", formMessages.tooManyDrafts);
  }
  const state = {
    fields: JSON.stringify(fields),
    baseRevision,
    saves,
    updatedAt: now,
    discardedAt: null,
  };
  await db.write
    .insertInto("authoringDrafts")
    .values({ id, userId, lessonId, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({
          ...state,
          // A page whose form was saved meanwhile may not know yet that it was (rebaseWriting).
          baseRevision: eb
            .case()
            .when("authoringDrafts.baseRevision", ">", baseRevision)
            .then(eb.ref("authoringDrafts.baseRevision"))
            .else(baseRevision)
            .end(),
        }))
        .where("authoringDrafts.userId", "=", userId)
        .where("authoringDrafts.lessonId", "=", lessonId)
        .where("authoringDrafts.saves", "<", saves),
    )
    .execute();
}

/**
 * Drafts that were saved or given up: their words go, and saves of them that arrive late are
 * dropped. What was typed after `saves` stays, or comes alive when it arrives.
 */
export async function discardWriting(
  db: Query,
  { userId, lessonId, drafts }: { userId: string; lessonId: string; drafts: SeenWriting[] },
  now: Date,
): Promise<void> {
  for (const { id, saves } of drafts) {
    if (!isId(id)) continue;
    const emptied = {
      fields: "{}",
      baseRevision: 0,
      saves,
      updatedAt: now,
      discardedAt: now,
    };
    await db
      .insertInto("authoringDrafts")
      .values({ id, userId, lessonId, createdAt: now, ...emptied })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(emptied)
          .where("authoringDrafts.userId", "=", userId)
          .where("authoringDrafts.lessonId", "=", lessonId)
          .where("authoringDrafts.saves", "<=", saves),
      )
      .execute();
  }
}

/**
 * The form whose draft this is was saved as `revision`: what was typed into it since, kept already
 * or not yet, goes on from there.
 */
export async function rebaseWriting(
  db: Query,
  { id, userId, lessonId, revision }: Rebase,
): Promise<void> {
  await db
    .updateTable("authoringDrafts")
    .set({ baseRevision: revision })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where("baseRevision", "<", revision)
    .execute();
}
