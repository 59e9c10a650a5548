import path from "node:path";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { insertCourse, insertLesson, insertModule, prepareLesson } from "../commands.server.ts";
import { listSampleCourses, readSampleCourse } from "./queries.server.ts";
import type { SampleCourse } from "./schema.ts";

/**
 * Loads each sample course once in the life of a database, and only if its slug is
 * free: what an administrator has edited or deleted is never touched or brought back.
 * @returns the slugs that were loaded
 */
export async function loadSampleCourses(services: Services, contentDir: string): Promise<string[]> {
  const loaded: string[] = [];
  for (const slug of await listSampleCourses(contentDir))
    if (await loadOnce(services, contentDir, slug)) loaded.push(slug);
  return loaded;
}

async function loadOnce(services: Services, contentDir: string, slug: string) {
  if (await isKnown(services.db.write, slug)) return false;
  const course = await readSampleCourse(contentDir, slug);
  const modules = await Promise.all(
    course.modules.map(async (module) => ({
      ...module,
      lessons: await Promise.all(module.lessons.map(prepareLesson)),
    })),
  );
  await storeMedia(services, contentDir, course);
  return services.db.transaction(async (trx) => {
    const now = services.clock.now();
    // Of two processes that start at once, the one that writes this row loads the course.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("settings")
      .values({ name: settingName(course.slug), value: "loaded", createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) return false;
    const { title, description, priceCents } = course;
    const productId = await insertCourse(trx, { slug, title, description, priceCents }, now);
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

async function storeMedia({ storage }: Services, contentDir: string, course: SampleCourse) {
  const lessons = course.modules.flatMap((module) => module.lessons);
  const files: [Bucket, string | undefined][] = lessons.flatMap((lesson) => [
    ["course-videos", lesson.video],
    ["course-audio", lesson.audio],
  ]);
  for (const [bucket, name] of files)
    if (name && !(await storage.find(bucket, sampleKey(name))))
      await storage.putFile(bucket, sampleKey(name), path.join(contentDir, "media", name));
}

function sampleKey(name: string): string {
  return `samples/${name}`;
}

function settingName(slug: string): string {
  return `sample-course:${slug}`;
}
