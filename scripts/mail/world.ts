import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadSampleCourses } from "~/features/courses/sample-courses.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { newId } from "~/platform/db/ids.ts";
import type { LessonEmailSetting } from "~/platform/db/tables.ts";
import type { Clock } from "~/platform/utils/clock.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";

/** Where the emails' links lead, and when they are written: half past eight in the morning where Ada is. */
const appUrl = "https://bluedot.example";
const now = new Date("2026-11-22T13:30:00Z");

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * A site of its own in a folder of its own, gone when it is closed: the sample courses, Ada, who
 * studies, and Nora, who looks after it. No server, no worker, and no mail leaves it.
 */
export async function openWorld() {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-emails-"));
  const env = { NODE_ENV: "production", DATA_DIR: folder, APP_URL: appUrl, LOG_LEVEL: "silent" };
  const clock: Clock = { now: () => now };
  const services = await openServices(loadConfig({ ...env, TRUSTED_PROXIES: "1" }), clock);
  await loadSampleCourses(services, path.join(projectRoot, "content"));
  const ada = { id: newId(), name: "Ada", email: "ada@example.com" };
  const nora = { id: newId(), name: "Nora", email: "nora@example.com" };
  const common = {
    emailVerified: true,
    timeZone: "America/New_York",
    createdAt: now,
    updatedAt: now,
  };
  await services.db.write
    .insertInto("profiles")
    .values([
      { ...ada, ...common, role: "student" },
      { ...nora, ...common, role: "admin" },
    ])
    .execute();

  return {
    services,
    now,
    ada,
    nora,
    /** The course with this slug, and its modules in order; it sends these emails about its lessons. */
    async course(slug: string, lessonEmails: LessonEmailSetting = "notice") {
      const { db } = services;
      await db.write
        .updateTable("products")
        .set({ lessonEmails })
        .where("slug", "=", slug)
        .execute();
      const course = await db.read
        .selectFrom("products")
        .select(["id", "title"])
        .where("slug", "=", slug)
        .executeTakeFirstOrThrow();
      const modules = await db.read
        .selectFrom("modules")
        .select("id")
        .where("productId", "=", course.id)
        .orderBy("orderNum")
        .execute();
      return { ...course, moduleIds: modules.map(({ id }) => id) };
    },
    /** A place of Ada's in a course, for so many days already, and nothing done there. @returns its id */
    async enroll(productId: string, daysAgo = 0) {
      await services.db.write.deleteFrom("progress").where("userId", "=", ada.id).execute();
      const createdAt = new Date(now.getTime() - daysAgo * 24 * 3600_000);
      const values = { userId: ada.id, productId, createdAt };
      const { id } = await services.db.write
        .insertInto("enrollments")
        .values({ id: newId(), ...values })
        .onConflict((conflict) => conflict.columns(["userId", "productId"]).doUpdateSet(values))
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },
    /** Nora again, where an earlier email was about her leaving. @returns her id */
    async coach() {
      const profiles = services.db.write.updateTable("profiles").set({ deletionDueAt: null });
      await profiles.where("id", "=", nora.id).execute();
      return nora.id;
    },
    async close() {
      await closeServices(services);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An email that can be looked at. */
export type Sample = {
  /** The job that sends it. */
  kind: string;
  /** When it comes. */
  when: string;
  /** Puts into the world what the email is about; `id` is that of its row. @returns the job's payload */
  about(world: World, id: string): unknown;
};

/** The courses of the samples, by their slugs. */
export const blueDot = "blue-dot-method";
export const sevenDays = "seven-days-of-calm";
