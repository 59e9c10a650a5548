import { journalSeparator } from "./messages.ts";
import { mergeTexts } from "./place-answers.ts";
import type { Answer, JournalCourseOutline, LessonOutline, SavedAnswer, Target } from "./schema.ts";

/** Answers with something in them, as typed. */
export function givenAnswers(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ answer }) => answer.trim() !== "");
}

/** The journal text of a lesson (spec 5): each answered prompt as its question followed by the
 * answer, a separator line between prompts; null when all are blank. */
export function journalText(answers: readonly Answer[]): string | null {
  const given = givenAnswers(answers).map(({ question, answer }) => `${question}\n${answer}`);
  return given.length > 0 ? given.join(journalSeparator) : null;
}

/** An address's part for what is edited or deleted: an answer `<lesson>.<place>`, `draft.<id>`,
 * `photograph.<id>`, a lesson's id, or `all`. */
export function targetKey(target: Target): string {
  if (target.kind === "answer") return `${target.lessonId}.${target.at}`;
  if (target.kind === "draft") return `draft.${target.draftId}`;
  if (target.kind === "photograph") return `photograph.${target.photographId}`;
  return target.kind === "lesson" ? target.lessonId : "all";
}

/** What an address names; null for anything that {@link targetKey} never makes. */
export function readTarget(key: string | null): Target | null {
  if (key === "all") return { kind: "all" };
  const [, id = "", rest] =
    /^(draft|photograph|[0-9a-f-]{36})(?:\.([0-9a-f-]{1,36}))?$/.exec(key ?? "") ?? [];
  if (id === "draft") return rest ? { kind: "draft", draftId: rest } : null;
  if (id === "photograph") return rest ? { kind: "photograph", photographId: rest } : null;
  if (!id) return null;
  if (rest === undefined) return { kind: "lesson", lessonId: id };
  return /^\d{1,3}$/.test(rest) ? { kind: "answer", lessonId: id, at: Number(rest) } : null;
}

/** Answers with others laid behind them, each under its question: nothing of either is lost. */
export function mergeAnswers(older: readonly Answer[], newer: readonly Answer[]): Answer[] {
  const merged = [...older];
  const taken = new Set<number>();
  for (const { question, answer } of newer) {
    const at = merged.findIndex((one, index) => one.question === question && !taken.has(index));
    taken.add(at < 0 ? merged.length : at);
    if (at < 0) merged.push({ question, answer });
    else merged[at] = { question, answer: mergeTexts(merged[at]?.answer ?? "", answer) };
  }
  return merged;
}

/** Where an answer stands now: at its place, elsewhere if others before it went, or nowhere. */
export function findAnswer(
  answers: readonly SavedAnswer[],
  { at, version }: { at: number; version: string },
): SavedAnswer | null {
  const there = answers.find((answer) => answer.at === at);
  if (there?.version === version) return there;
  return answers.find((answer) => answer.version === version) ?? null;
}

/** Bytes of sealed words on a page of the journal before the next one begins: some 100,000 characters. */
const pageSize = 140_000;
const entrySize = 700;
// Ten photographs fill a page.
const photographSize = 14_000;

/** The journal's courses, cut into pages between entries and drafts; a page has one of them at
 * least, so that it is never longer than `pageSize` and one lesson's answers together. */
export function journalPages(
  courses: readonly JournalCourseOutline[],
  size = pageSize,
): JournalCourseOutline[][] {
  const pages: JournalCourseOutline[][] = [];
  let room = 0;
  for (const course of courses)
    for (const lesson of course.lessons)
      for (const part of partsOf(lesson)) {
        const photographs = part.isFirst ? lesson.photographs : [];
        const seen = photographs.length * photographSize;
        const taken = entrySize + part.size + (part.draft?.size ?? 0) + seen;
        if (pages.length === 0 || taken > room) {
          pages.push([]);
          room = size;
        }
        room -= taken;
        const page = pages.at(-1) as JournalCourseOutline[];
        if (page.at(-1)?.id !== course.id) page.push({ ...course, lessons: [] });
        const { lessons } = page.at(-1) as JournalCourseOutline;
        if (lessons.at(-1)?.id !== lesson.id)
          lessons.push({
            ...lesson,
            ...{ size: part.size, drafts: [], photographs, isContinued: !part.isFirst },
          });
        if (part.draft) lessons.at(-1)?.drafts.push(part.draft);
      }
  return pages;
}

function partsOf({ size, drafts, photographs }: LessonOutline) {
  const hasEntry = size > 0 || photographs.length > 0;
  const rest = drafts.map((draft, at) => ({
    size: 0,
    draft,
    isFirst: !hasEntry && at === 0,
  }));
  return hasEntry ? [{ size, draft: null, isFirst: true }, ...rest] : rest;
}

/** Lessons with answers, drafts and photographs, counted. */
export function journalCount(courses: readonly JournalCourseOutline[]) {
  const lessons = courses.flatMap((course) => course.lessons);
  return {
    lessons: lessons.filter(({ size }) => size > 0).length,
    drafts: lessons.reduce((sum, { drafts }) => sum + drafts.length, 0),
    photographs: lessons.reduce((sum, { photographs }) => sum + photographs.length, 0),
  };
}

/** '3 lessons, 4 answers and 1 draft', without what there is none of. */
export function countInWords({
  lessons = 0,
  answers = 0,
  drafts = 0,
  photographs = 0,
  unreadable = 0,
}: Partial<
  Record<"lessons" | "answers" | "drafts" | "photographs" | "unreadable", number>
>): string {
  const words = (count: number, one: string, rest = "") =>
    count > 0 ? [`${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}${rest}`] : [];
  return new Intl.ListFormat("en-US").format([
    ...words(lessons, "lesson"),
    ...words(answers, "answer"),
    ...words(drafts, "draft"),
    ...words(photographs, "photograph"),
    ...words(unreadable, "text", " that cannot be read just now"),
  ]);
}

/** A user's storage: encrypted text in bytes (some 15 million characters of English) and
 * drafts that were neither sent nor deleted. */
export const storageLimits = { bytes: 20_000_000, drafts: 100 };

const nearly = 0.8;

export type Used = { bytes: number; drafts: number };

/** Null below 80 percent; else how much of the storage is used, in whole percent, at most 100. */
export function percentUsed({ bytes, drafts }: Used): number | null {
  const part = Math.max(bytes / storageLimits.bytes, drafts / storageLimits.drafts);
  return part < nearly ? null : Math.min(100, Math.floor(part * 100));
}

/** Whether a change takes the storage over its limit, and over what was used before. */
export const isOverStorage = (before: Used, after: Used): boolean =>
  after.bytes > Math.max(storageLimits.bytes, before.bytes) ||
  after.drafts > Math.max(storageLimits.drafts, before.drafts);
