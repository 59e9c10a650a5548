import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  closeDailyEmail,
  deleteOldDailyEmails,
} from "~/features/lesson-emails/daily-email.server.ts";

import { planLessonEmails } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-letters.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T12:00:00Z");
  await office.plan();
});
afterEach(() => office.close());

const count = async (table: "outbox" | "dailyEmails" | "dailyEmailLines") => {
  const { n } = await office.services.db.write
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
};

/** Many people, enrolled in the same moments, in two courses whose lessons open on the same days. */
async function crowd(size: number) {
  const make = () => createCourse(office.services, [[{ dripDay: 1 }, { dripDay: 2 }]]);
  const courses = [await make(), await make()];
  const { db, clock } = office.services;
  const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata"];
  const createdAt = clock.now();
  const people = Array.from({ length: size }, (_, n) => ({
    id: `p-${String(n).padStart(5, "0")}`,
    name: "Ada",
    email: `p${n}@example.com`,
    emailVerified: true,
    role: "student" as const,
    timeZone: zones[n % 3] ?? null,
    createdAt,
    updatedAt: createdAt,
  }));
  await db.write.insertInto("profiles").values(people).execute();
  for (const [index, { id: productId }] of courses.entries())
    await db.write
      .insertInto("enrollments")
      .values(
        people.map(({ id: userId }) => ({
          id: `${index}-${userId}`,
          userId,
          productId,
          createdAt,
        })),
      )
      .execute();
}

test("a thousand who enrolled in one moment are all written to, in portions, each lesson once", async () => {
  await crowd(1000);
  office.moveTo("2027-01-11T11:00:00Z");
  await office.plan();
  expect(await count("dailyEmailLines")).toBe(2000);
  expect(await count("outbox")).toBe(1000);
  await office.plan();
  office.moveTo("2027-01-12T11:00:00Z");
  await office.plan();
  expect(await count("dailyEmailLines")).toBe(4000);
  expect(await count("outbox")).toBe(2000);
});

test("a letter that is going out takes nothing more: that is the next morning's", async () => {
  const course = await createCourse(office.services, [[{ dripDay: 1, title: "One" }]]);
  const ada = await office.student("UTC");
  await office.enrolls(ada, course);
  await office.services.db.write
    .insertInto("dailyEmails")
    .values({ userId: ada.id, day: "2027-01-12", outboxId: "a-row" })
    .execute();
  const letter = { userId: ada.id, day: "2027-01-12" };
  const isOurs = async (id: string) =>
    (await closeDailyEmail(office.services, { ...letter, id })).isOurs;
  expect(await isOurs("another-row")).toBe(false);
  expect(await isOurs("a-row")).toBe(true);
  expect(await isOurs("a-row")).toBe(true);
  await office.liveUntil("2027-01-20T00:00:00Z");
  expect(office.arrived.map(({ at }) => at.toISOString().slice(0, 13))).toEqual(["2027-01-13T08"]);
});

test("a month later nothing is kept of it, and nobody is told again", async () => {
  await crowd(1100);
  office.moveTo("2027-01-13T11:00:00Z");
  await office.plan();
  await office.services.db.write
    .updateTable("outbox")
    .set({ finishedAt: office.clock.now() })
    .execute();
  office.moveTo("2027-02-10T11:00:00Z");
  await deleteOldDailyEmails(office.services);
  expect(await count("dailyEmailLines")).toBe(4400);
  office.moveTo("2027-02-14T11:00:00Z");
  await deleteOldDailyEmails(office.services);
  expect(await count("dailyEmailLines")).toBe(0);
  expect(await count("dailyEmails")).toBe(0);
  const before = await count("outbox");
  await office.plan();
  expect(await count("outbox")).toBe(before);
});

describe.runIf(process.env.TEST_DATABASE_URL)("on one PostgreSQL", () => {
  test("machines that plan at once write each letter and each lesson once", async () => {
    await crowd(1500);
    office.moveTo("2027-01-12T11:00:00Z");
    const others = await Promise.all(
      [1, 2].map(() => openServices(office.services.config, office.clock)),
    );
    try {
      await Promise.all([office.services, ...others].map((one) => planLessonEmails(one)));
    } finally {
      await Promise.all(others.map(closeServices));
    }
    // Each left to the others what they had begun.
    await office.plan();
    expect(await count("dailyEmailLines")).toBe(6000);
    const rows = await office.services.db.read
      .selectFrom("outbox")
      .select(["userId", "dueAt"])
      .where("kind", "=", "learning.lesson-opened")
      .execute();
    const letters = rows.map(
      ({ userId, dueAt }) => `${userId} ${dueAt.toISOString().slice(0, 10)}`,
    );
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters).toHaveLength(await count("dailyEmails"));
    expect(new Set(rows.map(({ userId }) => userId)).size).toBe(1500);
  });
});
