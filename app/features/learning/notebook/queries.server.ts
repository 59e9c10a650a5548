import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { journalVersion, readJournal } from "../journal/queries.server.ts";
import {
  countInWords,
  journalCount,
  journalPages,
  lessonsCount,
  readTarget,
  targetKey,
} from "../journal/rules.ts";
import type { JournalCourse, JournalLesson, KeptDraft } from "../journal/schema.ts";
import { cannotBeRead } from "../journal/texts.ts";
import type { SeenDraft } from "../schema.ts";

type Asked = { userId: string; url: URL; timeZone: string };

/** What the page 'My journal' shows: an outline of everything, one of its pages, and what is asked there. */
export async function getNotebook(services: Services, { userId, url, timeZone }: Asked) {
  const courses = await readJournal(services, userId);
  const pages = journalPages(courses);
  const asks = {
    edit: url.searchParams.get("edit"),
    delete: url.searchParams.get("delete"),
    lesson: url.searchParams.get("lesson"),
  };
  const lessonId = lessonOf(courses, asks.edit ?? asks.delete ?? asks.lesson);
  const day = (date: Date) => dateInWords(date, timeZone);
  const page = pageAsked(pages, lessonId, url.searchParams.get("page"));
  return {
    count: journalCount(courses),
    page: page + 1,
    pages: pages.length,
    outline: outlineOf(courses, pages, day),
    courses: (pages[page] ?? []).map((course) => shownCourse(course, day)),
    edit: editAsked(courses, asks.edit, url.searchParams),
    asking: deletionAsked(courses, asks.delete, day),
  };
}

export type Notebook = Awaited<ReturnType<typeof getNotebook>>;
export type NotebookCourse = Notebook["courses"][number];
export type NotebookLesson = NotebookCourse["lessons"][number];
export type AnswerEdit = NonNullable<Notebook["edit"]>;
export type AskedDeletion = NonNullable<Notebook["asking"]>;

/** The lesson that an address is about, if it is in the journal. */
function lessonOf(courses: JournalCourse[], key: string | null): string | null {
  const target = readTarget(key);
  const lessons = courses.flatMap((course) => course.lessons);
  if (target?.kind === "draft")
    return lessons.find(({ drafts }) => drafts.some(({ id }) => id === target.draftId))?.id ?? null;
  const id = target && "lessonId" in target ? target.lessonId : null;
  return lessons.some((lesson) => lesson.id === id) ? id : null;
}

/** From 0. What was on the last page may have been deleted: then it is the one before. */
function pageAsked(pages: JournalCourse[][], lessonId: string | null, page: string | null): number {
  const holding = pages.findIndex((courses) =>
    courses.some(({ lessons }) => lessons.some(({ id }) => id === lessonId)),
  );
  if (holding >= 0) return holding;
  const asked = /^\d{1,6}$/.test(page ?? "") ? Number(page) - 1 : 0;
  return Math.max(0, Math.min(asked, pages.length - 1));
}

type Day = (date: Date) => string;

function outlineOf(courses: JournalCourse[], pages: JournalCourse[][], day: Day) {
  const pageOf = new Map<string, number>();
  for (const [index, page] of pages.entries())
    for (const { lessons } of page) for (const { id } of lessons) pageOf.set(id, index + 1);
  return courses.map(({ id, title, lessons }) => ({
    id,
    title,
    lessons: lessons.map((lesson) => ({
      id: lesson.id,
      title: lesson.title,
      page: pageOf.get(lesson.id) ?? 1,
      when: lesson.finishedAt ? day(lesson.finishedAt) : "Not finished",
    })),
  }));
}

function shownCourse({ lessons, ...course }: JournalCourse, day: Day) {
  return { ...course, lessons: lessons.map((lesson) => shownLesson(lesson, day)) };
}

function shownLesson({ finishedAt, drafts, version: _, ...lesson }: JournalLesson, day: Day) {
  return {
    ...lesson,
    finishedOn: finishedAt && day(finishedAt),
    unreadable: lesson.unreadable && cannotBeRead(site.email),
    answers: lesson.answers.map((answer) => ({
      ...answer,
      key: targetKey({ kind: "answer", lessonId: lesson.id, at: answer.at }),
    })),
    drafts: drafts.map(({ id, revision, answers, updatedAt, unreadable }) => ({
      id,
      revision,
      key: targetKey({ kind: "draft", draftId: id }),
      when: day(updatedAt),
      answers,
      unreadable: unreadable && cannotBeRead(site.email),
      editKey: editOf(lesson, answers),
    })),
  };
}

/** The answer that a draft would change, if it is about exactly one that is there. */
function editOf(
  { id, answers }: Pick<JournalLesson, "id" | "answers">,
  draft: KeptDraft["answers"],
) {
  const [only, another] = draft;
  const found = another ? undefined : answers.find(({ question }) => question === only?.question);
  return found ? targetKey({ kind: "answer", lessonId: id, at: found.at }) : null;
}

/**
 * The box of an answer that is to be changed; with the words of a draft, if one is named. A form
 * that comes back keeps the version that its writing started from.
 */
function editAsked(courses: JournalCourse[], key: string | null, params: URLSearchParams) {
  const target = readTarget(key);
  if (target?.kind !== "answer") return null;
  for (const course of courses)
    for (const lesson of course.lessons) {
      if (lesson.id !== target.lessonId) continue;
      const answer = lesson.answers.find(({ at }) => at === target.at);
      const draft = lesson.drafts.find(({ id }) => id === params.get("draft"));
      // Saving gives up the whole draft: one with other answers as well is not taken up.
      const [only, another] = draft?.answers ?? [];
      const restored = !another && only?.question === answer?.question ? only : undefined;
      const older: SeenDraft | null =
        draft && restored ? { id: draft.id, revision: draft.revision } : null;
      return answer
        ? {
            key: targetKey(target),
            slug: course.slug,
            lessonId: lesson.id,
            version: params.get("version") ?? answer.version,
            question: answer.question,
            text: restored?.answer ?? answer.answer,
            /** What stands there now, where the box begins with the words of a draft. */
            now: restored && restored.answer !== answer.answer ? answer.answer : null,
            restored: older,
            newDraftId: newId(),
          }
        : null;
    }
  return null;
}

/** What would go, in words, and its version: whatever is written meanwhile does not go with it. */
function deletionAsked(courses: JournalCourse[], key: string | null, day: Day) {
  const target = readTarget(key);
  if (!target || !key) return null;
  const asked = { key, kind: target.kind };
  if (target.kind === "all") {
    const count = journalCount(courses);
    if (count.lessons === 0) return null;
    const titles = courses.map(({ title }) => title);
    return {
      ...asked,
      title: null,
      titles,
      what: countInWords(count),
      version: journalVersion(courses),
    };
  }
  const id = lessonOf(courses, key);
  const lesson = courses.flatMap(({ lessons }) => lessons).find((one) => one.id === id);
  if (!lesson) return null;
  const { title } = lesson;
  if (target.kind === "lesson")
    return {
      ...asked,
      title,
      titles: [],
      what: countInWords(lessonsCount([lesson])),
      version: lesson.version,
    };
  if (target.kind === "draft") {
    const draft = lesson.drafts.find((one) => one.id === target.draftId);
    if (!draft) return null;
    const what = `the draft from ${day(draft.updatedAt)}`;
    return { ...asked, title, titles: [], what, version: String(draft.revision) };
  }
  const answer = lesson.answers.find(({ at }) => at === target.at);
  return answer
    ? { ...asked, title, titles: [], what: answer.question, version: answer.version }
    : null;
}
