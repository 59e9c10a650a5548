import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { insertLesson, prepareLesson } from "~/features/courses/create-course.server.ts";
import { moveLessonDays } from "~/features/enrollments/lesson-days.server.ts";
import { removeEnrollment } from "~/features/enrollments/manual-enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";
import { createPerson, type Person } from "../../support/people.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
let course: TestCourse;
let ada: Person;
let lesson: string;

/** Enrolled on January 10 at noon: what opens on day N is announced at eight on the 11th + N. */
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T12:00:00Z");
  course = await createCourse(office.services, [
    [{ title: "The first" }, { title: "The second", dripDay: 1, content: "Words of the second." }],
  ]);
  lesson = course.modules[0]?.lessons[1]?.id ?? "";
  ada = await office.enrolled("UTC", course);
});
afterEach(() => office.close());

const theSecond = "“The second” is open";
/** Until a time of January: '12T07:59'. */
const until = (time: string) => office.liveUntil(`2027-01-${time}:00Z`);
const toTheEnd = () => until("20T00:00");

const decline = () =>
  saveEmailPreferences(office.services, { userId: ada.id, asked: ["lesson-opened"], wanted: [] });
async function endEnrollment() {
  const { id: removedBy } = await createPerson(office.services, { role: "admin" });
  const { id } = await office.services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", ada.id)
    .executeTakeFirstOrThrow();
  await removeEnrollment(office.services, { id, removedBy });
}
async function moveDays(asked: string) {
  const enrollments = office.services.db.read.selectFrom("enrollments");
  const { id, lessonsFromAt } = await enrollments
    .select(["id", "lessonsFromAt"])
    .where("userId", "=", ada.id)
    .executeTakeFirstOrThrow();
  const daysFrom = lessonsFromAt?.toISOString() ?? "";
  expect(await moveLessonDays(office.services, { id, asked, daysFrom, timeZone: "UTC" })).toBe(
    "moved",
  );
}
const move = (dripDay: number) => office.change(lesson, { dripDay });
const setCourse = (fields: { active?: boolean; deletedAt?: Date | null }) =>
  office.services.db.write
    .updateTable("products")
    .set(fields)
    .where("id", "=", course.id)
    .execute();
const removeLesson = () => office.change(lesson, { deletedAt: office.clock.now() });
const deleted = () => ({ deletedAt: office.clock.now() });

describe("a lesson is announced once", () => {
  /** From when on what happens, and when it is announced by the end. */
  test.each<[string, string, () => Promise<unknown>, string[]]>([
    ["when nothing changes", "10T12:00", async () => {}, ["12T08"]],
    ["on its new day, when it moves before that", "12T07:59", () => move(3), ["14T08"]],
    ["and not again, when it moves after that", "12T09:00", () => move(4), ["12T08"]],
    ["also in an inactive course", "10T12:00", () => setCourse({ active: false }), ["12T08"]],
    [
      "with all that opened while its course was deleted, when that is restored",
      "10T12:00",
      async () => {
        await setCourse(deleted());
        await until("13T12:00");
        await setCourse({ deletedAt: null });
      },
      ["14T08"],
    ],
    [
      "the next morning, when it moves earlier and so is open already",
      "10T12:00",
      async () => {
        await move(8);
        await until("13T15:00");
        await move(2);
      },
      ["14T08"],
    ],
    [
      "the next morning, when the coach has the days count from earlier",
      "10T13:00",
      () => moveDays("2027-01-09"),
      ["11T08"],
    ],
    ["on its new day, when the days move on", "12T07:59", () => moveDays("2027-01-13"), ["14T08"]],
    [
      "and not again, when the days move later",
      "12T09:00",
      () => moveDays("2027-01-15"),
      ["12T08"],
    ],
    ["not at all, long after the day it now opened", "10T13:00", () => moveDays("2026-12-20"), []],
    ["not at all, when the coach opens every lesson", "10T13:00", () => moveDays("open"), []],
    [
      "on its day, when the coach opens every lesson for a while",
      "10T13:00",
      async () => {
        await moveDays("open");
        await until("11T09:00");
        await moveDays("enrollment");
      },
      ["12T08"],
    ],
    [
      "and again, when the student enrolls again",
      "13T12:00",
      async () => {
        await endEnrollment();
        await until("14T12:00");
        await office.enrolls(ada, course);
      },
      ["12T08", "16T08"],
    ],
  ])("%s", async (_, time, happens, expected) => {
    await until(time);
    await happens();
    await toTheEnd();
    expect(office.received()).toEqual(expected.map((at) => `01-${at} ${theSecond}`));
  });

  test("with few others, when the days move so that many lessons open at once", async () => {
    await removeLesson();
    const days = Array.from({ length: 12 }, (_, n) => ({ title: `Day ${n + 1}`, dripDay: n + 1 }));
    course = await createCourse(office.services, [days]);
    ada = await office.enrolled("UTC", course);
    await moveDays("2027-01-01");
    await until("14T00:00");
    expect(office.received()).toEqual([
      "01-11T08 “Day 7” and three more lessons are open",
      "01-12T08 “Day 11” is open",
      "01-13T08 “Day 12” is open",
    ]);
  });

  test("months later, when it moves so far on the eve of its day", async () => {
    await until("12T07:30");
    await move(60);
    await office.liveUntil("2027-03-14T00:00:00Z");
    expect(office.received()).toEqual([`03-12T08 ${theSecond}`]);
  });

  test("under its title of that moment, with lessons added later, also to a day just past", async () => {
    await until("12T07:59");
    await office.change(lesson, { title: "A new name" });
    await until("12T09:00");
    for (const [title, dripDay] of [
      ["Of a day past", 1],
      ["Of a day to come", 4],
    ] as const) {
      const made = await prepareLesson({
        ...{ title, dripDay, slug: `day-${dripDay}`, orderNum: 9, content: "", prompts: null },
        ...{ muxPlaybackId: null, audioKey: null, moduleId: course.modules[0]?.id ?? "" },
      });
      await insertLesson(office.services.db.write, made, office.clock.now());
    }
    await toTheEnd();
    expect(office.received()).toEqual([
      "01-12T08 “A new name” is open",
      "01-13T08 “Of a day past” is open",
      "01-15T08 “Of a day to come” is open",
    ]);
  });

  test("a lesson of day 0 that gets a day, only to those for whom it opens then", async () => {
    const other = await createCourse(office.services, [[{ title: "One" }]]);
    await office.enrolled("UTC", other);
    await until("15T12:00");
    const late = await office.enrolled("UTC", other);
    await until("16T12:00");
    // For the first student it has been open for days, and stays so.
    await office.change(other.modules[0]?.lessons[0]?.id ?? "", { dripDay: 3 });
    await until("25T00:00");
    const about = office.arrived.filter(({ subject }) => subject === "“One” is open");
    expect(about.map(({ at }) => at.toISOString().slice(5, 13))).toEqual(["01-19T08"]);
    expect(about[0]?.to).toContain(late.email);
  });

  test("and not at all to students for whom it opened days ago, when it is added to day 0", async () => {
    const other = await createCourse(office.services, [[{ title: "Added" }]]);
    const { id = "", moduleId = "" } = other.modules[0]?.lessons[0] ?? {};
    await office.services.db.write
      .updateTable("modules")
      .set({ productId: course.id, orderNum: 9 })
      .where("id", "=", moduleId)
      .execute();
    await until("20T12:00");
    await office.change(id, { dripDay: 4 });
    await until("25T00:00");
    expect(office.received()).toEqual([`01-12T08 ${theSecond}`]);
  });
});

