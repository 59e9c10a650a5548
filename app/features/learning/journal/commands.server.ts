import type { Query } from "~/platform/db/database.ts";
import { sealOf } from "~/platform/sealing/person-key.ts";
import { CannotOpen } from "~/platform/sealing/seal.ts";
import type { Services } from "~/platform/services.ts";
import { type Deleted, deleteDraft, giveUpDraft } from "../drafts/commands.server.ts";
import { findDraft } from "../drafts/queries.server.ts";
import { withinRoom } from "../room/queries.server.ts";
import {
  type Answer,
  lengthOf,
  maxAnswerLength,
  maxJournalLength,
  type SeenDraft,
} from "../schema.ts";
import { progressPlace, sealAnswers } from "../sealing/queries.server.ts";
import {
  findEntry,
  findOutline,
  journalVersion,
  kept,
  type StoredEntry,
  stampOfEntry,
} from "./queries.server.ts";
import { findAnswer, givenAnswers, mergeAnswers, mergeTexts, seenDraft } from "./rules.ts";
import type { KeptAnswer, Target } from "./schema.ts";

/** How often a change is tried again that another one, of another answer, has overtaken. */
const tries = 5;

type Changing = {
  userId: string;
  lessonId: string;
  at: number;
  /** The version that the writing started from; null for an answer that is to be kept as a new one. */
  version: string | null;
  question: string;
  text: string;
  /** Her words come behind those that are there, instead of replacing them. */
  isAdded: boolean;
  /** The drafts that the words were typed in: they go with the saving. */
  drafts: SeenDraft[];
};

/** `other` is what stands there now, null where it was deleted; it is not touched. */
type Changed =
  | { state: "saved" | "missing" | "too_long" }
  | { state: "changed"; other: KeptAnswer | null };

/**
 * Changes one answer of a completed lesson, unless it has become another than the one that the
 * writing started from. 'missing' where she has not completed such a lesson.
 * @throws {CannotOpen} where the lesson's answers cannot be read: they are not written over
 */
export async function changeAnswer(services: Services, asked: Changing): Promise<Changed> {
  for (let attempt = 1; ; attempt++) {
    const entry = await findEntry(services, asked);
    if (!entry) return { state: "missing" };
    if (entry.unreadable) throw new CannotOpen(progressPlace(asked.lessonId));
    const made = withChange(entry.answers, asked);
    if ("state" in made) return made;
    if (areTooLong(made.answers)) return { state: "too_long" };
    if (await replaceAnswers(services, asked, entry, made.answers)) return { state: "saved" };
    if (attempt === tries) throw new Error("an answer could not be changed: others always are");
  }
}

function withChange(answers: Answer[], asked: Changing): Changed | { answers: Answer[] } {
  const { at, version, question, text, isAdded } = asked;
  const now = kept(answers);
  if (version === null) return { answers: [...answers, { question, answer: text }] };
  const found = findAnswer(now, { at, version });
  if (!found) {
    const there = now.find((answer) => answer.at === at && answer.question === question);
    // The very words that she sends: a second press, or the same change made twice.
    if (there?.answer === text) return { answers };
    return {
      state: "changed",
      other: there ?? now.find((answer) => answer.question === question) ?? null,
    };
  }
  const answer = isAdded ? mergeTexts(found.answer, text) : text;
  return { answers: answers.with(found.at, { question: found.question, answer }) };
}

/** Whether answers of which one may have come behind another are longer than a lesson holds. */
const areTooLong = (answers: Answer[]) =>
  lengthOf(answers) > maxJournalLength ||
  answers.some(({ answer }) => answer.length > maxAnswerLength);

/**
 * Makes the words of a draft answers of its lesson, which she has completed: behind what stands
 * under the same questions, and with none of them lost. 'changed' where it has other words by now.
 */
