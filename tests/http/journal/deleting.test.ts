import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import {
  journalOf,
  journalPath,
  leave,
  openAnswer,
  openQuestion,
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
  course = await createCourse(site.services, [[two, two]], { title: "Her course" });
  await write(site.services, student, course, [
    [first(), said("the first", "the second")],
    [second(), said("the third")],
  ]);
});

const first = () => lessonOf(course, 0, 0);
const second = () => lessonOf(course, 0, 1);
const page = () => journalOf(site, student);
const ask = (target: string) => openQuestion(site, student, target);

/** What the database holds of her words, and of what she has completed. */
async function rows() {
  return site.services.db.read
    .selectFrom("progress")
    .select(["lessonId", "journalAnswer"])
    .where("userId", "=", student.id)
    .orderBy("createdAt")
    .execute();
}

describe("one answer", () => {
  test("goes after a question that names it; the others and the lesson stay", async () => {
    const question = await ask(`${first().id}.0`);
    expect(question.text).toContain("Delete this answer?");
    expect(question.text).toContain("Question 1");
    expect(question.text).toContain("What you have completed stays completed.");
    expect(await page()).toContain("the first");
    const answer = await question.yes();
    expect(answer.status).toBe(303);
    expect(toastOf(answer)?.title).toBe("Deleted.");
    const text = await page();
    expect(text).not.toContain("the first");
    expect(text).toContain("the second");
    const player = await (await site.ask(`/courses/${course.slug}/learn`, { as: student })).text();
    expect(player).toContain("100% Complete");
    expect(player).not.toContain("the first");
  });

  test("that was changed since she was asked stays, and she is asked again", async () => {
    const question = await ask(`${first().id}.0`);
    await (await openAnswer(site, student, first())).save("changed meanwhile");
    const answer = await question.yes();
    expect(answer.headers.get("location")).toBe(`${journalPath}?delete=${first().id}.0`);
    expect(toastOf(answer)?.title).toBe("Something was written there meanwhile");
    expect(await page()).toContain("changed meanwhile");
  });

  test("the last of a lesson leaves the lesson completed with nothing written", async () => {
    await (await ask(`${second().id}.0`)).yes();
    const row = (await rows()).find(({ lessonId }) => lessonId === second().id);
    expect(row).toEqual({ lessonId: second().id, journalAnswer: null });
    expect(await page()).not.toContain("the third");
  });

  test("deleted twice, by two tabs, is deleted once", async () => {
    const [one, two] = [await ask(`${second().id}.0`), await ask(`${second().id}.0`)];
    await one.yes();
    expect(toastOf(await two.yes())?.title).toBe("It is not there any more.");
  });
});

test("a lesson's entry goes with its drafts, counted; the rest stays", async () => {
  await leave(site.services, student, first(), said("a draft beside it"));
  const question = await ask(first().id);
  expect(question.text).toContain("2 answers and 1 draft");
  expect(question.text).toContain("Lesson 1.1");
  await question.yes();
  const text = await page();
  expect(text).toContain("the third");
  for (const words of ["the first", "the second", "a draft beside it"])
    expect(text).not.toContain(words);
  expect((await rows()).length).toBe(2);
});

test("an entry to which a draft came since she was asked stays whole", async () => {
  const question = await ask(first().id);
  await leave(site.services, student, first(), said("came meanwhile"));
  expect(toastOf(await question.yes())?.tone).toBe("destructive");
  expect(await page()).toContain("the first");
  expect(await page()).toContain("came meanwhile");
});

test("a draft goes by itself", async () => {
  const draftId = await leave(site.services, student, first(), said("only a draft"));
  const question = await ask(`draft.${draftId}`);
  expect(question.text).toContain("Delete this draft?");
  expect(question.text).toMatch(/The draft from \w+ \d+, \d{4}/);
  expect(toastOf(await question.yes())?.title).toBe("The draft is deleted.");
  expect(await page()).not.toContain("only a draft");
  expect(await page()).toContain("the first");
});

test("a draft in which more was written since she was asked stays, and she is asked again", async () => {
  const draftId = await leave(site.services, student, first(), said("begun"));
  const question = await ask(`draft.${draftId}`);
  const more = { draftId, lessonId: first().id, revision: 2, answers: ["begun, and more"] };
  expect((await keepDraft(site, student, course, more)).status).toBe(204);
  const answer = await question.yes();
  expect(answer.headers.get("location")).toBe(`${journalPath}?delete=draft.${draftId}`);
  expect(toastOf(answer)?.title).toBe("Something was written there meanwhile");
  expect(await page()).toContain("begun, and more");
  const again = await ask(`draft.${draftId}`);
  expect(toastOf(await again.yes())?.title).toBe("The draft is deleted.");
  expect(toastOf(await again.yes())?.title).toBe("It is not there any more.");
  expect(await page()).not.toContain("begun");
});

test("everything goes after a question that counts it and names the courses; the lessons stay completed", async () => {
  const question = await ask("all");
  expect(question.text).toContain("2 lessons");
  expect(question.text).toContain("Her course");
  const answer = await question.yes();
  expect(toastOf(answer)?.title).toBe("Your journal is empty now.");
  expect(await page()).toContain("Nothing written yet");
  expect((await rows()).map(({ journalAnswer }) => journalAnswer)).toEqual([null, null]);
});

test("somebody else deletes nothing, whatever she asks for", async () => {
  const other = await createPerson(site.services, { role: "admin" });
  const draftId = await leave(site.services, student, first(), said("a draft"));
  for (const target of [`${first().id}.0`, first().id, `draft.${draftId}`, "all"])
    await (await ask(target)).yes(other);
  const text = await page();
  for (const words of ["the first", "the second", "the third", "a draft"])
    expect(text).toContain(words);
});

test("a question about nothing is not asked, and nothing is deleted without one", async () => {
  for (const target of ["none", `${first().id}.9`, "draft.none"]) {
    expect((await ask(target)).text).toBe("");
    const form = { intent: "delete", target, version: "x" };
    expect((await site.ask(journalPath, { as: student, form })).status).toBe(303);
  }
  const form = { intent: "delete", target: "all", version: "" };
  await site.ask(journalPath, { as: student, form });
  expect(await page()).toContain("the first");
});
