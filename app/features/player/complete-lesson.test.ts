import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCourseAccess, getOutline } from "~/features/enrollments/access.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../../tests/support/courses.ts";
import { openedDrafts, openedJournal } from "../../../tests/support/opened.ts";
import { createPerson, type Person } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { completeLesson } from "./complete-lesson.server.ts";
import { listMyCourses } from "./player.server.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());
beforeEach(async () => {
  student = await createPerson(test$.services);
  course = await createCourse(test$.services, [
    [{}, {}],
    [{ dripDay: 7 }, {}],
  ]);
  await enroll(test$.services, { userId: student.id, productId: course.id });
});

function lessonId(module: number, lesson: number): string {
  const found = course.modules[module]?.lessons[lesson];
  if (!found) throw new Error("no such lesson");
  return found.id;
}
const said = (answer: string, question = "How are you?") => ({ question, answer });
const complete = (module: number, lesson: number, answers = [said("Tired.")]) =>
  completeLesson(test$.services, {
    userId: student.id,
    lessonId: lessonId(module, lesson),
    answers,
    drafts: [],
  });
const rows = (table: "progress" | "moduleCompletionEmails") =>
  test$.services.db.read.selectFrom(table).selectAll().where("userId", "=", student.id).execute();
const outboxRows = () =>
  test$.services.db.read
    .selectFrom("outbox")
    .selectAll()
    .where("kind", "=", "learning.module-completed")
    .execute()
    .then((all) =>
      all.filter(({ payload }) => (payload as { userId: string }).userId === student.id),
    );

describe("completing a lesson", () => {
  test("keeps the journal as text and by question", async () => {
    await complete(0, 0, [said("Tired."), said(" "), said("Tea.", "What helps?")]);
    expect(await openedJournal(test$.services, student.id)).toMatchObject([
      {
        lessonId: lessonId(0, 0),
        journalAnswer: "How are you?\nTired.\n\n---\n\nWhat helps?\nTea.",
        answers: [said("Tired."), said("Tea.", "What helps?")],
        createdAt: expect.any(Date),
      },
    ]);
  });

  test("without words, the journal is null", async () => {
    await complete(0, 0, [said("  ")]);
    expect(await rows("progress")).toMatchObject([{ journalAnswer: null }]);
  });

  test("the last of a module records the mail, once, an hour ahead", async () => {
    expect(await complete(0, 0)).toEqual({ moduleCompleted: false, emailFollows: false });
    expect(await rows("moduleCompletionEmails")).toEqual([]);
    expect(await complete(0, 1)).toEqual({ moduleCompleted: true, emailFollows: true });
    expect(await complete(0, 1)).toEqual({ moduleCompleted: true, emailFollows: true });
    expect(await rows("moduleCompletionEmails")).toMatchObject([
      { moduleId: course.modules[0]?.id },
    ]);
    const [mail, ...more] = await outboxRows();
    expect(more).toEqual([]);
    expect((mail?.dueAt.getTime() ?? 0) - (mail?.createdAt.getTime() ?? 0)).toBe(3600_000);
  });

  test("from ten tabs at once is once", async () => {
    const tabs = Array.from({ length: 10 }, () => complete(0, 1));
    expect(await Promise.all(tabs)).toHaveLength(10);
    expect(await rows("progress")).toHaveLength(1);
    expect(await rows("moduleCompletionEmails")).toHaveLength(1);
    expect(await outboxRows()).toHaveLength(1);
  });

  test("a second time with other words keeps the first and saves the others as a draft", async () => {
    await complete(0, 0, [said("First.")]);
    await complete(0, 0, [said("First.")]);
    await complete(0, 0, [said("Second.")]);
    expect(await openedJournal(test$.services, student.id)).toMatchObject([
      { journalAnswer: "How are you?\nFirst." },
    ]);
    const drafts = await openedDrafts(test$.services, student.id);
    expect(drafts.map(({ answers }) => answers)).toEqual([[said("Second.")]]);
  });

  test("again after an answer that was lost on the way, with a word more, keeps that word", async () => {
    const drafts = [{ id: newId(), revision: 3 }];
    const sent = { userId: student.id, lessonId: lessonId(0, 0), drafts };
    await completeLesson(test$.services, { ...sent, answers: [said("One.")] });
    await completeLesson(test$.services, { ...sent, answers: [said("One. Two.")] });
    const kept = await openedDrafts(test$.services, student.id);
    expect(kept.map(({ answers }) => answers)).toEqual([[said("One. Two.")]]);
  });

  test.each([
    ["locked", () => complete(1, 0), "locked"],
    ["missing", () => completeOther(newId()), "not_found"],
    ["malformed", () => completeOther("' or 1=1"), "not_found"],
  ])("refuses a %s lesson", async (_, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ code });
    expect(await rows("progress")).toEqual([]);
  });
  const completeOther = (id: string) =>
    completeLesson(test$.services, {
      userId: student.id,
      lessonId: id,
      answers: [],
      drafts: [],
    });

  test("refuses a lesson of a course she is not enrolled in", async () => {
    const other = await createCourse(test$.services, [[{}]]);
    const foreign = other.modules[0]?.lessons[0]?.id ?? "";
    await expect(completeOther(foreign)).rejects.toMatchObject({ code: "not_enrolled" });
  });

  test.each(["lessons", "modules", "products"] as const)(
    "refuses a lesson whose entry in %s is deleted",
    async (table) => {
      const id = {
        lessons: lessonId(0, 0),
        modules: course.modules[0]?.id ?? "",
        products: course.id,
      };
      await test$.services.db.write
        .updateTable(table)
        .set({ deletedAt: new Date() })
        .where("id", "=", id[table])
        .execute();
      await expect(complete(0, 0)).rejects.toMatchObject({ code: "not_found" });
    },
  );

  test("an inactive course goes on for those who are enrolled", async () => {
    await test$.services.db.write
      .updateTable("products")
      .set({ active: false })
      .where("id", "=", course.id)
      .execute();
    expect(await complete(0, 0)).toEqual({ moduleCompleted: false, emailFollows: false });
  });
});