export async function keepDraft(
  services: Services,
  { userId, draft }: { userId: string; draft: SeenDraft },
): Promise<{
  state: "saved" | "gone" | "changed" | "too_long" | "unreadable";
  lessonId: string | null;
}> {
  let lessonId: string | null = null;
  for (let attempt = 1; attempt <= tries; attempt++) {
    const found = await findDraft(services, userId, draft.id);
    const entry = found && (await findEntry(services, { userId, lessonId: found.lessonId }));
    if (!found || !entry) return { state: "gone", lessonId };
    lessonId = found.lessonId;
    if (entry.unreadable || found.unreadable) return { state: "unreadable", lessonId };
    if (found.revision !== draft.revision) break;
    const answers = mergeAnswers(entry.answers, givenAnswers(found.answers));
    if (areTooLong(answers)) return { state: "too_long", lessonId };
    const asked = { userId, lessonId, drafts: [draft] };
    if (await replaceAnswers(services, asked, entry, answers)) return { state: "saved", lessonId };
  }
  return { state: "changed", lessonId };
}

/**
 * Deletes what she has been shown and asked about, and nothing that was written since: then it is
 * 'changed'. The lessons stay completed.
 */
export async function deleteFromJournal(
  services: Services,
  asked: { userId: string; target: Target; version: string },
): Promise<Deleted> {
  const { userId, target, version } = asked;
  if (target.kind === "draft")
    return deleteDraft(services, { userId, draft: seenDraft(target.draftId, version) });
  if (target.kind === "answer") return deleteAnswer(services, { userId, version, ...target });
  const now = services.clock.now();
  return services.db.transaction(async (trx) => {
    const courses = await findOutline(trx, userId);
    const all = courses.flatMap(({ lessons }) => lessons);
    const lessons = target.kind === "all" ? all : all.filter(({ id }) => id === target.lessonId);
    if (lessons.length === 0) return "gone";
    const present = target.kind === "all" ? journalVersion(courses) : lessons[0]?.version;
    if (present !== version) return "changed";
    for (const { id: lessonId, stamp, drafts } of lessons) {
      await emptyEntry(trx, { userId, lessonId, stamp });
      for (const draft of drafts) await giveUpDraft(trx, { userId, lessonId, draft }, now);
    }
    return "deleted";
  });
}

/** Takes the words of a completed lesson, unless they are others by now. */
async function emptyEntry(
  trx: Query,
  { userId, lessonId, stamp }: { userId: string; lessonId: string; stamp: string | null },
): Promise<void> {
  await trx
    .updateTable("progress")
    .set({ journalAnswer: null, answers: "[]" })
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .where(stampOfEntry, stamp === null ? "is" : "=", stamp)
    .execute();
}

async function deleteAnswer(
  services: Services,
  asked: { userId: string; lessonId: string; at: number; version: string },
): Promise<Deleted> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const entry = await findEntry(services, asked);
    const now = kept(entry?.answers ?? []);
    const found = findAnswer(now, asked);
    if (!entry || !found) return now.some(({ at }) => at === asked.at) ? "changed" : "gone";
    const rest = entry.answers.toSpliced(found.at, 1);
    if (await replaceAnswers(services, { ...asked, drafts: [] }, entry, rest)) return "deleted";
  }
  return "changed";
}

/**
 * Puts answers in the place of those that were read, and gives up drafts.
 * @returns false when they had become others meanwhile: then nothing has happened
 * @throws {Refused} no_room
 */
async function replaceAnswers(
  services: Services,
  { userId, lessonId, drafts }: { userId: string; lessonId: string; drafts: SeenDraft[] },
  { asRead }: Pick<StoredEntry, "asRead">,
  answers: Answer[],
): Promise<boolean> {
  const { db, clock } = services;
  const given = givenAnswers(answers);
  const now = clock.now();
  const write = async (trx: Query) => {
    const seal = given.length > 0 ? await sealOf(services, userId, trx) : null;
    if (asRead !== null || given.length > 0) {
      const { numUpdatedRows } = await trx
        .updateTable("progress")
        .set({
          journalAnswer: seal && sealAnswers(seal, progressPlace(lessonId), given),
          answers: "[]",
        })
        .where("userId", "=", userId)
        .where("lessonId", "=", lessonId)
        .where("journalAnswer", asRead === null ? "is" : "=", asRead)
        .executeTakeFirst();
      if (!numUpdatedRows) return false;
    }
    for (const draft of drafts) await giveUpDraft(trx, { userId, lessonId, draft }, now);
    return true;
  };
  return db.transaction((trx) => withinRoom(trx, userId, () => write(trx)));
}
