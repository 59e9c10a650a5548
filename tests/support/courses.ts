import {
  insertCourse,
  insertLesson,
  insertModule,
  prepareLesson,
} from "~/features/courses/create-course.server.ts";
import type { Prompt } from "~/features/courses/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

type LessonSketch = {
  slug?: string;
  title?: string;
  dripDay?: number;
  content?: string;
  prompts?: Prompt[] | null;
  muxPlaybackId?: string | null;
  audioKey?: string | null;
};

export type TestLesson = { id: string; slug: string; moduleId: string };
export type TestCourse = {
  id: string;
  slug: string;
  /** Lessons by module, in order. */
  modules: { id: string; lessons: TestLesson[] }[];
};

/** A course from a sketch: one list a module, one entry a lesson. */
export async function createCourse(
  services: Services,
  modules: LessonSketch[][],
  { slug = `course-${newId()}`, title = "A course", priceCents = 19700 } = {},
): Promise<TestCourse> {
  const { db, clock } = services;
  const now = clock.now();
  const id = await insertCourse(db.write, { slug, title, description: null, priceCents }, now);
  const course: TestCourse = { id, slug, modules: [] };
  for (const [moduleIndex, lessons] of modules.entries()) {
    const moduleId = await insertModule(
      db.write,
      { productId: id, title: `Module ${moduleIndex + 1}`, orderNum: moduleIndex + 1 },
      now,
    );
    const made: TestLesson[] = [];
    for (const [index, sketch] of lessons.entries()) {
      const lesson = await prepareLesson({
        moduleId,
        title: `Lesson ${moduleIndex + 1}.${index + 1}`,
        slug: `lesson-${moduleIndex + 1}-${index + 1}`,
        orderNum: index + 1,
        dripDay: 0,
        content: "Some *words*.",
        prompts: null,
        muxPlaybackId: null,
        audioKey: null,
        ...sketch,
      });
      made.push({ id: await insertLesson(db.write, lesson, now), slug: lesson.slug, moduleId });
    }
    course.modules.push({ id: moduleId, lessons: made });
  }
  return course;
}
