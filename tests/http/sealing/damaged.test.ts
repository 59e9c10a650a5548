import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { site as coach } from "~content/site.ts";
import { mainOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { complete, lessonOf, prompts } from "../../support/journal.ts";
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

const sentence = `These words cannot be read just now. They are kept; please write to ${coach.email}.`;

let site: TestSite;
let student: Person;
let course: TestCourse;
let draftId: string;
const lesson = (at: number) => lessonOf(course, 0, at);

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  const one = { prompts: prompts(1) };
  course = await createCourse(site.services, [[one, one, one]]);
  await write(site.services, student, course, [
    [lesson(0), said("damaged words")],
    [lesson(1), said("good words")],
  ]);
  draftId = await leave(site.services, student, lesson(2), said("a damaged draft"));
  await leave(site.services, student, lesson(2), said("a good draft"));
});

/** Another letter in the middle of a sealed text. */
function damaged(sealed: string | null): string {
  const at = (sealed ?? "").length >> 1;
  return `${sealed?.slice(0, at)}${sealed?.[at] === "A" ? "B" : "A"}${sealed?.slice(at + 1)}`;
}

const entryRow = async () =>
  (
    await site.services.db.write
      .selectFrom("progress")
      .select("journalAnswer")
      .where("userId", "=", student.id)
      .where("lessonId", "=", lesson(0).id)
      .executeTakeFirstOrThrow()
  ).journalAnswer;
const draftRow = () =>
  site.services.db.write
    .selectFrom("drafts")
    .select(["content", "discardedAt"])
    .where("id", "=", draftId)
    .executeTakeFirstOrThrow();

async function damage() {
  const { write } = site.services.db;
  await write
    .updateTable("progress")
    .set({ journalAnswer: damaged(await entryRow()) })
    .where("userId", "=", student.id)
    .where("lessonId", "=", lesson(0).id)
    .execute();
  await write
    .updateTable("drafts")
    .set({ content: damaged((await draftRow()).content) })
    .where("id", "=", draftId)
    .execute();
}

async function damageKey(userId: string) {
  const { write } = site.services.db;
  const key = write.selectFrom("journalKeys").select("wrappedKey").where("userId", "=", userId);
  const { wrappedKey } = await key.executeTakeFirstOrThrow();
  const set = { wrappedKey: damaged(wrappedKey) };
  await write.updateTable("journalKeys").set(set).where("userId", "=", userId).execute();
}

const textOf = async (path: string) => {
  const answer = await site.ask(path, { as: student });
  expect(answer.status).toBe(200);
  return (await answer.text()).replaceAll("<!-- -->", "");
};
const counted = (text: string) => text.split(sentence).length - 1;

describe("a text that cannot be opened takes no other with it", () => {
  test("in My journal, the book, the Markdown and the export", async () => {
    await damage();
    const told = vi.spyOn(site.services.log, "error");
    const files = await site.ask("/account/export", { as: student, form: {} });
    const zip = Buffer.from(await files.arrayBuffer()).toString();
    for (const text of [
      await journalOf(site, student),
      await textOf(`${journalPath}/book`),
      await textOf("/my-courses/journal.md"),
    ]) {
      for (const words of ["good words", "a good draft"]) expect(text).toContain(words);
      expect(counted(text)).toBe(2);
    }
    for (const words of ["emails.json", "good words", "a good draft", '"unreadable": true'])
      expect(zip).toContain(words);
    // Once each, and not a letter of what is sealed.
    const lines = told.mock.calls.map((call) => JSON.stringify(call));
    expect(lines).toHaveLength(2);
    expect(lines.join()).toContain(`progress:${lesson(0).id}`);
    expect(lines.join()).not.toContain("s1.");
    told.mockRestore();
  });

  test("in its lessons: one shows that it is there, and the other is completed as ever", async () => {
    await damage();
    const learn = `/courses/${course.slug}/learn`;
    expect(counted(mainOf(await textOf(`${learn}?lesson=lesson-1-1`)))).toBe(1);
    expect(mainOf(await textOf(`${learn}?lesson=lesson-1-3`))).toContain("unsent draft");
    const before = await draftRow();
    const done = await complete(site, student, course, lesson(2), { answers: ["sent now"] });
    expect(done.status).toBe(303);
    expect(await draftRow()).toEqual(before);
    const again = await complete(site, student, course, lesson(0), { answers: ["other words"] });
    expect(again.status).toBe(303);
    expect(await journalOf(site, student)).toContain("other words");
  });

  test("nor is it written over; she may delete it", async () => {
    await damage();
    const before = await entryRow();
    const form = await openAnswer(site, student, lesson(1));
    await form.save("changed words");
    const address = `${journalPath}?edit=${lesson(0).id}.0&version=new`;
    const fields: [string, string][] = [["userId", student.id]];
    fields.push(["lessonId", lesson(0).id], ["question", "Question 1"], ["answer", "over it"]);
    const refused = await site.ask(address, { as: student, multipart: fields });
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain("over it");
    expect(await entryRow()).toBe(before);
    const entry = await openQuestion(site, student, lesson(0).id);
    expect(entry.text).toContain("1 text that cannot be read just now");
    await entry.yes();
    expect(await entryRow()).toBeNull();
    const all = await openQuestion(site, student, "all");
    expect(all.text).toContain("1 lesson and 2 drafts");
    await all.yes();
    expect(await journalOf(site, student)).toContain("Nothing written yet");
  });

  test("where her key cannot be opened, all of hers is kept, and said so", async () => {
    await damageKey(student.id);
    const text = await journalOf(site, student);
    expect(counted(text)).toBe(4);
    const done = await complete(site, student, course, lesson(2), { answers: ["sent now"] });
    expect(done.status).toBe(500);
    expect(await done.text()).toContain("sent now");
  });
});
