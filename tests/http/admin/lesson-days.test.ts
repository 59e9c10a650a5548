import { beforeEach, describe, expect, test } from "vitest";
import {
  endEnrollmentWithin,
  enroll,
  restoreDisputedWithin,
} from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { openedJournal } from "../../support/opened-journal.ts";
import { linesOf } from "../../support/page-text.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const coach = adminOfFile(site, "Nora");
let course: TestCourse;
let ada: Person;
let page: string;

const dayMs = 24 * 3600_000;
const stripePaymentId = "pi_moved";
/** So many days ago, as the coach types it. */
const ago = (days: number) =>
  new Date(site.clock.now().getTime() - days * dayMs).toISOString().slice(0, 10);

/** Lessons of the days 0, 3 and 10, of which the first has opened. */
beforeEach(async () => {
  const { services } = site;
  course = await createCourse(services, [
    [{}, { dripDay: 3, content: "words of day three", audioKey: "three.mp3" }, { dripDay: 10 }],
  ]);
  ada = await createPerson(services, { name: "Ada" });
  await enroll(services, { userId: ada.id, productId: course.id, stripePaymentId });
  page = `/admin/enrollments/${(await enrollment())?.id}`;
});

const enrollment = () =>
  site.services.db.read
    .selectFrom("enrollments")
    .selectAll()
    .where("userId", "=", ada.id)
    .executeTakeFirst();
const asked = async (query = "") =>
  readable(await (await site.ask(page + query, { as: coach })).text());
/** Answers the question about other days, as it was asked when they counted from `daysFrom`. */
const answer = (days: string, daysFrom: string) =>
  site.ask(page, { as: coach, form: { intent: "days", days, daysFrom } });
const move = async (days: string) =>
  answer(days, (await enrollment())?.lessonsFromAt?.toISOString() ?? "");
const lessonId = (index: number) => course.modules[0]?.lessons[index]?.id ?? "";
const slugOf = (index: number) => course.modules[0]?.lessons[index]?.slug ?? "";
const statusOf = async (path: string, index: number) =>
  (await site.ask(`/courses/${course.slug}/${path}?lesson=${slugOf(index)}`, { as: ada })).status;
/** Whether the student can open each lesson, and whether its media can be had. */
const open = async () => ({
  lessons: await Promise.all([0, 1, 2].map((index) => statusOf("learn", index))),
  media: await statusOf("learn/media", 1),
});
const complete = (index: number, answer: string) =>
  completeLesson(site.services, {
    ...{ userId: ada.id, lessonId: lessonId(index), drafts: [] },
    answers: [{ question: "What is true?", answer }],
  });
const audited = () =>
  site.services.db.read
    .selectFrom("auditEntries")
    .select(["details", "subjectId", "personId", "actorId"])
    .where("action", "=", "enrollment.days-moved")
    .where("personId", "=", ada.id)
    .orderBy("createdAt")
    .execute();

const closed = { lessons: [200, 403, 403], media: 403 };

describe("GET /admin/enrollments/{id}", () => {
  test("says how the days count; asked for other days, what these would change", async () => {
    const first = await asked();
    expect(first).toMatch(
      /The days count from the enrollment, \w+ \d+, \d{4}\. One lesson is open/,
    );
    expect(first).not.toContain("Count from the enrollment");
    const question = await asked(`?days=${ago(5)}`);
    expect(question).toMatch(/Count the days from \w+ \d+, \d{4}\?/);
    expect(question).toContain("1 more lesson opens at once.");
    expect(question).toContain("Lesson emails follow the new days");
    expect(await asked("?days=open")).toMatch(
      /Open every lesson\?.*2 more lessons open at once\./s,
    );
    expect(await enrollment()).toMatchObject({ lessonsFromAt: null });
    expect(await audited()).toEqual([]);
  });

  test.each(["", "yesterday", "2026-02-30", "1999-01-01", "2099-01-01", "0000-00-00"])(
    "%j is no such day: the field says so, and has it still",
    async (days) => {
      const text = await asked(`?days=${encodeURIComponent(days)}`);
      expect(text).toMatch(
        /Choose a date(, such as 2026-11-30| from \w+ \d+, \d{4} to \w+ \d+, \d{4})/,
      );
      const html = await (
        await site.ask(`${page}?days=${encodeURIComponent(days)}`, { as: coach })
      ).text();
      expect(html).toContain(`name="days" value="${days}"`);
      expect(html).not.toContain('id="move-days"');
      const posted = await move(days);
      expect(posted.status).toBe(303);
      expect(await enrollment()).toMatchObject({ lessonsFromAt: null });
    },
  );

  test("has nothing to move in a course all of whose lessons open at once", async () => {
    const { services } = site;
    const { id: productId } = await createCourse(services, [[{}, {}]]);
    await enroll(services, { userId: ada.id, productId });
    const { id } = await services.db.read
      .selectFrom("enrollments")
      .select("id")
      .where("productId", "=", productId)
      .executeTakeFirstOrThrow();
    const html = await (await site.ask(`/admin/enrollments/${id}`, { as: coach })).text();
    expect(linesOf(html)).not.toContain("## When lessons open");
  });
});

