import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
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

/** Enrolled on January 10 at noon: what opens on day N is told at eight on the 11th + N. */
beforeEach(async () => {
  office = await openPostOffice("2027-01-10T12:00:00Z");
  course = await createCourse(office.services, [
    [{ title: "The first" }, { title: "The second", dripDay: 1, content: "Words of the second." }],
  ]);
  lesson = course.modules[0]?.lessons[1]?.id ?? "";
  ada = await office.student("UTC");
  await office.enrolls(ada, course);
});
afterEach(() => office.close());

const told = () =>
  office.arrived.map(({ at, subject }) => `${at.toISOString().slice(5, 13)} ${subject}`);
const theSecond = "“The second” is open";
const untilMorning = () => office.liveUntil("2027-01-12T07:59:00Z");
const toTheEnd = () => office.liveUntil("2027-01-20T00:00:00Z");

async function wants(isWanted: boolean) {
  const kind = "lesson-opened" as const;
  const wanted = isWanted ? [kind] : [];
  await saveEmailPreferences(office.services, { userId: ada.id, asked: [kind], wanted });
}
async function enrollmentOf(person: Person) {
  const { id } = await office.services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", person.id)
    .executeTakeFirstOrThrow();
  return id;
}
async function endEnrollment(person: Person) {
  const { id: removedBy } = await createPerson(office.services, { role: "admin" });
  await removeEnrollment(office.services, { id: await enrollmentOf(person), removedBy });
}
const setCourse = (fields: { active?: boolean; deletedAt?: Date | null }) =>
  office.services.db.write
    .updateTable("products")
    .set(fields)
    .where("id", "=", course.id)
    .execute();
const setModule = (fields: { deletedAt: Date | null }) =>
  office.services.db.write
    .updateTable("modules")
    .set(fields)
    .where("productId", "=", course.id)
    .execute();

describe("her day is told once", () => {
  test("when nothing changes", async () => {
    await toTheEnd();
    expect(told()).toEqual([`01-12T08 ${theSecond}`]);
  });

  test("on its new day, when the lesson is put later before she was told", async () => {
    await untilMorning();
    await office.change(lesson, { dripDay: 3 });
    await toTheEnd();
    expect(told()).toEqual([`01-14T08 ${theSecond}`]);
  });

  test("and not again, when the lesson is put later after she was told", async () => {
    await office.liveUntil("2027-01-12T09:00:00Z");
    await office.change(lesson, { dripDay: 4 });
    await toTheEnd();
    expect(told()).toEqual([`01-12T08 ${theSecond}`]);
  });

  test("the next morning, when the lesson is put earlier and so is open already", async () => {
    await office.change(lesson, { dripDay: 8 });
    await office.liveUntil("2027-01-13T15:00:00Z");
    await office.change(lesson, { dripDay: 2 });
    await toTheEnd();
    expect(told()).toEqual([`01-14T08 ${theSecond}`]);
  });

  test("also in an inactive course, where she goes on learning", async () => {
    await setCourse({ active: false });
    await toTheEnd();
    expect(told()).toEqual([`01-12T08 ${theSecond}`]);
  });

  test("under the title that it has by then", async () => {
    await untilMorning();
    await office.change(lesson, { title: "A new name" });
    await toTheEnd();
    expect(told()).toEqual(["01-12T08 “A new name” is open"]);
  });

  test("with what is added between, also to a day that has just passed", async () => {
    await office.liveUntil("2027-01-12T09:00:00Z");
    const { insertLesson, prepareLesson } = await import(
      "~/features/courses/create-course.server.ts"
    );
    for (const [title, dripDay] of [
      ["Of a day past", 1],
      ["Of a day to come", 4],
    ] as const) {
      const sketch = {
        slug: `s${dripDay}-${title.length}`,
        orderNum: 9,
        content: "",
        prompts: null,
      };
      const moduleId = course.modules[0]?.id ?? "";
      const media = { muxPlaybackId: null, audioKey: null };
      const made = await prepareLesson({ ...sketch, ...media, title, dripDay, moduleId });
      await insertLesson(office.services.db.write, made, office.clock.now());
    }
    await toTheEnd();
    expect(told()).toEqual([
      `01-12T08 ${theSecond}`,
      "01-13T08 “Of a day past” is open",
      "01-15T08 “Of a day to come” is open",
    ]);
  });
});

