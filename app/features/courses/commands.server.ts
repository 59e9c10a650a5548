import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { renderMarkdown } from "~/platform/markdown/renderer.ts";
import type { LessonMails } from "./products/schema.ts";
import type { Prompt } from "./schema.ts";

export type NewCourse = {
  slug: string;
  title: string;
  description: string | null;
  priceCents: number;
  lessonMails?: LessonMails;
};

export type NewLesson = {
  moduleId: string;
  title: string;
  slug: string;
  orderNum: number;
  dripDay: number;
  content: string;
  prompts: Prompt[] | null;
  muxPlaybackId: string | null;
  audioKey: string | null;
};

/** Adds an active course. @returns its id */
export async function insertCourse(db: Query, course: NewCourse, now: Date): Promise<string> {
  const id = newId();
  await db
    .insertInto("products")
    .values({ id, ...course, active: true, createdAt: now, updatedAt: now })
    .execute();
  return id;
}

/** Adds a module to a course. @returns its id */
export async function insertModule(
  db: Query,
  module: { productId: string; title: string; orderNum: number },
  now: Date,
): Promise<string> {
  const id = newId();
  await db
    .insertInto("modules")
    .values({ id, ...module, createdAt: now, updatedAt: now })
    .execute();
  return id;
}

/**
 * A lesson ready to be stored: its Markdown is made into safe HTML once, here.
 * @throws {MarkdownRefused}
 */
export async function prepareLesson<L extends { content: string }>(lesson: L) {
  return { ...lesson, contentHtml: await renderMarkdown(lesson.content) };
}

/** Adds a lesson prepared by {@link prepareLesson}. @returns its id */
export async function insertLesson(
  db: Query,
  lesson: NewLesson & { contentHtml: string },
  now: Date,
): Promise<string> {
  const id = newId();
  const { prompts, ...columns } = lesson;
  await db
    .insertInto("lessons")
    .values({
      id,
      ...columns,
      prompts: prompts ? JSON.stringify(prompts) : null,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return id;
}