describe("POST /admin/enrollments/{id}, days", () => {
  test("an earlier day opens lessons and their media, the enrollment's own closes them again", async () => {
    expect(await open()).toEqual(closed);
    const moved = await move(ago(5));
    expect([moved.status, moved.headers.get("location")]).toEqual([303, page]);
    expect(toastOf(moved)).toMatchObject({ title: "Lesson days changed", tone: "success" });
    expect(await open()).toEqual({ lessons: [200, 200, 403], media: 200 });
    await complete(1, "an answer that stays");

    const question = await asked("?days=enrollment");
    expect(question).toContain(
      "1 lesson closes until the new day. It is completed: that and the answers stay",
    );
    await move("enrollment");
    expect(await open()).toEqual(closed);
    await expect(complete(2, "too early")).rejects.toThrow("This lesson is not open yet.");
    // What was completed counts, and is in the journal.
    const shown = await site.ask("/my-courses/journal", { as: ada });
    expect(await shown.text()).toContain("an answer that stays");
    expect(await openedJournal(site.services, ada.id)).toHaveLength(1);
    expect(await (await site.ask("/my-courses", { as: ada })).text()).toContain("33% Complete");
  });

  test("every lesson open, and twice: one change, one entry in the audit log", async () => {
    const outcomes = await Promise.all([move("open"), move("open")]);
    expect(outcomes.map((one) => toastOf(one)?.title).toSorted()).toEqual([
      "Lesson days changed",
      "Nothing was changed",
    ]);
    expect(await open()).toEqual({ lessons: [200, 200, 200], media: 200 });
    const text = await asked();
    expect(text).toContain("Every lesson is open, whatever its day.");
    expect(text).toContain("Count from the enrollment");
    const { id } = (await enrollment()) ?? {};
    expect(await audited()).toEqual([
      {
        details: { days: "Every lesson open" },
        subjectId: id,
        personId: ada.id,
        actorId: coach.id,
      },
    ]);
    const log = await (await site.ask("/admin/audit", { as: coach })).text();
    expect(readable(log)).toContain("Moved the days of an enrollment");
    const student = await (await site.ask(`/admin/students/${ada.id}`, { as: coach })).text();
    expect(linesOf(student)).not.toContainEqual(expect.stringMatching(/^Opens /));
  });

  test("a day to come: lessons of day 0 stay open, the others wait for it", async () => {
    await move(ago(-30));
    expect(await open()).toEqual(closed);
    expect(await asked()).toContain("One lesson is open now.");
  });

  test("changes nothing where somebody else has moved them since the question", async () => {
    const question = await (await site.ask(`${page}?days=open`, { as: coach })).text();
    expect(question).toContain('name="daysFrom" value=""');
    await move(ago(5));
    const late = await answer("open", "");
    expect([late.status, late.headers.get("location")]).toEqual([303, page]);
    expect(toastOf(late)?.description).toContain("have changed since you were asked");
    expect(await open()).toEqual({ lessons: [200, 200, 403], media: 200 });
    const [, daysFrom = ""] =
      /name="daysFrom" value="([^"]+)"/.exec(
        await (await site.ask(`${page}?days=open`, { as: coach })).text(),
      ) ?? [];
    expect(toastOf(await answer("open", daysFrom))?.title).toBe("Lesson days changed");
  });

  test.each(["", "days-off"])("an intent of %j changes nothing", async (intent) => {
    expect((await site.ask(page, { as: coach, form: { intent } })).status).toBe(400);
    expect(await enrollment()).toMatchObject({ lessonsFromAt: null });
  });

  test("for an enrollment that was removed: says so", async () => {
    const gone = page;
    await site.services.db.write.deleteFrom("enrollments").where("userId", "=", ada.id).execute();
    const answer = await site.ask(gone, { as: coach, form: { intent: "days", days: "open" } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/admin/enrollments"]);
    expect(toastOf(answer)?.description).toBe("This enrollment was removed already");
  });

  test("an enrollment that a dispute ended comes back with its moved days", async () => {
    await move("open");
    const { db, clock } = site.services;
    const before = await enrollment();
    const { id = "", userId = "", productId = "" } = before ?? {};
    await db.transaction(async (trx) => {
      const ending = { removedBy: "stripe", reason: "disputed", now: clock.now() } as const;
      await endEnrollmentWithin(trx, id, ending);
      await restoreDisputedWithin(trx, { userId, productId, stripePaymentId });
    });
    expect(await enrollment()).toEqual(before);
  });
});
