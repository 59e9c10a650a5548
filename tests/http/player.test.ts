import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { boxes, hidden, readable, toastOf } from "../support/answers.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { complete, journalForm, lessonOf, prompts } from "../support/journal.ts";
import { letterTo } from "../support/mailbox.ts";
import { openedJournal } from "../support/opened.ts";
import { createPerson, type Person } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  course = await createCourse(site.services, [
    [{ prompts: prompts(2) }, { prompts: prompts(1) }],
    [{ dripDay: 7 }],
  ]);
  await enroll(site.services, { userId: student.id, productId: course.id });
});

const progress = () =>
  site.services.db.read
    .selectFrom("progress")
    .selectAll()
    .where("userId", "=", student.id)
    .execute();
const player = async (query = "", as: Person | null = student) => {
  const response = await site.ask(`/courses/${course.slug}/learn${query}`, { as });
  return { status: response.status, html: await response.text(), headers: response.headers };
};

describe("the way in", () => {
  test("signing in leads back to the very lesson", async () => {
    const { status, headers } = await player("?lesson=lesson-1-2&x=a%26b", null);
    expect(status).toBe(302);
    const to = new URL(headers.get("location") ?? "", site.url);
    expect(to.pathname).toBe("/auth");
    expect(to.searchParams.get("redirect")).toBe(
      `/courses/${course.slug}/learn?lesson=lesson-1-2&x=a%26b`,
    );
  });

  test("the notices of the redirects, in the words of the spec", async () => {
    const missing = await site.ask("/courses/none/learn", { as: student });
    expect(toastOf(missing)).toMatchObject({ title: "Course not found", tone: "destructive" });
    const other = await createCourse(site.services, [[{}]]);
    const foreign = await site.ask(`/courses/${other.slug}/learn`, { as: student });
    expect(toastOf(foreign)).toEqual({
      title: "Not enrolled",
      description: "Please enroll in this course first",
      tone: "destructive",
    });
  });

  test("without a lesson in the address, the first open one that is not completed", async () => {
    expect((await player()).html).toContain(">Lesson 1.1</h1>");
    await complete(site, student, course, lessonOf(course, 0, 0));
    expect((await player()).html).toContain(">Lesson 1.2</h1>");
    await complete(site, student, course, lessonOf(course, 0, 1));
    expect((await player()).html).toContain(">Lesson 1.1</h1>");
    const { html } = await player();
    expect(readable(html)).toContain("67% Complete");
    expect(html).toContain(`<title>A course - Learn | `);
  });

  test.each([
    "none",
    "%00",
    "..%2f..",
    "lesson-1-1~",
    "lesson-1-1~x",
    "'%22%3Cscript%3E",
    "a".repeat(3000),
  ])("an unknown lesson (%s) is not found, in the player's own frame", async (key) => {
    const { status, html } = await player(`?lesson=${key}`);
    if (key === "lesson-1-1~") return expect(status).toBe(200);
    expect(status).toBe(404);
    expect(html).toContain("Select a lesson to begin");
    expect(html).toContain("Lesson 1.1");
  });

  test.each(["%00", "%E0%A4%A", "..%2f..%2fetc", "%F0%9F%92%99", "a".repeat(3000)])(
    "a course address like %s is answered, not failed",
    async (slug) => {
      for (const path of [`/courses/${slug}`, `/courses/${slug}/learn`]) {
        const { status } = await site.ask(path, { as: student });
        expect([303, 400, 404]).toContain(status);
      }
    },
  );

  test("a course without lessons says so", async () => {
    const empty = await createCourse(site.services, []);
    await enroll(site.services, { userId: student.id, productId: empty.id });
    const response = await site.ask(`/courses/${empty.slug}/learn`, { as: student });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Select a lesson to begin");
  });
});