describe("no email is sent", () => {
  const complete = () =>
    completeLesson(office.services, {
      ...{ userId: ada.id, lessonId: lesson, answers: [], drafts: [] },
    });
  const deleteLesson = () => office.change(lesson, deleted());
  const deleteModule = () =>
    office.services.db.write
      .updateTable("modules")
      .set(deleted())
      .where("productId", "=", course.id)
      .execute();
  const sendNone = () => office.sends(course, "off");
  test.each<[string, () => Promise<unknown>, "at once" | "in the morning"]>([
    ["a lesson that is completed before the morning", complete, "in the morning"],
    ["a student whose enrollment has ended", endEnrollment, "in the morning"],
    ["a student whose enrollment ended before the lesson opened", endEnrollment, "at once"],
    ["a student who switched these emails off before they were enqueued", decline, "at once"],
    ["a student who has switched these emails off", decline, "in the morning"],
    ["a course that sends none", sendNone, "at once"],
    ["a course that sends none any more", sendNone, "in the morning"],
    ["a lesson that was deleted", deleteLesson, "in the morning"],
    ["a lesson that was deleted before it opened", deleteLesson, "at once"],
    ["a lesson of a deleted module", deleteModule, "in the morning"],
    ["a lesson of a deleted course", () => setCourse(deleted()), "in the morning"],
    ["a lesson that opens with the enrollment", () => move(0), "at once"],
  ])("%s", async (_, happens, when) => {
    if (when === "in the morning") await until("12T07:59");
    await happens();
    await toTheEnd();
    expect(office.received()).toEqual([]);
    const waiting = office.services.db.read.selectFrom("outbox").select("id");
    expect(await waiting.where("finishedAt", "is", null).execute()).toEqual([]);
  });

  test("about what had opened while a course sent none, when it sends them again", async () => {
    await sendNone();
    await until("15T00:00");
    await office.sends(course, "notice");
    await toTheEnd();
    expect(office.received()).toEqual([]);
  });

  test("about what opened more than three days ago, while the site was down", async () => {
    office.moveTo("2027-01-15T06:00:00Z");
    await toTheEnd();
    expect(office.received()).toEqual([]);
  });

  test("with a word of a lesson that is locked when the email goes out", async () => {
    const open = { title: "An open one", dripDay: 1 };
    const secret = { title: "The secret title", dripDay: 1, content: "The secret words." };
    const other = await createCourse(office.services, [[open, secret]]);
    await office.sends(other, "lesson");
    await office.enrolls(ada, other);
    await until("12T07:59");
    await office.change(other.modules[0]?.lessons[1]?.id ?? "", { dripDay: 5 });
    await until("15T08:00");
    const sources = office.arrived.map((one) => one.subject + one.text + one.html).join("");
    expect(sources).toContain("An open one");
    expect(sources).not.toMatch(/secret/i);
    await toTheEnd();
    expect(office.arrived.at(-1)?.subject).toBe("A course: The secret title");
    expect(office.arrived.at(-1)?.text).toContain("The secret words.");
  });
});

test("lessons whose emails cannot be enqueued hold back no others", async () => {
  // No calendar reaches as far: such times cannot be calculated with.
  const one = { title: "One", dripDay: 1 };
  for (const sketch of [one, { title: "Never", dripDay: 200_000_000 }, one])
    await office.enrolled("UTC", await createCourse(office.services, [[sketch]]));
  await until("14T00:00");
  const subjects = office.arrived.map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual(["“One” is open", "“One” is open", theSecond]);
});
