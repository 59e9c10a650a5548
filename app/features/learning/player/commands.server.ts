import { isId } from "~/platform/db/ids.ts";
import { Refused, statusOf } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { completeLesson } from "../commands.server.ts";
import { findSeat, getOutline } from "../queries.server.ts";
import { inOrder, lessonKey, neighbours } from "../rules.ts";
import { type Answer, answers as answersSchema } from "../schema.ts";
import { messages } from "../texts.ts";

/** Why a lesson was not completed. The words that were sent go back with it. */
export type Problem = { message: string; texts: string[]; signedOut: boolean };

/** What the boxes of a lesson held when the form was sent. */
export type SentJournal = { lessonId: string; draftId: string | null; answers: Answer[] };

/** Reads the player's form: each box comes with the question that stood above it. */
export function readJournal(form: FormData): SentJournal {
  const text = (value: FormDataEntryValue | null | undefined) =>
    typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  const questions = form.getAll("question");
  const draftId = text(form.get("draftId"));
  return {
    lessonId: text(form.get("lessonId")),
    draftId: isId(draftId) ? draftId : null,
    answers: form
      .getAll("answer")
      .map((answer, index) => ({ question: text(questions[index]), answer: text(answer) })),
  };
}

/** The same words, to stand in the boxes again. */
export function problem(journal: SentJournal, message: string, signedOut = false): Problem {
  return { message, signedOut, texts: journal.answers.map(({ answer }) => answer) };
}

type Study = { userId: string; slug: string; journal: SentJournal };
/** `goOnKey` names the lesson to show now: the next one, or, while that is locked, the same. */
type Completed = { moduleCompleted: boolean; goOnKey: string | null };

/**
 * 'Mark as Complete' and 'Complete Module' (spec 4, Lesson): completes, and says where to go on.
 * Whatever goes wrong comes back as a problem with the words in it, never as an exception.
 */
export async function completeFromForm(
  services: Services,
  { userId, slug, journal }: Study,
): Promise<Completed | { problem: Problem; status: number }> {
  const { data: answers } = answersSchema.safeParse(journal.answers);
  if (!answers) return { problem: problem(journal, messages.tooLong), status: statusOf.too_large };
  try {
    const { moduleCompleted } = await completeLesson(services, { userId, ...journal, answers });
    return { moduleCompleted, goOnKey: await goOnKey(services, userId, slug, journal.lessonId) };
  } catch (error) {
    if (error instanceof Refused)
      return { problem: problem(journal, error.message), status: statusOf[error.code] };
    services.log.error({ err: error }, "a lesson could not be completed");
    return { problem: problem(journal, messages.failed), status: 500 };
  }
}

async function goOnKey(services: Services, userId: string, slug: string, lessonId: string) {
  const seat = await findSeat(services, { userId, slug });
  if (!seat?.enrolledAt) return null;
  const { id: productId, enrolledAt } = seat;
  const outline = await getOutline(services, { userId, productId, enrolledAt });
  const { next } = neighbours(outline, lessonId);
  const same = inOrder(outline).find(({ id }) => id === lessonId);
  const shown = next && !next.isLocked ? next : same;
  return shown ? lessonKey(outline, shown) : null;
}