describe("what the player and My Courses read", () => {
  test("order, locks and completion, lesson by lesson", async () => {
    await complete(0, 0);
    const seat = await findCourseAccess(test$.services, { userId: student.id, slug: course.slug });
    const outline = await getOutline(test$.services, {
      userId: student.id,
      productId: course.id,
      enrolledAt: seat?.enrolledAt ?? new Date(0),
    });
    const states = outline.map(({ title, lessons }) => [
      title,
      lessons.map(({ slug, isLocked, isCompleted }) => [slug, isLocked, isCompleted]),
    ]);
    expect(states).toEqual([
      [
        "Module 1",
        [
          ["lesson-1-1", false, true],
          ["lesson-1-2", false, false],
        ],
      ],
      [
        "Module 2",
        [
          ["lesson-2-1", true, false],
          ["lesson-2-2", false, false],
        ],
      ],
    ]);
    expect(await listMyCourses(test$.services, student.id)).toMatchObject([
      { id: course.id, percent: 25 },
    ]);
  });

  test("a week later the lesson is open", async () => {
    test$.clock.forwardDays(7);
    expect(await complete(1, 0)).toEqual({ moduleCompleted: false, emailFollows: false });
    test$.clock.forwardDays(-7);
  });

  test("order ties break by time of making, then id", async () => {
    const { db } = test$.services;
    await db.write
      .updateTable("lessons")
      .set({ orderNum: 1 })
      .where("moduleId", "=", course.modules[0]?.id ?? "")
      .execute();
    await complete(0, 1);
    expect(await rows("moduleCompletionEmails")).toHaveLength(1);
  });
});
