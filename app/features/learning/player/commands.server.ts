import { isId, newId } from "~/platform/db/ids.ts";
import { Refused, statusOf } from "~/platform/http/errors.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/services.ts";
import { completeLesson } from "../commands.server.ts";
import { saveDraft } from "../drafts/commands.server.ts";
import { isDrafted } from "../drafts/queries.server.ts";
import { givenAnswers } from "../journal/rules.ts";
import { journalPath } from "../notebook/texts.ts";
import { findSeat, getOutline } from "../queries.server.ts";
import { savings, workOf } from "../room/commands.server.ts";
import { roomTexts } from "../room/texts.ts";
import { inOrder, lessonKey, neighbours } from "../rules.ts";
import { type Answer, answers as answersSchema, type SeenDraft } from "../schema.ts";
import { outcomes } from "../texts.ts";

/** Why a lesson was not completed. The words that were sent go back with it. */
export type Problem = { message: string; texts: string[]; signedOut: boolean };

/** What the boxes of a lesson held when the form was sent. */
export type SentJournal = {
  /** Whose page the form stood in. */
  userId: string;
  lessonId: string;
  drafts: SeenDraft[];
  answers: Answer[];
};

/** Reads the player's form: each box comes with the question that stood above it. */
export function readJournal(form: FormData): SentJournal {
  const text = (value: FormDataEntryValue | null | undefined) =>
    typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  const questions = form.getAll("question");
  return {
    userId: text(form.get("userId")),
    lessonId: text(form.get("lessonId")),
    drafts: form.getAll("draft").map(text).flatMap(seenDraft).slice(0, 20),
    answers: form
      .getAll("answer")
      .map((answer, index) => ({ question: text(questions[index]), answer: text(answer) })),
  };
}

/** `id:revision`, as the form names a draft. */
function seenDraft(text: string): SeenDraft[] {
  const [, id = "", revision = ""] = /^([^:]+):(\d{1,9})$/.exec(text) ?? [];
  return isId(id) ? [{ id, revision: Number(revision) }] : [];
}

/**
 * The refusal of a journal that is too long, or of one more within a short time; null for any other.
 * Nothing of it is shown again: scripts leave the boxes as they are, and the browser's back button
 * brings back what was typed.
 */
export function refuseJournal(
  { answers }: SentJournal,
  userId: string,
): { problem: Problem; journal: null; status: number } | null {
  const refused = (message: string, status: number) => ({
    problem: { message, texts: [], signedOut: false },
    journal: null,
    status,
  });
  if (!answersSchema.safeParse(answers).success)
    return refused(outcomes.tooLong, statusOf.too_large);
  if (savings.wait(userId, workOf(answers)) > 0)
    return refused(roomTexts.tooFast, statusOf.rate_limited);
  return null;
}

/** The same words, to stand in the boxes again. */
export function problem(journal: SentJournal, message: string, signedOut = false): Problem {
  return { message, signedOut, texts: journal.answers.map(({ answer }) => answer) };
}

type Study = { userId: string; slug: string; journal: SentJournal };
/** `goOnKey` names the lesson to show now: the next one, or, while that is locked, the same. */
/** Not completed, but her words are kept, and this is where she is told so. */
type Kept = { keptAt: string; toast: Toast };
type Completed = { moduleCompleted: boolean; letterComes: boolean; goOnKey: string | null };

/**
 * 'Mark as Complete' and 'Complete Module' (spec 4, Lesson): completes, and says where to go on.
 * Whatever goes wrong comes back as a problem with the words in it, never as an exception; but for
 * a journal that {@link refuseJournal} refuses, which is asked before.
 */
export async function completeFromForm(
  services: Services,
  { userId, slug, journal }: Study,
): Promise<Completed | Kept | { problem: Problem; status: number }> {
  const answers = answersSchema.parse(journal.answers);
  try {
    const sent = { ...journal, userId, answers };
    const completed = await completeLesson(services, sent);
    return { ...completed, goOnKey: await goOnKey(services, userId, slug, journal.lessonId) };
  } catch (error) {
    if (error instanceof Refused) {
      if (await keep(services, { userId, journal })) return keptAt(error, { slug, journal });
      return { problem: problem(journal, error.message), status: statusOf[error.code] };
    }
    services.log.error({ err: error }, "a lesson could not be completed");
    return { problem: problem(journal, outcomes.failed), status: 500 };
  }
}

function keptAt({ code }: Refused, { slug, journal }: Pick<Study, "slug" | "journal">): Kept {
  if (code === "not_enrolled")
    return { keptAt: `/courses/${slug}`, toast: outcomes.closedMeanwhile };
  const { lessonId } = journal;
  return {
    keptAt: `${journalPath}?lesson=${lessonId}#lesson-${lessonId}`,
    toast: outcomes.lessonClosed,
  };
}

/**
 * The course or the lesson was closed to her while she was writing: her words stay hers, as a draft.
 * @returns false where she was never in it, or wrote nothing
 */
async function keep(
  services: Services,
  { userId, journal }: Pick<Study, "userId" | "journal">,
): Promise<boolean> {
  const { lessonId, answers } = journal;
  if (givenAnswers(answers).length === 0) return false;
  // The page's own draft stands first in its form, then those that were restored into it.
  const [first, ...absorbed] = journal.drafts;
  const own = first ? [{ draftId: first.id, revision: first.revision }] : [];
  const words = { userId, lessonId, answers, absorbed };
  try {
    // Under the name of its page, unless that one has other words: a form may be sent twice.
    for (const name of own) {
      await saveDraft(services, { ...words, ...name });
      if (await isDrafted(services, { userId, lessonId, answers })) return true;
    }
    const name = { draftId: newId(), revision: 1 };
    return await saveDraft(services, { ...words, ...name });
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** The lesson is completed by now: whatever fails here only decides where to go on. */
async function goOnKey(services: Services, userId: string, slug: string, lessonId: string) {
  try {
    return await nextOrSame(services, userId, slug, lessonId);
  } catch (error) {
    services.log.error({ err: error }, "the way on from a lesson could not be found");
    return null;
  }
}

async function nextOrSame(services: Services, userId: string, slug: string, lessonId: string) {
  const seat = await findSeat(services, { userId, slug });
  if (!seat?.enrolledAt) return null;
  const { id: productId, enrolledAt } = seat;
  const outline = await getOutline(services, { userId, productId, enrolledAt });
  const { next } = neighbours(outline, lessonId);
  const same = inOrder(outline).find(({ id }) => id === lessonId);
  const shown = next && !next.isLocked ? next : same;
  return shown ? lessonKey(outline, shown) : null;
}
