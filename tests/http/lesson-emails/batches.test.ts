import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { claimDailyEmail } from "~/features/lesson-emails/email-content.server.ts";
import { planLessonEmails } from "~/features/lesson-emails/lesson-schedule.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { createCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T12:00:00Z");
  await office.plan();
});
afterEach(() => office.close());

const countEmails = async () => {
  const { n } = await office.services.db.write
    .selectFrom("outbox")
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

test("a thousand students who enrolled in one moment have one email a day each", async () => {
  await crowd(1000);
  for (const day of ["11", "12"]) {
    const before = await countEmails();
    // Eight in Kolkata, Berlin and London.
    for (const hour of ["02", "03", "07", "08", "08", "11"]) {
      office.moveTo(`2027-01-${Number(day) + 1}T${hour}:10:00Z`);
      await office.plan();
    }
    expect(await countEmails()).toBe(before + 1000);
  }
});

test("a student whose lessons are all completed gets no email, and is not planned again", async () => {
  const course = await createCourse(office.services, [[{ dripDay: 1 }]]);
  const ada = await office.enrolled("UTC", course);
  await office.liveUntil("2027-01-11T12:30:00Z");
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  await completeLesson(office.services, { userId: ada.id, lessonId, answers: [], drafts: [] });
  await office.liveUntil("2027-01-20T00:00:00Z");
  expect(office.arrived).toEqual([]);
  const emails = office.services.db.read.selectFrom("outbox").select("id");
  expect(await emails.where("kind", "=", "learning.lesson-opened").execute()).toHaveLength(1);
});

describe.runIf(process.env.TEST_DATABASE_URL)("on one PostgreSQL", () => {
  // It is morning in two of the three zones.
  test("machines that plan at once enqueue each email once", async () => {
    await crowd(1500);
    office.moveTo("2027-01-12T08:10:00Z");
    const others = await Promise.all(
      [1, 2].map(() => openServices(office.services.config, office.clock)),
    );
    try {
      await Promise.all([office.services, ...others].map((one) => planLessonEmails(one)));
    } finally {
      await Promise.all(others.map(closeServices));
    }
    const rows = await office.services.db.read
      .selectFrom("outbox")
      .select("userId")
      .where("kind", "=", "learning.lesson-opened")
      .execute();
    expect(rows).toHaveLength(1000);
    expect(new Set(rows.map(({ userId }) => userId)).size).toBe(1000);
  });

  test("two emails of a student that go out at once announce each lesson once", async () => {
    const course = await createCourse(office.services, [
      [
        { dripDay: 1, title: "One" },
        { dripDay: 1, title: "Two" },
      ],
    ]);
    const ada = await office.enrolled("UTC", course);
    office.moveTo("2027-01-12T08:10:00Z");
    const claims = await Promise.all(
      ["2027-01-12", "2027-01-11"].map((day) =>
        claimDailyEmail(office.services, { id: newId(), userId: ada.id, day, today: day }),
      ),
    );
    const lessons = claims.flatMap(({ courses }) => courses.flatMap((one) => one.lessons));
    expect(lessons.map(({ title }) => title).sort()).toEqual(["One", "Two"]);
  });
});
