import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCourseAccess, getOutline } from "~/features/enrollments/access.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../../tests/support/courses.ts";
import { lessonOf } from "../../../tests/support/journal.ts";
import { openedDrafts, openedJournal } from "../../../tests/support/opened-journal.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { completeLesson } from "./complete-lesson.server.ts";
import { listMyCourses } from "./player.server.ts";

let kit: Awaited<ReturnType<typeof openTestServices>>;
let userId: string;
let course: TestCourse;

beforeAll(async () => {
  kit = await openTestServices();
});
afterAll(() => kit.close());
beforeEach(async () => {
  userId = (await createPerson(kit.services)).id;
  course = await createCourse(kit.services, [[{}, {}], [{ dripDay: 7 }, {}], []]);
  await enroll(kit.services, { userId, productId: course.id });
});

const said = (answer: string, question = "How are you?") => ({ question, answer });
const complete = (module: number, place: number, answers = [said("Tired.")], drafts = []) =>
  completeLesson(kit.services, {
    ...{ userId, lessonId: lessonOf(course, module, place).id },
    ...{ answers, drafts },
  });
const moduleEmails = () =>
  kit.services.db.read
    .selectFrom("moduleCompletionEmails")
    .selectAll()
    .where("userId", "=", userId)
    .execute();
const drafts = async () => (await openedDrafts(kit.services, userId)).map(({ answers }) => answers);

describe("completeLesson", () => {
  test("saves the journal as text and by question; null without text", async () => {
    await complete(0, 0, [said("Tired."), said(" "), said("Tea.", "What helps?")]);
    await complete(0, 1, [said("  ")]);
    expect(await openedJournal(kit.services, userId)).toMatchObject([
      {
        journalAnswer: "How are you?\nTired.\n\n---\n\nWhat helps?\nTea.",
        answers: [said("Tired."), said("Tea.", "What helps?")],
        createdAt: expect.any(Date),
      },
      { journalAnswer: null },
    ]);
  });

  test("the last lesson of a module enqueues its email once, due an hour later", async () => {
    expect(await complete(0, 0)).toEqual({
      moduleCompleted: false,
      emailFollows: false,
      draftId: null,
    });
    expect(await moduleEmails()).toEqual([]);
    for (let times = 0; times < 2; times += 1)
      expect(await complete(0, 1)).toEqual({
        moduleCompleted: true,
        emailFollows: true,
        draftId: null,
      });
    expect(await moduleEmails()).toMatchObject([{ moduleId: course.modules[0]?.id }]);
    const emails = await kit.services.db.read
      .selectFrom("outbox")
      .select(["createdAt", "dueAt"])
      .where("kind", "=", "learning.module-completed")
      .where("userId", "=", userId)
      .execute();
    expect(emails.map(({ createdAt, dueAt }) => dueAt.getTime() - createdAt.getTime())).toEqual([
      3600_000,
    ]);
  });

  test("of lessons with the same order number, the last is the newest", async () => {
    await kit.services.db.write
      .updateTable("lessons")
      .set({ orderNum: 1 })
      .where("moduleId", "=", course.modules[0]?.id ?? "")
      .execute();
    await complete(0, 1);
    expect(await moduleEmails()).toHaveLength(1);
  });

  test("completing again with other text: the first stands, the other is saved as a draft", async () => {
    for (const text of ["First.", "First."])
      expect(await complete(0, 0, [said(text)])).toMatchObject({ draftId: null });
    const { draftId } = await complete(0, 0, [said("Second.")]);
    expect(await openedJournal(kit.services, userId)).toMatchObject([
      { journalAnswer: "How are you?\nFirst." },
    ]);
    expect(await openedDrafts(kit.services, userId)).toMatchObject([
      { id: draftId, answers: [said("Second.")] },
    ]);
  });

  test("completing again with more text in the same draft, after a lost answer, saves that text", async () => {
    const sent = { userId, lessonId: lessonOf(course, 0, 0).id };
    const draft = [{ id: newId(), revision: 3 }];
    for (const text of ["One.", "One. Two."])
      await completeLesson(kit.services, { ...sent, drafts: draft, answers: [said(text)] });
    expect(await drafts()).toEqual([[said("One. Two.")]]);
  });

  test.each(["modules", "products"] as const)(
    "refuses a lesson whose row in %s is deleted",
    async (table) => {
      const id = { modules: course.modules[0]?.id ?? "", products: course.id }[table];
      const set = { deletedAt: new Date() };
      await kit.services.db.write.updateTable(table).set(set).where("id", "=", id).execute();
      await expect(complete(0, 0)).rejects.toMatchObject({ code: "not_found" });
    },
  );

  test("takes a lesson of an inactive course, and a lesson from the day on that opens it", async () => {
    await kit.services.db.write
      .updateTable("products")
      .set({ active: false })
      .where("id", "=", course.id)
      .execute();
    await expect(complete(1, 0)).rejects.toMatchObject({ code: "locked" });
    kit.clock.forwardDays(7);
    expect(await complete(1, 0)).toEqual({
      moduleCompleted: false,
      emailFollows: false,
      draftId: null,
    });
    kit.clock.forwardDays(-7);
  });
});

test("getOutline and listMyCourses: order, locks and completion, lesson by lesson", async () => {
  await complete(0, 0);
  const access = await findCourseAccess(kit.services, { userId, slug: course.slug });
  const enrolledAt = access?.enrolledAt ?? new Date(0);
  const outline = await getOutline(kit.services, { userId, productId: course.id, enrolledAt });
  const states = outline.map(({ title, lessons }) => [
    title,
    ...lessons.map(({ slug, isLocked, isCompleted }) => [slug, isLocked, isCompleted]),
  ]);
  expect(states).toEqual([
    ["Module 1", ["lesson-1-1", false, true], ["lesson-1-2", false, false]],
    ["Module 2", ["lesson-2-1", true, false], ["lesson-2-2", false, false]],
    ["Module 3"],
  ]);
  const empty = await createCourse(kit.services, []);
  kit.clock.forward(1000);
  await enroll(kit.services, { userId, productId: empty.id });
  expect(await listMyCourses(kit.services, userId)).toMatchObject([
    { id: empty.id, percent: 0 },
    { id: course.id, percent: 25 },
  ]);
});
