import { newId } from "~/platform/db/ids.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime, dateInWords, namedUtc } from "~/platform/time/words.ts";
import { findOutline, journalVersion, openLessons, openPage } from "./entries.server.ts";
import { unreadableMessage } from "./journal-page-messages.ts";
import { shownPhotograph } from "./photograph-messages.ts";
import {
  countInWords,
  journalCount,
  journalPages,
  percentUsed,
  readTarget,
  targetKey,
  type Used,
} from "./rules.ts";
import type {
  JournalCourse,
  JournalCourseOutline,
  JournalDraft,
  LessonOutline,
  WrittenLesson,
} from "./schema.ts";

/** Pages of journals that are being read: a browser that comes back opens all its tabs at once. */
export const runningReadings = limitConcurrency({ each: 12, all: 48 });

type Day = (date: Date) => string;

/** What a page of 'My journal' is made from: read once, and handed down. */
type Reading = {
  services: Services;
  userId: string;
  courses: JournalCourseOutline[];
  params: URLSearchParams;
  day: Day;
  moment: Day;
};

/** What the page 'My journal' shows: an outline of everything, one of its pages, and what is asked there. */
export async function getJournalPage(
  services: Services,
  { userId, url, timeZone }: { userId: string; url: URL; timeZone: string },
) {
  const params = url.searchParams;
  const courses = await findOutline(services.db.read, userId);
  const day = (date: Date) => namedUtc(dateInWords(date, timeZone), timeZone);
  const moment = (date: Date) => namedUtc(dateAndTime(date, timeZone), timeZone);
  const reading: Reading = { services, userId, courses, params, day, moment };
  const pages = journalPages(courses);
  const page = pageAsked(pages, reading);
  const shown = await openPage(services, userId, pages[page] ?? []);
  const begun = await begunBefore(reading, shown);
  return {
    count: journalCount(courses),
    room: percentUsed(usedBy(courses)),
    page: page + 1,
    pages: pages.length,
    outline: outlineOf(courses, pages, day),
    courses: shown.map(({ lessons, ...course }) => ({
      ...course,
      lessons: lessons.map((lesson) => shownLesson(lesson, begun, reading)),
    })),
    edit: await editAsked(reading),
    asking: await deletionAsked(reading),
  };
}

export type JournalPageData = Awaited<ReturnType<typeof getJournalPage>>;
export type JournalPageLesson = JournalPageData["courses"][number]["lessons"][number];
export type AnswerEdit = NonNullable<JournalPageData["edit"]>;
export type AskedDeletion = NonNullable<JournalPageData["asking"]>;

/** The same as of {@link storageUsed}, whose rows the outline has. */
function usedBy(courses: JournalCourseOutline[]): Used {
  const lessons = courses.flatMap((course) => course.lessons);
  const drafts = lessons.flatMap((lesson) => lesson.drafts);
  const bytes = [...lessons, ...drafts].reduce((sum, { size }) => sum + size, 0);
  return { bytes, drafts: drafts.length };
}

type Found = { lesson: LessonOutline; course: JournalCourseOutline; draftId: string | null };

function lessonOf(courses: JournalCourseOutline[], key: string | null): Found | null {
  const target = readTarget(key);
  const draftId = target?.kind === "draft" ? target.draftId : null;
  const photographId = target?.kind === "photograph" ? target.photographId : null;
  const id = target && "lessonId" in target ? target.lessonId : null;
  for (const course of courses)
    for (const lesson of course.lessons)
      if (
        lesson.id === id ||
        (draftId && lesson.drafts.some((draft) => draft.id === draftId)) ||
        (photographId && lesson.photographs.some((picture) => picture.id === photographId))
      )
        return { lesson, course, draftId };
  return null;
}

/** From 0. What was on the last page may have been deleted: then it is the one before. */
function pageAsked(pages: JournalCourseOutline[][], { courses, params }: Reading): number {
  const key = params.get("edit") ?? params.get("delete") ?? params.get("lesson");
  const asked = lessonOf(courses, key);
  const isAsked = ({ id, drafts }: LessonOutline) =>
    id === asked?.lesson.id &&
    (asked.draftId === null || drafts.some((draft) => draft.id === asked.draftId));
  const holding = pages.findIndex((page) => page.some(({ lessons }) => lessons.some(isAsked)));
  if (holding >= 0) return holding;
  const page = params.get("page") ?? "";
  const wanted = /^\d{1,6}$/.test(page) ? Number(page) - 1 : 0;
  return Math.max(0, Math.min(wanted, pages.length - 1));
}

