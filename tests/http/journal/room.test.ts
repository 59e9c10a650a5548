import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { storageLimits } from "~/features/journal/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import {
  journalOf,
  journalPath,
  leave,
  openAnswer,
  said,
  write,
} from "../../support/journal-page.ts";
import { openedDrafts, openedJournal } from "../../support/opened.ts";
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
  const four = { prompts: prompts(4) };
  course = await createCourse(site.services, [[four, four]]);
  await write(site.services, student, course, []);
});

const lesson = (place = 0) => lessonOf(course, 0, place);
const player = async (query = "") => {
  const answer = await site.ask(`/courses/${course.slug}/learn${query}`, { as: student });
  return answer.text();
};

/** Rows of an older site: as many drafts of as many characters as she was ever let write. */
async function filled(drafts: number, characters: number) {
  const { db, clock } = site.services;
  const now = clock.now();
  const rows = Array.from({ length: drafts }, () => ({
    ...{ id: newId(), userId: student.id, lessonId: lesson().id, revision: 1, baseRevision: 0 },
    ...{
      kind: "journal" as const,
      content: "x".repeat(characters),
      createdAt: now,
      updatedAt: now,
    },
  }));
  for (const row of rows) await db.write.insertInto("drafts").values(row).execute();
  return rows.map(({ id }) => id);
}

describe("a room for words", () => {
  test("takes 100 drafts; then none is taken, all that are there are, and nothing is lost", async () => {
    for (let n = 0; n < storageLimits.drafts; n += 1)
      await leave(site.services, student, lesson(), said(`draft ${n}`));
    const draftId = newId();
    const one = { draftId, lessonId: lesson().id, answers: ["one more"] };
    const refused = await keepDraft(site, student, course, one);
    expect(refused.status).toBe(507);
    expect((await refused.json()).error).toMatchObject({ code: "no_room" });
    const drafts = await openedDrafts(site.services, student.id);
    expect(drafts).toHaveLength(storageLimits.drafts);
    const [newest] = drafts;
    const more = { draftId: newest?.id ?? "", lessonId: lesson().id, revision: 2 };
    const kept = await keepDraft(site, student, course, { ...more, answers: ["goes on"] });
    expect(kept.status).toBe(204);
    // Going on with an older one under another name needs no room for both.
    const absorbed = [{ id: newest?.id ?? "", revision: 2 }];
    const restored = { draftId: newId(), lessonId: lesson().id, answers: ["goes on"] };
    expect((await keepDraft(site, student, course, { ...restored, absorbed })).status).toBe(204);
    expect(await openedDrafts(site.services, student.id)).toHaveLength(storageLimits.drafts);
    const form = { intent: "delete", target: `draft.${restored.draftId}`, version: "1" };
    await site.ask(journalPath, { as: student, form });
    expect((await keepDraft(site, student, course, one)).status).toBe(204);
  });

  test("that is full keeps what is there, takes what is shorter, and gives the words back", async () => {
    const [draftId = ""] = await filled(50, storageLimits.bytes / 50);
    const one = { lessonId: lesson(1).id, answers: ["one more"] };
    expect((await keepDraft(site, student, course, { ...one, draftId: newId() })).status).toBe(507);
    const answer = await complete(site, student, course, lesson(1), { answers: ["one more"] });
    expect(answer.status).toBe(507);
    const html = await answer.text();
    expect(html).toContain("There is no room left for more of your words");
    expect(html).toContain(">one more</textarea>");
    expect(await openedJournal(site.services, student.id)).toEqual([]);
    // Without words, nothing is in the way of a lesson's end.
    expect((await complete(site, student, course, lesson(1), {})).status).toBe(303);
    const shorter = { draftId, lessonId: lesson().id, revision: 2, answers: ["shorter"] };
    expect((await keepDraft(site, student, course, shorter)).status).toBe(204);
    expect((await keepDraft(site, student, course, { ...one, draftId: newId() })).status).toBe(204);
  });

  test("is full for a changed answer too; the journal says so, and before that it says it kindly", async () => {
    await write(site.services, student, course, [[lesson(), said("short")]]);
    expect(await journalOf(site, student)).not.toContain("of its storage");
    await filled(16, (storageLimits.bytes * 0.85) / 16);
    expect(await journalOf(site, student)).toContain("Your journal uses 85 percent of its storage");
    expect(await player("?lesson=lesson-1-2")).toContain("85 percent of its storage");
    await filled(3, (storageLimits.bytes * 0.15) / 3);
    const { save } = await openAnswer(site, student, lesson());
    const answer = await save("a longer answer ".repeat(20));
    expect(answer.status).toBe(507);
    expect(await answer.text()).toContain("a longer answer a longer answer");
    expect((await openedJournal(site.services, student.id))[0]?.answers).toEqual(said("short"));
    expect((await save("sho")).status).toBe(303);
    expect(await journalOf(site, student)).toContain("has used all of its storage");
  });

  test("is a person's own: others write as before", async () => {
    await filled(2, storageLimits.bytes);
    const other = await createPerson(site.services);
    await write(site.services, other, course, []);
    const one = { draftId: newId(), lessonId: lesson().id, answers: ["hers"] };
    expect((await keepDraft(site, other, course, one)).status).toBe(204);
  });
});

test("what is emptied again and again leaves 200 rows behind, the newest", async () => {
  const { services } = site;
  const of = { userId: student.id, lessonId: lesson().id };
  for (let n = 0; n < 210; n += 1)
    await saveDraft(services, { ...of, draftId: newId(), revision: 1, answers: [] });
  const last = newId();
  await saveDraft(services, { ...of, draftId: last, revision: 2, answers: [] });
  const rows = await services.db.read
    .selectFrom("drafts")
    .select("id")
    .where("userId", "=", student.id)
    .execute();
  expect(rows).toHaveLength(200);
  // A save that arrives late still bounces off.
  const late = { ...of, draftId: last, revision: 1, answers: said("late") };
  expect(await saveDraft(services, late)).toBe(false);
});

test("saves that come faster than anybody types are put off, each person by herself", async () => {
  const save = (as: Person) =>
    keepDraft(site, as, course, { draftId: newId(), lessonId: lesson().id, answers: [] });
  const statuses: number[] = [];
  let refused: Response | null = null;
  for (let n = 0; n < 300 && !refused; n += 1) {
    const answer = await save(student);
    statuses.push(answer.status);
    if (answer.status === 429) refused = answer;
  }
  expect(statuses.slice(0, 60).every((status) => status === 204)).toBe(true);
  expect(refused?.headers.get("retry-after")).toMatch(/^[1-9]$/);
  const form = await complete(site, student, course, lesson(), {
    answers: ["x".repeat(100_000), "x".repeat(100_000), "x".repeat(100_000), "x".repeat(90_000)],
  });
  expect(form.status).toBe(429);
  const html = await form.text();
  expect(html).toContain("A great deal is being saved at once");
  expect(html.length).toBeLessThan(100_000);
  const other = await createPerson(site.services);
  await write(site.services, other, course, []);
  expect((await save(other)).status).toBe(204);
});
