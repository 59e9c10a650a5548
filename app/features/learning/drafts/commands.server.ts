import type { Query } from "~/platform/db/database.ts";
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

/** {@link saveDraft} without the question whether the lesson is open. */
export async function writeDraft(trx: Query, draft: OwnDraft, now: Date): Promise<void> {
  const { draftId, userId, lessonId, revision } = draft;
  if (givenAnswers(draft.answers).length === 0) {
    await removeDraft(trx, { userId, lessonId, draftId, upTo: revision });
    return;
  }
  const answers = JSON.stringify(draft.answers);
  const times = { createdAt: now, updatedAt: now };
  await trx
    .insertInto("lessonDrafts")
    .values({ id: draftId, userId, lessonId, answers, revision, ...times })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ answers, revision, updatedAt: now })
        .where("lessonDrafts.userId", "=", userId)
        .where("lessonDrafts.lessonId", "=", lessonId)
        .where("lessonDrafts.revision", "<", revision),
    )
    .execute();
  const kept = await trx
    .selectFrom("lessonDrafts")
    .select("id")
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!kept) throw new Refused("conflict", "This draft belongs to another lesson.");
}

type DraftName = { userId: string; lessonId: string; draftId: string };

/** Forgets one of the student's own drafts, because she says so. Twice is once. */
export async function discardDraft({ db }: Services, draft: DraftName): Promise<void> {
  await removeDraft(db.write, draft);
}

/** Removes a draft; with `upTo`, only if no later save of it has arrived. */
export async function removeDraft(
  trx: Query,
  { userId, lessonId, draftId, upTo }: DraftName & { upTo?: number },
): Promise<void> {
  let removal = trx
    .deleteFrom("lessonDrafts")
    .where("id", "=", draftId)
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId);
  if (upTo !== undefined) removal = removal.where("revision", "<=", upTo);
  await removal.execute();
}
