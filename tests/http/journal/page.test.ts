import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCourse, deleteModule } from "~/features/courses/deletion.server.ts";
import { endEnrollmentWithin } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lessonOf, prompts } from "../../support/journal.ts";
import {
  journalOf,
  journalPath,
  leave,
  openAnswer,
  said,
  write,
} from "../../support/journal-page.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  const two = { prompts: prompts(2) };
  course = await createCourse(
    site.services,
    [
      [two, two],
      [two, two],
    ],
    { title: "Her course" },
  );
});

const lesson = (module: number, place: number) => lessonOf(course, module, place);
const page = (query = "") => journalOf(site, student, query);
/** Whether these stand in a text in this order. */
const inOrder = (text: string, ...words: string[]) =>
  words.every((word, at) => at === 0 || text.indexOf(words[at - 1] ?? "") < text.indexOf(word)) &&
  words.every((word) => text.includes(word));

/** Her enrollment ends, as by hand or by a refund. */
async function ended(reason: "refunded" | null) {
  const { db, clock } = site.services;
  const { id } = await db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", student.id)
    .where("productId", "=", course.id)
    .executeTakeFirstOrThrow();
  const ending = { removedBy: reason ? "stripe" : student.id, reason, now: clock.now() };
  await db.transaction((trx) => endEnrollmentWithin(trx, id, ending));
}

describe("the page", () => {
  test("has words for nothing written yet, and is linked from My Courses", async () => {
    expect(await page()).toContain("Nothing written yet");
    const courses = await (await site.ask("/my-courses", { as: student })).text();
    expect(courses).toContain(`href="${journalPath}"`);
  });

  test("shows everything in the course's order with questions and days, whatever was written first", async () => {
    await write(site.services, student, course, [
      [lesson(1, 0), said("written in the second module")],
      [lesson(0, 1), said("one answer", "two answers")],
    ]);
    await leave(site.services, student, lesson(0, 0), said("not sent"));
    const text = await page();
    expect(
      inOrder(
        text,
        "Her course",
        "not sent",
        "one answer",
        "two answers",
        "written in the second module",
      ),
    ).toBe(true);
    expect(text).toMatch(/A draft from \w+ \d+, \d{4}, not sent yet/);
    expect(text).toContain("2 lessons and 1 draft");
    expect(text).toContain("Question 2");
    expect(text).not.toContain("Nothing written here");
  });

  test("tells days as her time zone has them", async () => {
    await write(site.services, student, course, [[lesson(0, 0), said("late")]]);
    await site.services.db.write
      .updateTable("progress")
      .set({ createdAt: new Date("2026-03-01T02:00:00Z") })
      .where("userId", "=", student.id)
      .execute();
    const at = async (zone: string) => {
      const headers = { cookie: `tz=${encodeURIComponent(zone)}; ${await site.cookieOf(student)}` };
      return (await site.ask(journalPath, { headers })).text();
    };
    expect(await at("America/New_York")).toContain("February 28, 2026");
    expect(await at("Asia/Tokyo")).toContain("March 1, 2026");
  });

  test("a completed lesson of the player leads there", async () => {
    await write(site.services, student, course, [[lesson(0, 0), said("one")]]);
    const player = await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1`, {
      as: student,
    });
    expect(await player.text()).toContain(`${journalPath}?lesson=${lesson(0, 0).id}#lesson-`);
  });

  test("is cut into pages when it is long, each entry on one of them", {
    timeout: 60_000,
  }, async () => {
    const long = (name: string) => `${name} ${"day after day ".repeat(4_000)}`;
    await write(site.services, student, course, [
      [lesson(0, 0), said(long("first"))],
      [lesson(0, 1), said(long("second"))],
      [lesson(1, 0), said(long("third"))],
    ]);
    const pages = await Promise.all([1, 2, 3].map((number) => page(`?page=${number}`)));
    for (const [at, word] of ["first", "second", "third"].entries()) {
      const holding = pages.map((text) => text.includes(`${word} day after`));
      expect(holding).toEqual([0, 1, 2].map((index) => index === at));
    }
    expect(pages[0]).toContain("Page 1 of 3");
    expect(pages[0]).toContain(`${journalPath}?page=3#lesson-${lesson(1, 0).id}`);
    expect(await page("?page=99")).toContain("Page 3 of 3");
    expect(await page(`?lesson=${lesson(0, 1).id}`)).toContain("Page 2 of 3");
    expect(await page("?page=nothing&edit=x&delete=%00&lesson=..")).toContain("Page 1 of 3");
  });
});

describe("what is closed to her stays readable and can be changed", () => {
  const closings: [string, () => Promise<unknown>, string][] = [
    [
      "a deleted course",
      () => deleteCourse(site.services, course.id),
      "This course is no longer here.",
    ],
    ["a course she was removed from", () => ended(null), "You are no longer enrolled in this"],
    ["a refunded course", () => ended("refunded"), "You are no longer enrolled in this course."],
    ["a deleted module", () => deleteModule(site.services, lesson(0, 0).moduleId), ""],
    [
      "an inactive course",
      () =>
        site.services.db.write
          .updateTable("products")
          .set({ active: false })
          .where("id", "=", course.id)
          .execute(),
      "",
    ],
  ];

  test.each(closings)("%s", async (what, close, told) => {
    await write(site.services, student, course, [[lesson(0, 0), said("before it was closed")]]);
    await leave(site.services, student, lesson(0, 1), said("a draft of then"));
    await close();
    const text = await page();
    expect(text).toContain("before it was closed");
    expect(text).toContain("a draft of then");
    expect(text).toContain(told);
    expect(text.includes("Open the lesson")).toBe(what === "an inactive course");
    const saved = await (await openAnswer(site, student, lesson(0, 0))).save("changed afterwards");
    expect(saved.status).toBe(303);
    expect(await page()).toContain("changed afterwards");
    await leaveByPage();
    expect(await page()).toContain("typed while it was closed");
  });

  /** What the page keeps while she types. */
  async function leaveByPage() {
    const draftId = newId();
    const answers = said("typed while it was closed");
    const json = { userId: student.id, draftId, lessonId: lesson(0, 0).id, revision: 1, answers };
    const address = `/courses/${course.slug}/learn/draft`;
    const kept = await site.ask(address, { as: student, method: "PUT", json });
    expect(kept.status).toBe(204);
  }
});

describe("only for herself", () => {
  test("nobody else's page, book or file has a word of it, not the administrator's", async () => {
    await write(site.services, student, course, [[lesson(0, 0), said("for-nobody-else")]]);
    await leave(site.services, student, lesson(0, 1), said("for-nobody-else"));
    const others = [
      await createPerson(site.services),
      await createPerson(site.services, { role: "admin" }),
    ];
    const id = lesson(0, 0).id;
    const addresses = [
      "",
      `?lesson=${id}`,
      `?edit=${id}.0`,
      `?delete=${id}`,
      "/book",
      ".md",
      ".data",
    ];
    for (const as of others)
      for (const address of addresses) {
        const answer = await site.ask(journalPath + address, { as });
        expect(answer.status, address).toBeLessThan(400);
        expect(await answer.text()).not.toContain("for-nobody-else");
      }
  });

  test("who is not signed in is asked to, and comes back", async () => {
    const answer = await site.ask(`${journalPath}?page=2`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/auth?redirect=/my-courses/journal%3Fpage%3D2");
  });

  test("it is kept by no cache", async () => {
    for (const address of ["", "/book", ".md"]) {
      const answer = await site.ask(journalPath + address, { as: student });
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
    }
  });
});