function outlineOf(courses: JournalCourseOutline[], pages: JournalCourseOutline[][], day: Day) {
  const pageOf = new Map<string, number>();
  for (const [index, page] of pages.entries())
    for (const { lessons } of page)
      for (const { id, isContinued } of lessons) if (!isContinued) pageOf.set(id, index + 1);
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

/** The answers of a lesson that began on the page before; only the first one here can be one. */
async function begunBefore(
  reading: Reading,
  shown: JournalCourse[],
): Promise<WrittenLesson | null> {
  const first = shown[0]?.lessons[0];
  if (!first?.isContinued) return null;
  const whole = lessonOf(reading.courses, first.id)?.lesson;
  return whole ? openPart(reading, { ...whole, drafts: [] }) : null;
}

/** The text of a part of one lesson; null where it was deleted meanwhile. */
async function openPart(
  { services, userId }: Reading,
  part: LessonOutline,
): Promise<WrittenLesson | null> {
  const [lesson = null] = await openLessons(services, userId, [part]);
  return lesson;
}

function shownLesson(
  { finishedAt, drafts, photographs, version: _, ...lesson }: WrittenLesson,
  begun: WrittenLesson | null,
  { services, day, moment }: Reading,
) {
  const message = unreadableMessage(services.content.site.email);
  const whole = begun?.id === lesson.id ? begun : lesson;
  return {
    ...lesson,
    finishedOn: finishedAt && day(finishedAt),
    unreadable: whole.unreadable && message,
    answers: lesson.answers.map((answer) => ({
      ...answer,
      key: targetKey({ kind: "answer", lessonId: lesson.id, at: answer.at }),
    })),
    photographs: photographs.map((picture) => shownPhotograph(picture, day)),
    drafts: drafts.map(({ updatedAt, unreadable, ...draft }) => ({
      ...draft,
      key: targetKey({ kind: "draft", draftId: draft.id }),
      when: day(updatedAt),
      moment: moment(updatedAt),
      unreadable: unreadable && message,
      editKey: editOf(whole, draft.answers),
    })),
  };
}

/** The answer that a draft would change, if it is about exactly one that is there. */
function editOf(
  { id, answers }: Pick<WrittenLesson, "id" | "answers">,
  draft: JournalDraft["answers"],
) {
  const [only, another] = draft;
  const found = another ? undefined : answers.find(({ question }) => question === only?.question);
  return found ? targetKey({ kind: "answer", lessonId: id, at: found.at }) : null;
}

/** The box of an answer that is to be changed; with the text of a draft, if one is named. A form
 * that comes back keeps the version that it started from. */
async function editAsked(reading: Reading) {
  const { courses, params } = reading;
  const key = params.get("edit");
  const target = readTarget(key);
  const found = lessonOf(courses, key);
  if (target?.kind !== "answer" || !found) return null;
  const drafts = found.lesson.drafts.filter(({ id }) => id === params.get("draft"));
  const lesson = await openPart(reading, { ...found.lesson, drafts });
  const answer = lesson?.answers.find(({ at }) => at === target.at);
  if (!lesson || !answer) return null;
  const draft = lesson.drafts.find(({ id }) => id === params.get("draft"));
  // Saving gives up the whole draft: one with other answers as well is not taken up.
  const [only, another] = draft?.answers ?? [];
  const restored = !another && only?.question === answer.question ? only.answer : null;
  return {
    key: targetKey(target),
    slug: found.course.slug,
    lessonId: lesson.id,
    version: params.get("version") ?? answer.version,
    question: answer.question,
    text: restored ?? answer.answer,
    /** What stands there now, where the box begins with the text of a draft. */
    now: restored !== null && restored !== answer.answer ? answer.answer : null,
    restored: draft && restored !== null ? { id: draft.id, revision: draft.revision } : null,
    newDraftId: newId(),
  };
}

/** What would go, in words, and its version: whatever is written meanwhile does not go with it. */
async function deletionAsked(reading: Reading) {
  const { courses, day } = reading;
  const key = reading.params.get("delete");
  const target = readTarget(key);
  if (!target || !key) return null;
  const question = { key, kind: target.kind, titles: [] as string[] };
  if (target.kind === "all") {
    if (courses.length === 0) return null;
    const [titles, what] = [courses.map(({ title }) => title), countInWords(journalCount(courses))];
    return { ...question, title: null, titles, what, version: journalVersion(courses) };
  }
  const found = lessonOf(courses, key)?.lesson;
  if (!found) return null;
  const { title, version } = found;
  if (target.kind === "draft") {
    const draft = found.drafts.find(({ id }) => id === target.draftId);
    if (!draft) return null;
    const what = `the draft from ${day(draft.updatedAt)}`;
    return { ...question, title, what, version: String(draft.revision) };
  }
  if (target.kind === "photograph") {
    const picture = found.photographs.find(({ id }) => id === target.photographId);
    if (!picture) return null;
    const what = `the photograph from ${day(picture.createdAt)}`;
    return { ...question, title, what, version: picture.id };
  }
  const entry = await openPart(reading, { ...found, drafts: [] });
  if (target.kind === "lesson") {
    const what = countInWords({
      answers: entry?.answers.length ?? 0,
      drafts: found.drafts.length,
      photographs: found.photographs.length,
      unreadable: Number(entry?.unreadable ?? false),
    });
    return { ...question, title, what, version };
  }
  const answer = entry?.answers.find(({ at }) => at === target.at);
  return answer ? { ...question, title, what: answer.question, version: answer.version } : null;
}
