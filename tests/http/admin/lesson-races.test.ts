import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { lockCourse } from "~/features/courses/courses.server.ts";
import { moduleMessages } from "~/features/courses/messages.ts";
import { updateModule } from "~/features/courses/modules.server.ts";
import { createLesson, updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { createCourse } from "../../support/courses.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { openTestServices } from "../../support/services.ts";

// SQLite has one writer: there, nothing is written at the same moment.
describe.runIf(process.env.TEST_DATABASE_URL)("a lesson saved in the very moment", () => {
  const kit = openForTests(openTestServices);

  /** Ends when someone waits for a lock, or when what should wait has ended. */
  async function untilItWaits(work: Promise<unknown>) {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void work.then(over, over);
    const waiting = sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while (!isOver && !(await waiting.execute(kit.services.db.read)).rows[0]?.n);
  }

  const wanted = (id: string, moduleId: string) => ({
    id,
    moduleId,
    title: "A lesson",
    slug: `lesson-${id}`,
    orderNum: 9,
    dripDay: 0,
    content: "",
    prompts: null,
  });

  test("that its video is there gets it", async () => {
    const { db, clock } = kit.services;
    const [module] = (await createCourse(kit.services, [[]])).modules;
    const [lessonId, key] = [newId(), `${newId()}/1-film.mp4`];
    const file = { id: newId(), bucket: "course-videos", key, lessonId, createdAt: clock.now() };
    const about = { fileName: "film.mp4", contentType: "video/mp4", size: 1, durationMs: 1 };
    const saved = await db.transaction(async (trx) => {
      await lockId(db, trx, lessonId);
      await trx
        .insertInto("mediaFiles")
        .values({ ...file, ...about })
        .execute();
      const work = createLesson(kit.services, wanted(lessonId, module?.id ?? ""));
      await untilItWaits(work);
      return { work };
    });
    expect(await saved.work).toMatchObject({ kind: "saved" });
    const lesson = db.read.selectFrom("lessons").selectAll().where("id", "=", lessonId);
    expect((await lesson.executeTakeFirst())?.muxPlaybackId).toBe(key);
  });

  test.each(["new", "old"])("that its module is deleted is not saved: a %s one", async (age) => {
    const { services } = kit;
    const course = await createCourse(services, [[], [{}]]);
    const [to, from] = course.modules;
    const lesson = wanted(age === "new" ? newId() : (from?.lessons[0]?.id ?? ""), to?.id ?? "");
    const deleted = await services.db.transaction(async (trx) => {
      const now = services.clock.now();
      await lockCourse(trx, course.id, now);
      await trx
        .updateTable("modules")
        .set({ deletedAt: now })
        .where("id", "=", lesson.moduleId)
        .execute();
      const work =
        age === "new"
          ? createLesson(services, lesson)
          : updateLesson(services, { ...lesson, revision: 1 });
      await untilItWaits(work);
      return { work };
    });
    expect(await deleted.work).toEqual({ kind: "module" });
  });

  test("that the course is deleted which its module is leaving goes with both", async () => {
    const { services } = kit;
    const [from, to] = [await createCourse(services, [[{}]]), await createCourse(services, [[]])];
    const id = from.modules[0]?.id ?? "";
    const words = { title: "Module 1", orderNum: 1, orderBefore: 1 };
    const module = { id, ...words, productId: to.id, revision: 1 };
    const deleted = await services.db.transaction(async (trx) => {
      const now = services.clock.now();
      await lockCourse(trx, from.id, now);
      const mark = { deletedAt: now };
      await trx.updateTable("lessons").set(mark).where("moduleId", "=", id).execute();
      const work = updateModule(services, module);
      await untilItWaits(work);
      await trx.updateTable("modules").set(mark).where("productId", "=", from.id).execute();
      await trx.updateTable("products").set(mark).where("id", "=", from.id).execute();
      return { work };
    });
    await expect(deleted.work).rejects.toMatchObject({
      code: "not_found",
      message: moduleMessages.gone,
    });
    const row = services.db.read.selectFrom("modules").select("deletedAt").where("id", "=", id);
    expect((await row.executeTakeFirstOrThrow()).deletedAt).not.toBeNull();
  });
});
