import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { contentType } from "~/platform/storage/content-type.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { insertCourse, insertLesson, insertModule } from "../commands.server.ts";
import { listSampleCourses, readSampleCourse } from "./queries.server.ts";

/** Keys of sample media begin with it; no upload's does. */
const samplePrefix = "samples/";

/**
 * Loads each sample course once in the life of a database, and only if its slug is
 * free: what an administrator has edited or deleted is never touched or brought back.
 * @returns the slugs that were loaded
 */
export async function loadSampleCourses(services: Services, contentDir: string): Promise<string[]> {
  const loaded: string[] = [];
  for (const slug of await listSampleCourses(contentDir))
    if (await loadOnce(services, contentDir, slug)) loaded.push(slug);
  await keepMedia(services, contentDir);
  return loaded;
}

async function loadOnce(services: Services, contentDir: string, slug: string) {
  if (await isKnown(services.db.write, slug)) return false;
  const course = await readSampleCourse(contentDir, slug);
  // Nobody is served yet, and the texts are the project's own. Needed once in the life of a database.
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
    // Of two processes that start at once, the one that writes this row loads the course.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("settings")
      .values({ name: settingName(course.slug), value: "loaded", createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) return false;
    const { title, description, priceCents, lessonMails } = course;
    const fields = { slug, title, description, priceCents, lessonMails };
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

/**
 * Sample media that lessons name is in storage, and in the register of files. Looked at after every
 * start: a machine that joins later finds the courses in the database, and no file on its disk.
 */
async function keepMedia(services: Services, contentDir: string) {
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
  // Needed once in the life of a database.
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
