import { beforeEach, expect, test, vi } from "vitest";
import { site as content } from "../../support/first-edition.ts";
import { prompts } from "../../support/journal.ts";
import { journalPath, said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { mainOf } from "../../support/responses.ts";

const sentence = `These words cannot be read just now. They are kept; please write to ${content.email}.`;
const one = { prompts: prompts(1) };
const kit = learningSite([[one, one, one]]);
const lesson = (at: number) => kit.lesson(0, at);
let draftId: string;

beforeEach(async () => {
  await kit.write([lesson(0), said("damaged text")], [lesson(1), said("good text")]);
  draftId = await kit.leave(said("a damaged draft"), lesson(2));
  await kit.leave(said("a good draft"), lesson(2));
});

/** Another letter in the middle of a sealed text. */
function damaged(sealed: string | null): string {
  const at = (sealed ?? "").length >> 1;
  return `${sealed?.slice(0, at)}${sealed?.[at] === "A" ? "B" : "A"}${sealed?.slice(at + 1)}`;
}
const db = () => kit.site.services.db.write;
const entry = async () =>
  (
    await db()
      .selectFrom("progress")
      .select("journalAnswer")
      .where("userId", "=", kit.student.id)
      .where("lessonId", "=", lesson(0).id)
      .executeTakeFirstOrThrow()
  ).journalAnswer;
const draft = () =>
  db()
    .selectFrom("drafts")
    .select(["content", "discardedAt"])
    .where("id", "=", draftId)
    .executeTakeFirstOrThrow();

async function damage() {
  const journalAnswer = damaged(await entry());
  await db()
    .updateTable("progress")
    .set({ journalAnswer })
    .where("userId", "=", kit.student.id)
    .where("lessonId", "=", lesson(0).id)
    .execute();
  const content = damaged((await draft()).content);
  await db().updateTable("drafts").set({ content }).where("id", "=", draftId).execute();
}

const textOf = async (path: string) => {
  const response = await kit.site.ask(path, { as: kit.student });
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll("<!-- -->", "");
};
const counted = (text: string) => text.split(sentence).length - 1;

test("a damaged text takes no other with it in My journal, the book, the file and the export", async () => {
  await damage();
  const log = vi.spyOn(kit.site.services.log, "error");
  const files = await kit.site.ask("/account/export", { as: kit.student, form: {} });
  const zip = Buffer.from(await files.arrayBuffer()).toString();
  for (const text of [
    await kit.journal(),
    await textOf(`${journalPath}/book`),
    await textOf("/my-courses/journal.md"),
  ]) {
    for (const each of ["good text", "a good draft"]) expect(text).toContain(each);
    expect(counted(text)).toBe(2);
  }
  for (const each of ["emails.json", "good text", "a good draft", '"unreadable": true'])
    expect(zip).toContain(each);
  // Once each, without a character of what is sealed.
  const lines = log.mock.calls.map((call) => JSON.stringify(call));
  log.mockRestore();
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain(`progress:${lesson(0).id}`);
  expect(lines.join()).not.toContain("s1.");
});

test("a damaged text is shown as unreadable in its lesson, and others are completed", async () => {
  await damage();
  expect(counted(mainOf(await textOf(kit.learn("?lesson=lesson-1-1"))))).toBe(1);
  expect(mainOf(await textOf(kit.learn("?lesson=lesson-1-3")))).toContain("are here again");
  const before = await draft();
  expect((await kit.complete({ answers: ["sent now"] }, lesson(2))).status).toBe(303);
  expect(await draft()).toEqual(before);
  expect((await kit.complete({ answers: ["other text"] }, lesson(0))).status).toBe(303);
  expect(await kit.journal()).toContain("other text");
});

test("a damaged text is not overwritten; its student may delete it", async () => {
  await damage();
  const before = await entry();
  await (await kit.answer(0, lesson(1))).save("changed text");
  const refused = await kit.site.ask(`${journalPath}?edit=${lesson(0).id}.0&version=new`, {
    as: kit.student,
    multipart: [
      ["userId", kit.student.id],
      ["lessonId", lesson(0).id],
      ["question", "Question 1"],
      ["answer", "over it"],
    ],
  });
  expect(refused.status).toBe(500);
  expect(await refused.text()).toContain("over it");
  expect(await entry()).toBe(before);
  const question = await kit.question(lesson(0).id);
  expect(question.text).toContain("1 text that cannot be read just now");
  await question.yes();
  expect(await entry()).toBeNull();
  const all = await kit.question("all");
  expect(all.text).toContain("1 lesson and 2 drafts");
  await all.yes();
  expect(await kit.journal()).toContain("Nothing written yet");
});

test("with a damaged key, everything of the student stays, and is shown as unreadable", async () => {
  const own = db()
    .selectFrom("journalKeys")
    .select("wrappedKey")
    .where("userId", "=", kit.student.id);
  const wrappedKey = damaged((await own.executeTakeFirstOrThrow()).wrappedKey);
  await db()
    .updateTable("journalKeys")
    .set({ wrappedKey })
    .where("userId", "=", kit.student.id)
    .execute();
  expect(counted(await kit.journal())).toBe(4);
  const sent = await kit.complete({ answers: ["sent now"] }, lesson(2));
  expect(sent.status).toBe(500);
  expect(await sent.text()).toContain("sent now");
});
