import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { contentType } from "~/platform/storage/content-type.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { insertCourse, insertLesson, insertModule } from "./create-course.server.ts";
import { type LessonEmailMode, lessonEmailModes, prompts, slug } from "./schema.ts";

/** `course.yaml` of a sample course. `price` is in dollars. */
export const courseFile = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  price: z.number().min(0),
  lesson_emails: lessonEmailModes.default("notice"),
});

/** `module.yaml` in the folder of a module. */
export const moduleFile = z.strictObject({ title: z.string().min(1) });

export const lessonFrontMatter = z.strictObject({
  title: z.string().min(1),
  slug,
  drip_day: z.number().int().min(0).default(0),
  prompts: prompts.optional(),
  video: z.string().optional(),
  audio: z.string().optional(),
});

export type SampleLesson = z.infer<typeof lessonFrontMatter> & { content: string };
export type SampleModule = { title: string; lessons: SampleLesson[] };
export type SampleCourse = {
  slug: string;
  title: string;
  description: string;
  priceCents: number;
  lessonEmails: LessonEmailMode;
  modules: SampleModule[];
};

/** The slugs of the sample courses: one folder per course, in name order. */
export async function listSampleCourses(contentDir: string): Promise<string[]> {
  return (await folders(path.join(contentDir, "courses"))).map((name) => path.basename(name));
}

/** Reads a sample course: a folder per module and a Markdown file per lesson, in name order.
 * @throws {Error} naming the file and what is wrong with it */
export function readSampleCourse(contentDir: string, slug: string): Promise<SampleCourse> {
  return readCourse(path.join(contentDir, "courses", slug), slug);
}

async function readCourse(folder: string, slug: string): Promise<SampleCourse> {
  const file = path.join(folder, "course.yaml");
  const { price, lesson_emails, ...course } = checked(
    courseFile,
    parse(await readFile(file, "utf8")),
    file,
  );
  const modules = await Promise.all((await folders(folder)).map(readModule));
  const priceCents = Math.round(price * 100);
  return { slug, ...course, priceCents, lessonEmails: lesson_emails, modules };
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

/** Keys of sample media begin with this prefix; no upload's key does. */
const samplePrefix = "samples/";

/** Loads each sample course once per database, and only if its slug is free: what an admin has
 * edited or deleted is never overwritten or restored. Returns loaded slugs. */
export async function loadSampleCourses(services: Services, contentDir: string): Promise<string[]> {
  const loaded: string[] = [];
  for (const slug of await listSampleCourses(contentDir))
    if (await loadOnce(services, contentDir, slug)) loaded.push(slug);
  await storeMedia(services, contentDir);
  return loaded;
}

async function loadOnce(services: Services, contentDir: string, slug: string) {
  if (await isKnown(services.db.write, slug)) return false;
  const course = await readSampleCourse(contentDir, slug);
  // Loaded here since it is needed once per database. No requests are served yet, and the texts are
  // the project's own.
  const { markdownToHtml } = await import("~/platform/markdown/render.ts");
  const prepared = async <L extends { content: string }>(lesson: L) => ({
    ...lesson,
    contentHtml: await markdownToHtml(lesson.content),
  });
  const modules = await Promise.all(
    course.modules.map(async (module) => ({
      ...module,
      lessons: await Promise.all(module.lessons.map(prepared)),
    })),
  );
  return services.db.transaction(async (trx) => {
    const now = services.clock.now();
    // If two processes start at once, the one that inserts this row loads the course.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("settings")
      .values({ name: settingName(course.slug), value: "loaded", createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) return false;
    const { title, description, priceCents, lessonEmails } = course;
    const fields = { slug, title, description, priceCents, lessonEmails };
    const productId = await insertCourse(trx, fields, now);
    for (const [moduleIndex, module] of modules.entries()) {
      const moduleId = await insertModule(
        trx,
        { productId, title: module.title, orderNum: moduleIndex + 1 },
        now,
      );
      for (const [index, { drip_day, video, audio, ...lesson }] of module.lessons.entries())
        await insertLesson(
          trx,
          {
            ...lesson,
            moduleId,
            orderNum: index + 1,
            dripDay: drip_day,
            prompts: lesson.prompts ?? null,
            muxPlaybackId: video ? sampleKey(video) : null,
            audioKey: audio ? sampleKey(audio) : null,
          },
          now,
        );
    }
    return true;
  });
}

async function isKnown(db: Query, slug: string): Promise<boolean> {
  const setting = await db
    .selectFrom("settings")
    .select("name")
    .where("name", "=", settingName(slug))
    .executeTakeFirst();
  if (setting) return true;
  const course = await db
    .selectFrom("products")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirst();
  return course !== undefined;
}

/** Puts the sample media of lessons into storage and into the register of files. Runs at every
 * start: a machine that joins later has the courses in its database, but no files on its disk. */
async function storeMedia(services: Services, contentDir: string) {
  for (const { bucket, key } of await namedMedia(services.db.read)) {
    const source = path.join(contentDir, "media", key.slice(samplePrefix.length));
    // Another version of the site may have had other files.
    if (!existsSync(source)) continue;
    if (!(await services.storage.find(bucket, key)))
      await services.storage.putFile(bucket, key, source);
    await register(services, bucket, key, source);
  }
}

async function namedMedia(db: Query): Promise<{ bucket: Bucket; key: string }[]> {
  const lessons = await db
    .selectFrom("lessons")
    .select(["muxPlaybackId", "audioKey"])
    .where((eb) =>
      eb.or([
        eb("muxPlaybackId", "like", `${samplePrefix}%`),
        eb("audioKey", "like", `${samplePrefix}%`),
      ]),
    )
    .execute();
  const keys = (list: (string | null)[]) =>
    [...new Set(list)].filter((key): key is string => key?.startsWith(samplePrefix) ?? false);
  return [
    ...keys(lessons.map(({ muxPlaybackId }) => muxPlaybackId)).map((key) => ({
      bucket: "course-videos" as const,
      key,
    })),
    ...keys(lessons.map(({ audioKey }) => audioKey)).map((key) => ({
      bucket: "course-audio" as const,
      key,
    })),
  ];
}

async function register({ db, clock }: Services, bucket: Bucket, key: string, source: string) {
  const known = await db.read
    .selectFrom("mediaFiles")
    .select("id")
    .where("bucket", "=", bucket)
    .where("key", "=", key)
    .executeTakeFirst();
  if (known) return;
  const { parseBuffer } = await import("music-metadata");
  const bytes = await readFile(source);
  const { format } = await parseBuffer(bytes, { path: source }, { duration: true });
  await db.write
    .insertInto("mediaFiles")
    .values({
      id: newId(),
      bucket,
      key,
      fileName: path.basename(source),
      contentType: contentType(bucket, key),
      size: bytes.length,
      durationMs: format.duration ? Math.round(format.duration * 1000) : null,
      createdAt: clock.now(),
    })
    .onConflict((conflict) => conflict.columns(["bucket", "key"]).doNothing())
    .execute();
}

function sampleKey(name: string): string {
  return samplePrefix + name;
}

function settingName(slug: string): string {
  return `sample-course:${slug}`;
}