describe("nobody is written to", () => {
  test.each([
    [
      "who has completed the lesson before the morning",
      async () => {
        await untilMorning();
        const done = { userId: ada.id, lessonId: lesson, answers: [], drafts: [] };
        await completeLesson(office.services, done);
      },
    ],
    [
      "whose enrollment has ended before the morning",
      async () => {
        await untilMorning();
        await endEnrollment(ada);
      },
    ],
    ["whose enrollment ended before the lesson opened", () => endEnrollment(ada)],
    ["who has switched these letters off before they are written down", () => wants(false)],
    [
      "who has switched these letters off before the morning",
      async () => {
        await untilMorning();
        await wants(false);
      },
    ],
    ["whose course sends no letters", () => office.sends(course, "off")],
    [
      "whose course sends no letters any more in the morning",
      async () => {
        await untilMorning();
        await office.sends(course, "off");
      },
    ],
    [
      "about a lesson that was deleted before the morning",
      async () => {
        await untilMorning();
        await office.change(lesson, { deletedAt: office.clock.now() });
      },
    ],
    [
      "about a lesson that was deleted before it opened",
      () => office.change(lesson, { deletedAt: office.clock.now() }),
    ],
    [
      "about a lesson of a module that was deleted before the morning",
      async () => {
        await untilMorning();
        await setModule({ deletedAt: office.clock.now() });
      },
    ],
    [
      "about a course that was deleted before the morning",
      async () => {
        await untilMorning();
        await setCourse({ deletedAt: office.clock.now() });
      },
    ],
    ["about a lesson that opens with the enrollment", () => office.change(lesson, { dripDay: 0 })],
  ] as [string, () => Promise<unknown>][])("%s", async (_, happens) => {
    await happens();
    await toTheEnd();
    expect(told()).toEqual([]);
    const { n } = await office.services.db.read
      .selectFrom("outbox")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("finishedAt", "is", null)
      .executeTakeFirstOrThrow();
    expect(n).toBe(0);
  });

  test("about what had opened while a course sent none, when it sends them again", async () => {
    await office.sends(course, "off");
    await office.liveUntil("2027-01-15T00:00:00Z");
    await office.sends(course, "notice");
    await toTheEnd();
    expect(told()).toEqual([]);
  });

  test("about what opened more than three days ago, while the site was down", async () => {
    office.moveTo("2027-01-15T06:00:00Z");
    await toTheEnd();
    expect(told()).toEqual([]);
  });

  test("with a word of a lesson that is locked when the letter goes out", async () => {
    const open = { title: "An open one", dripDay: 1 };
    const secret = { title: "The secret title", dripDay: 1, content: "The secret words." };
    const other = await createCourse(office.services, [[open, secret]]);
    await office.sends(other, "lesson");
    await office.enrolls(ada, other);
    await untilMorning();
    await office.change(other.modules[0]?.lessons[1]?.id ?? "", { dripDay: 5 });
    await office.liveUntil("2027-01-15T08:00:00Z");
    const sources = office.arrived.map((one) => one.subject + one.text + one.html).join("");
    expect(sources).toContain("An open one");
    expect(sources).not.toMatch(/secret/i);
    await toTheEnd();
    expect(office.arrived.at(-1)?.subject).toBe("A course: The secret title");
    expect(office.arrived.at(-1)?.text).toContain("The secret words.");
  });
});

test("a course that is restored tells what has opened meanwhile, once, in one letter", async () => {
  await setCourse({ deletedAt: office.clock.now() });
  await office.liveUntil("2027-01-13T12:00:00Z");
  await setCourse({ deletedAt: null });
  await toTheEnd();
  expect(told()).toEqual([`01-14T08 ${theSecond}`]);
});

test("whoever enrolls again after her enrollment ended is told again", async () => {
  await office.liveUntil("2027-01-13T12:00:00Z");
  await endEnrollment(ada);
  await office.liveUntil("2027-01-14T12:00:00Z");
  await office.enrolls(ada, course);
  await toTheEnd();
  expect(told()).toEqual([`01-12T08 ${theSecond}`, `01-16T08 ${theSecond}`]);
});
