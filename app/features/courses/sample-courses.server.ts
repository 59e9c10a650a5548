import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { contentType } from "~/platform/storage/content-type.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { insertCourse, insertLesson, insertModule } from "./create-course.server.ts";
import { dedicatedPages, hasDedicatedPage } from "./rules.ts";
import { lessonEmailModes, prompts, slug } from "./schema.ts";

/** `course.yaml` of a sample course. `price` is in dollars. */
const courseFile = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  price: z.number().min(0),
  lesson_emails: lessonEmailModes.default("notice"),
});

/** `module.yaml` in the folder of a module. */
const moduleFile = z.strictObject({ title: z.string().min(1) });

const lessonFrontMatter = z.strictObject({
  title: z.string().min(1),
  slug,
  drip_day: z.number().int().min(0).default(0),
  prompts: prompts.optional(),
  video: z.string().optional(),
  audio: z.string().optional(),
});

/** Reads a sample course: a folder per module and a Markdown file per lesson, in name order.
 * @throws {Error} naming the file and what is wrong with it */
async function readCourse(folder: string) {
  const file = path.join(folder, "course.yaml");
  const { price, lesson_emails, ...course } = checked(
    courseFile,
    parse(await readFile(file, "utf8")),
    file,
  );
  const modules = await Promise.all((await folders(folder)).map(readModule));
  const priceCents = Math.round(price * 100);
  return {
    slug: path.basename(folder),
    ...course,
    priceCents,
    lessonEmails: lesson_emails,
    modules,
  };
}

async function readModule(folder: string) {
  const file = path.join(folder, "module.yaml");
  const { title } = checked(moduleFile, parse(await readFile(file, "utf8")), file);
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  const lessons = await Promise.all(names.map((name) => readLesson(path.join(folder, name))));
  return { title, lessons };
}

async function readLesson(file: string) {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(await readFile(file, "utf8"));
  if (!parts) throw new Error(`${file}: does not begin with front matter between '---' lines`);
  const [, head = "", body = ""] = parts;
  const content = body.trim();
  // Loaded here since it is needed once per database. No requests are served yet, and the texts are
  // the project's own.
  const { markdownToHtml } = await import("~/platform/markdown/render.ts");
  const contentHtml = await markdownToHtml(content);
  return { ...checked(lessonFrontMatter, parse(head), file), content, contentHtml };
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
  for (const folder of await folders(path.join(contentDir, "courses")))
    if (await loadOnce(services, folder)) loaded.push(path.basename(folder));
  await storeMedia(services, contentDir);
  return loaded;
}

/** The first value of a course's 'Coming soon': both are announced (spec 2), or as COMING_SOON says.
 * From then on it is changed in the course's form. */
const firstComingSoon = ({ config }: Services, slug: string): boolean =>
  config.comingSoon?.includes(slug) ?? hasDedicatedPage(slug);

/** Gives courses from before the column, deleted ones too, their first value, once per database. */
export async function adoptComingSoon(services: Services): Promise<void> {
  const now = services.clock.now();
  const slugs = dedicatedPages.filter((slug) => firstComingSoon(services, slug));
  await services.db.transaction(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("settings")
      .values({ name: "coming-soon-adopted", value: "yes", createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows || slugs.length === 0) return;
    await trx
      .updateTable("products")
      .set({ comingSoon: true })
      .where("slug", "in", slugs)
      .execute();
  });
}

async function loadOnce(services: Services, folder: string) {
  const slug = path.basename(folder);
  if (await isKnown(services.db.write, slug)) return false;
  const { modules, ...course } = await readCourse(folder);
  return services.db.transaction(async (trx) => {
    const now = services.clock.now();
    // If two processes start at once, the one that inserts this row loads the course.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("settings")
      .values({ name: settingName(slug), value: "loaded", createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) return false;
    const comingSoon = firstComingSoon(services, slug);
    const productId = await insertCourse(trx, { ...course, comingSoon }, now);
    for (const [place, { title, lessons }] of modules.entries()) {
      const module = { productId, title, orderNum: place + 1 };
      const moduleId = await insertModule(trx, module, now);
      for (const [index, { drip_day, video, audio, ...lesson }] of lessons.entries())
        await insertLesson(
          trx,
          {
            ...lesson,
            moduleId,
            orderNum: index + 1,
            dripDay: drip_day,
            prompts: lesson.prompts ?? null,
            muxPlaybackId: video ? samplePrefix + video : null,
            audioKey: audio ? samplePrefix + audio : null,
          },
          now,
        );
    }
    return true;
  });
}

async function isKnown(db: Query, slug: string): Promise<boolean> {
  if (await isAny(db.selectFrom("settings").where("name", "=", settingName(slug)))) return true;
  return isAny(db.selectFrom("products").where("slug", "=", slug));
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
  const inBucket = (bucket: Bucket, keys: (string | null)[]) =>
    [...new Set(keys)].flatMap((key) => (key?.startsWith(samplePrefix) ? [{ bucket, key }] : []));
  return [
    ...inBucket(
      "course-videos",
      lessons.map((lesson) => lesson.muxPlaybackId),
    ),
    ...inBucket(
      "course-audio",
      lessons.map((lesson) => lesson.audioKey),
    ),
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

const settingName = (slug: string) => `sample-course:${slug}`;
