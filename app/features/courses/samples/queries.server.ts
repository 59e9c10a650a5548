import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import type { z } from "zod";
import {
  courseFile,
  lessonFrontMatter,
  moduleFile,
  type SampleCourse,
  type SampleLesson,
  type SampleModule,
} from "./schema.ts";

/** The slugs of the sample courses: one folder a course, in the order of their names. */
export async function listSampleCourses(contentDir: string): Promise<string[]> {
  return (await folders(path.join(contentDir, "courses"))).map((name) => path.basename(name));
}

/**
 * Reads a sample course: one folder a module, one Markdown file a lesson, in the order
 * of their names.
 * @throws an error that names the file and what is wrong with it
 */
export function readSampleCourse(contentDir: string, slug: string): Promise<SampleCourse> {
  return readCourse(path.join(contentDir, "courses", slug), slug);
}

async function readCourse(folder: string, slug: string): Promise<SampleCourse> {
  const file = path.join(folder, "course.yaml");
  const { price, lesson_mails, ...course } = checked(
    courseFile,
    parse(await readFile(file, "utf8")),
    file,
  );
  const modules = await Promise.all((await folders(folder)).map(readModule));
  const priceCents = Math.round(price * 100);
  return { slug, ...course, priceCents, lessonMails: lesson_mails, modules };
}

async function readModule(folder: string): Promise<SampleModule> {
  const file = path.join(folder, "module.yaml");
  const { title } = checked(moduleFile, parse(await readFile(file, "utf8")), file);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  const lessons = await Promise.all(names.map((name) => readLesson(path.join(folder, name))));
  return { title, lessons };
}

async function readLesson(file: string): Promise<SampleLesson> {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await readFile(file, "utf8"));
  if (!parts) throw new Error(`${file}: does not begin with front matter between '---' lines`);
  const [, head = "", body = ""] = parts;
  return { ...checked(lessonFrontMatter, parse(head), file), content: body.trim() };
}

async function folders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(root, entry.name))
    .sort();
}

function checked<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`${file}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is wrong"}`);
}
