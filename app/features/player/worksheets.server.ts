import { findCourseAccess, getOutline } from "~/features/enrollments/access.server.ts";
import { lessonByKey, lessonsInOrder } from "~/features/enrollments/lesson-order.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import {
  everyLessonOpen,
  type Lesson,
  type Module,
  opensAt,
} from "~/features/enrollments/rules.ts";
import { redirectFrom } from "~/features/redirects/missing-page.server.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import { comingDay } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { playbackMessages } from "./messages.ts";
import { previewDay } from "./rules.ts";

/** A blank worksheet: its questions, and never an answer. */
export type Worksheet = { id: string; title: string; module: string; questions: string[] };

export type WorkbookChapter = {
  id: string;
  title: string;
  worksheets: Worksheet[];
  /** Lessons that are not open yet: only their names, and when they open. */
  later: { id: string; title: string; opens: string }[];
};

/** Workbooks that are being made. */
export const runningWorkbooks = limitConcurrency({ each: 3, all: 24 });

type Asked = {
  viewer: { id: string; role: string };
  slug: string;
  url: URL;
  timeZone: string;
};

/** The course of who may study it: enrolled students, and administrators in a preview.
 * @throws a redirect as the player does (spec 2, Lesson player) */
async function requireStudy(services: Services, { viewer, slug, url }: Asked) {
  const course = await findCourseAccess(services, { userId: viewer.id, slug });
  if (!course)
    throw (
      (await redirectFrom(services, url)) ??
      redirectWithToast("/courses", accessMessages.courseMissing)
    );
  const day = previewDay(url.searchParams.get("day"));
  const isAdmin = viewer.role === "admin";
  const isPreview = isAdmin && (!course.enrolledAt || url.searchParams.get("view") === "student");
  const from = day === null ? everyLessonOpen : opensAt(-day, services.clock.now());
  const enrolledAt = isPreview ? from : course.enrolledAt;
  if (!enrolledAt) throw redirectWithToast(`/courses/${course.slug}`, accessMessages.notEnrolled);
  const asked = { userId: viewer.id, productId: course.id, enrolledAt };
  return { course, enrolledAt, outline: await getOutline(services, asked) };
}

async function readQuestions({ db }: Services, lessons: readonly Lesson[]) {
  const ids = lessons.filter(({ isLocked }) => !isLocked).map(({ id }) => id);
  if (ids.length === 0) return new Map<string, string[]>();
  const rows = await db.read
    .selectFrom("lessons")
    .select(["id", "prompts"])
    .where("id", "in", ids)
    .execute();
  return new Map(
    rows.map(({ id, prompts }) => [id, (prompts ?? []).map(({ question }) => question)]),
  );
}

/** The worksheet of one open lesson. @throws {Refused} not_found without such a lesson or without
 * questions in it, locked before its day */
export async function getWorksheet(services: Services, asked: Asked) {
  const { course, outline } = await requireStudy(services, asked);
  const lesson = lessonByKey(outline, asked.url.searchParams.get("lesson") ?? "");
  if (!lesson) throw new Refused("not_found", playbackMessages.noLesson);
  if (lesson.isLocked) throw new Refused("locked", accessMessages.locked);
  const questions = (await readQuestions(services, [lesson])).get(lesson.id) ?? [];
  if (questions.length === 0) throw new Refused("not_found", playbackMessages.noLesson);
  const module = outline.find(({ lessons }) => lessons.includes(lesson))?.title ?? "";
  const worksheet: Worksheet = { id: lesson.id, title: lesson.title, module, questions };
  return { course: { slug: course.slug, title: course.title }, worksheet };
}

/** A course's worksheets, a module at a time: what is sent is in memory once. */
export async function getWorkbook(services: Services, asked: Asked) {
  const { course, outline, enrolledAt } = await requireStudy(services, asked);
  const now = services.clock.now();
  async function* chapters(): AsyncGenerator<WorkbookChapter> {
    for (const module of outline)
      yield chapterOf(module, await readQuestions(services, module.lessons));
  }
  const chapterOf = (
    { id, title, lessons }: Module,
    questions: ReadonlyMap<string, string[]>,
  ): WorkbookChapter => ({
    ...{ id, title },
    worksheets: lessons
      .map((lesson) => ({
        ...{ id: lesson.id, title: lesson.title, module: title },
        questions: questions.get(lesson.id) ?? [],
      }))
      .filter(({ questions }) => questions.length > 0),
    later: lessons
      .filter(({ isLocked }) => isLocked)
      .map(({ id, title, dripDay }) => ({
        ...{ id, title },
        opens: comingDay(opensAt(dripDay, enrolledAt), now, asked.timeZone),
      })),
  });
  return {
    course: { slug: course.slug, title: course.title },
    lessons: lessonsInOrder(outline).length,
    chapters: chapters(),
  };
}
