import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { requireOpenLesson } from "../queries.server.ts";
import { givenAnswers } from "../rules.ts";
import type { DraftSave } from "../schema.ts";

type OwnDraft = DraftSave & { userId: string };

/**
 * Keeps what a student is typing. Each opening of a lesson writes a draft of its own,
 * so that neither an older draft nor one in another tab is overwritten; a save that
 * arrives after a later one is dropped. Emptied boxes remove the draft.
 * @throws {Refused} not_found, not_enrolled, locked; conflict for somebody else's draft
 */
export async function saveDraft(services: Services, draft: OwnDraft): Promise<void> {
  const now = services.clock.now();
  await services.db.transaction(async (trx) => {
    await requireOpenLesson(trx, { ...draft, now });
    await writeDraft(trx, draft, now);
  });
}

/** Deletes one of the student's own drafts, because she says so. Twice is once. */
export async function deleteDraft(
  { db, clock }: Services,
  { userId, draftId }: { userId: string; draftId: string },
): Promise<void> {
  if (!isId(draftId)) return;
  const now = clock.now();
  await db.write
    .updateTable("lessonDrafts")
    .set({ answers: "[]", revision: lastRevision, updatedAt: now, discardedAt: now })
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .execute();
}

/** {@link saveDraft} without the question whether the lesson is open. */
export async function writeDraft(trx: Query, draft: OwnDraft, now: Date): Promise<void> {
  const { draftId: id, userId, lessonId, revision } = draft;
  const empty = givenAnswers(draft.answers).length === 0;
  const state = {
    answers: JSON.stringify(empty ? [] : draft.answers),
    revision,
    updatedAt: now,
    discardedAt: empty ? now : null,
  };
  await trx
    .insertInto("lessonDrafts")
    .values({ id, userId, lessonId, createdAt: now, ...state })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(state)
        .where("lessonDrafts.userId", "=", userId)
        .where("lessonDrafts.lessonId", "=", lessonId)
        .where("lessonDrafts.revision", "<", revision),
    )
    .execute();
  const own = await trx
    .selectFrom("lessonDrafts")
    .select("id")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!own) throw new Refused("conflict", "This draft belongs to another lesson.");
}

/** Above every revision that a browser counts to: nothing that arrives later comes alive. */
export const lastRevision = 2_000_000_000;

/** A draft was sent, or its writer deletes it: its words go, and late saves of it are dropped. */
export function discardDraft(
  trx: Query,
  draft: Omit<OwnDraft, "revision" | "answers">,
  now: Date,
): Promise<void> {
  return writeDraft(trx, { ...draft, revision: lastRevision, answers: [] }, now);
}