describe("completing by a plain form", () => {
  test("goes on to the next lesson and keeps the words", async () => {
    const response = await complete(site, student, course, lessonOf(course, 0, 0), {
      answers: ["Tired.", " "],
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(
      `/courses/${course.slug}/learn?lesson=lesson-1-2`,
    );
    expect(toastOf(response)?.title).toBe("Lesson completed!");
    expect(await openedJournal(site.services, student.id)).toMatchObject([
      { journalAnswer: "Question 1\nTired." },
    ]);
    const { html } = await player("?lesson=lesson-1-1");
    expect(readable(html)).toContain("Tired.");
    expect(html).toContain("Nothing written here.");
    expect(boxes(html)).toEqual([]);
  });

  test("the last of a module: its toast, its record, and a letter in an hour without the journal", async () => {
    const response = await complete(site, student, course, lessonOf(course, 0, 1), {
      answers: ["only-for-me"],
      lessonKey: "lesson-1-2",
    });
    expect(toastOf(response)).toMatchObject({
      title: "🎉 Module Complete!",
      description: "You'll receive a personalized email in about an hour",
    });
    // The next lesson is locked, so she stays.
    expect(response.headers.get("location")).toBe(
      `/courses/${course.slug}/learn?lesson=lesson-1-2`,
    );
    const emails = await site.services.db.read
      .selectFrom("moduleCompletionEmails")
      .selectAll()
      .where("userId", "=", student.id)
      .execute();
    expect(emails).toMatchObject([{ moduleId: course.modules[0]?.id }]);
    expect((await player("?lesson=lesson-1-2")).html).toContain("Module Complete!");

    site.clock.forward(3600_000 + 1);
    site.services.wakeWorker();
    // The first one was that of welcome.
    const letter = await letterTo(site.services.config, student.email, 2);
    expect(letter.subject).toBe("You finished “Module 1”");
    expect(letter.source).not.toContain("only-for-me");
  });

  test("the last of a module promises a letter only where one comes", async () => {
    const lastLesson = () => complete(site, student, course, lessonOf(course, 0, 1));
    await saveEmailPreferences(site.services, {
      userId: student.id,
      asked: ["module-completed"],
      wanted: [],
    });
    const quiet = { title: "🎉 Module Complete!", tone: "success" };
    expect(toastOf(await lastLesson())).toEqual(quiet);
    await saveEmailPreferences(site.services, {
      ...{ userId: student.id, asked: ["module-completed"], wanted: ["module-completed"] },
    });
    expect(toastOf(await lastLesson())).toMatchObject({ description: expect.any(String) });
    // By then it has gone out.
    site.clock.forward(3600_000);
    expect(toastOf(await lastLesson())).toEqual(quiet);
  });

  test("twice, and from ten connections at once, is once", async () => {
    const attempts = Array.from({ length: 10 }, () =>
      complete(site, student, course, lessonOf(course, 0, 1), { answers: ["Same."] }),
    );
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(303);
    const again = await complete(site, student, course, lessonOf(course, 0, 1), {
      answers: ["Same."],
    });
    expect(again.status).toBe(303);
    expect(await progress()).toHaveLength(1);
    const letters = await site.services.db.read
      .selectFrom("outbox")
      .select("payload")
      .where("kind", "=", "learning.module-completed")
      .execute();
    expect(JSON.stringify(letters).split(student.id)).toHaveLength(2);
  });

  test("by a script's request, the toast and the way travel in the answer", async () => {
    const response = await site.ask(`/courses/${course.slug}/learn.data`, {
      as: student,
      multipart: journalForm(lessonOf(course, 0, 0).id),
    });
    expect(response.status).toBe(202);
    expect(await response.text()).toContain("lesson=lesson-1-2");
    expect(toastOf(response)?.title).toBe("Lesson completed!");
  });

  test("lessons of one name in two modules are told apart", async () => {
    const twins = await createCourse(site.services, [
      [{ slug: "intro", content: "first-of-twins" }],
      [{ slug: "intro", content: "second-of-twins" }],
    ]);
    await enroll(site.services, { userId: student.id, productId: twins.id });
    const response = await complete(site, student, twins, lessonOf(twins, 0, 0));
    const to = response.headers.get("location") ?? "";
    expect(to).toBe(`/courses/${twins.slug}/learn?lesson=intro~${lessonOf(twins, 1, 0).id}`);
    expect(await (await site.ask(to, { as: student })).text()).toContain("second-of-twins");
    const first = await site.ask(`/courses/${twins.slug}/learn?lesson=intro`, { as: student });
    expect(await first.text()).toContain("first-of-twins");
  });
});

describe("the server refuses, whatever the browser sends", () => {
  const attempt = (lessonId: string) =>
    site.ask(`/courses/${course.slug}/learn`, {
      as: student,
      multipart: journalForm(lessonId, { answers: ["Kept words"] }),
    });
  const refused = async (response: Response, status: number) => {
    expect(response.status).toBe(status);
    const html = await response.text();
    expect(readable(html)).toContain("Failed to mark lesson as complete");
    expect(boxes(html)[0]).toBe("Kept words");
    expect(await progress()).toEqual([]);
  };

  test("a locked lesson", async () => refused(await attempt(lessonOf(course, 1, 0).id), 403));
  test("a lesson of another course", async () => {
    const other = await createCourse(site.services, [[{}]]);
    await refused(await attempt(lessonOf(other, 0, 0).id), 403);
  });
  test("a deleted lesson", async () => {
    await site.services.db.write
      .updateTable("lessons")
      .set({ deletedAt: new Date() })
      .where("id", "=", lessonOf(course, 0, 1).id)
      .execute();
    await refused(await attempt(lessonOf(course, 0, 1).id), 404);
  });
  test.each(["", "x", "\0", newId(), "' or 1=1 --", "a".repeat(5000)])(
    "a lesson that is none (%j)",
    async (lessonId) => refused(await attempt(lessonId), 404),
  );
  test("no form at all", async () => {
    const response = await site.ask(`/courses/${course.slug}/learn`, {
      as: student,
      json: { lessonId: lessonOf(course, 0, 0).id },
    });
    expect(response.status).toBeLessThan(500);
    expect(await progress()).toEqual([]);
  });
});

describe("signed out in the middle of writing", () => {
  test("gives the words back, ready to be sent again after signing in", async () => {
    const { id } = lessonOf(course, 0, 0);
    const draftId = newId();
    const answers = ["Line one\nline two", 'A "quote" & </textarea><b>'];
    const response = await complete(site, null, course, { id }, { answers, draftId });
    expect(response.status).toBe(401);
    const html = await response.text();
    expect(boxes(html)).toEqual(answers);
    expect(html).toContain("You have been signed out");
    const again = journalForm(hidden(html, "lessonId")[0] ?? "", {
      answers: boxes(html),
      questions: hidden(html, "question"),
      draftId: hidden(html, "draft")[0]?.split(":")[0] ?? "",
    });
    expect(again).toEqual(journalForm(id, { answers, draftId }));
    const sent = await site.ask(`/courses/${course.slug}/learn`, { as: student, multipart: again });
    expect(sent.status).toBe(303);
  });
});
