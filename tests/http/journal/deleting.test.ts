import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../../support/journal.ts";
import { journalPath, said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { createPerson } from "../../support/people.ts";
import { toastOf } from "../../support/responses.ts";

const two = { prompts: prompts(2) };
const kit = learningSite([[two, two]], { title: "The course" });
const first = () => kit.lesson(0, 0);
const second = () => kit.lesson(0, 1);
beforeEach(() =>
  kit.write([first(), said("the first", "the second")], [second(), said("the third")]),
);

const answersInDatabase = async () => {
  const rows = await kit.site.services.db.read
    .selectFrom("progress")
    .select("journalAnswer")
    .where("userId", "=", kit.student.id)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ journalAnswer }) => journalAnswer);
};
async function expectJournal({ has = [] as string[], not = [] as string[] }) {
  const text = await kit.journal();
  for (const each of has) expect(text).toContain(each);
  for (const each of not) expect(text).not.toContain(each);
}

describe("one answer", () => {
  test("goes after a question that names it; the others and the lesson stay", async () => {
    const question = await kit.question(`${first().id}.0`);
    for (const text of ["Delete this answer?", "Question 1", "What you have completed stays"])
      expect(question.text).toContain(text);
    await expectJournal({ has: ["the first"] });
    const response = await question.yes();
    expect([response.status, toastOf(response)?.title]).toEqual([303, "Deleted."]);
    await expectJournal({ has: ["the second"], not: ["the first"] });
    const { html } = await kit.player();
    expect(html).toContain("100% Complete");
    expect(html).not.toContain("the first");
  });

  test("that has changed since the question stays, and the question comes again", async () => {
    const question = await kit.question(`${first().id}.0`);
    await (await kit.answer()).save("changed meanwhile");
    const response = await question.yes();
    expect(response.headers.get("location")).toBe(`${journalPath}?delete=${first().id}.0`);
    expect(toastOf(response)?.title).toBe("Something was written there meanwhile");
    await expectJournal({ has: ["changed meanwhile"] });
  });

  test("the last of a lesson, from two tabs: the lesson stays completed with nothing written", async () => {
    const tabs = [await kit.question(`${second().id}.0`), await kit.question(`${second().id}.0`)];
    await tabs[0]?.yes();
    const again = await tabs[1]?.yes();
    expect(again && toastOf(again)?.title).toBe("It is not there any more.");
    expect((await answersInDatabase())[1]).toBeNull();
    await expectJournal({ not: ["the third"] });
  });
});

test("a lesson's entry goes with its drafts, counted; the rest stays", async () => {
  await kit.leave(said("a draft beside it"));
  const question = await kit.question(first().id);
  expect(question.text).toContain("2 answers and 1 draft");
  expect(question.text).toContain("Lesson 1.1");
  await question.yes();
  await expectJournal({
    has: ["the third"],
    not: ["the first", "the second", "a draft beside it"],
  });
  expect(await answersInDatabase()).toHaveLength(2);
});

test("an entry to which a draft came since the question stays whole", async () => {
  const question = await kit.question(first().id);
  await kit.leave(said("came meanwhile"));
  expect(toastOf(await question.yes())?.tone).toBe("destructive");
  await expectJournal({ has: ["the first", "came meanwhile"] });
});

test("a draft goes by itself, unless more was written in it since the question", async () => {
  const draftId = newId();
  await kit.draft(["begun"], { draftId });
  const question = await kit.question(`draft.${draftId}`);
  expect(question.text).toContain("Delete this draft?");
  expect(question.text).toMatch(/The draft from \w+ \d+, \d{4}/);
  await kit.draft(["begun, and more"], { draftId, revision: 2 });
  const response = await question.yes();
  expect(response.headers.get("location")).toBe(`${journalPath}?delete=draft.${draftId}`);
  expect(toastOf(response)?.title).toBe("Something was written there meanwhile");
  await expectJournal({ has: ["begun, and more"] });
  const again = await kit.question(`draft.${draftId}`);
  expect(toastOf(await again.yes())?.title).toBe("The draft is deleted.");
  expect(toastOf(await again.yes())?.title).toBe("It is not there any more.");
  await expectJournal({ has: ["the first"], not: ["begun"] });
});

test("everything goes after a question that counts it; the lessons stay completed", async () => {
  const question = await kit.question("all");
  expect(question.text).toContain("2 lessons");
  expect(question.text).toContain("The course");
  expect(toastOf(await question.yes())?.title).toBe("Your journal is empty now.");
  await expectJournal({ has: ["Nothing written yet"] });
  expect(await answersInDatabase()).toEqual([null, null]);
});

test("another user deletes nothing, even an admin", async () => {
  const other = await createPerson(kit.site.services, { role: "admin" });
  const draftId = await kit.leave(said("a draft"));
  for (const target of [`${first().id}.0`, first().id, `draft.${draftId}`, "all"])
    await (await kit.question(target)).yes(other);
  await expectJournal({ has: ["the first", "the second", "the third", "a draft"] });
});

test("a question about nothing is not asked, and nothing is deleted without one", async () => {
  for (const target of ["none", `${first().id}.9`, "draft.none", "all"]) {
    if (target !== "all") expect((await kit.question(target)).text).toBe("");
    const form = { intent: "delete", target, version: "x" };
    expect((await kit.site.ask(journalPath, { as: kit.student, form })).status).toBe(303);
  }
  await expectJournal({ has: ["the first"] });
});
