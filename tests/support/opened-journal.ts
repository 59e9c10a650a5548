import { draftPlace, openAnswers, progressPlace } from "~/features/journal/encryption.server.ts";
import { journalText } from "~/features/journal/rules.ts";
import { findSeal } from "~/platform/crypto/person-key.ts";
import type { Services } from "~/platform/http/services.ts";

/** What a person has sent, opened: oldest first, with the text of spec 5. */
export async function openedJournal(services: Services, userId: string) {
  const seal = await findSeal(services, userId);
  const rows = await services.db.read
    .selectFrom("progress")
    .selectAll()
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ journalAnswer: sealed, ...row }) => {
    const answers = openAnswers(seal, progressPlace(row.lessonId), sealed);
    return { ...row, answers, journalAnswer: journalText(answers) };
  });
}

/** Her drafts that were neither sent nor deleted, opened: newest first. */
export async function openedDrafts(services: Services, userId: string) {
  const seal = await findSeal(services, userId);
  const rows = await services.db.read
    .selectFrom("drafts")
    .selectAll()
    .where("userId", "=", userId)
    .where("kind", "=", "journal")
    .where("discardedAt", "is", null)
    .orderBy("updatedAt", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ content, ...row }) => ({
    ...row,
    answers: openAnswers(seal, draftPlace(row.lessonId, row.id), content),
  }));
}
