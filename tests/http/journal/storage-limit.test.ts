import { expect, test } from "vitest";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { storageLimits } from "~/features/journal/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../../support/journal.ts";
import { journalPath, said, write } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { openedDrafts, openedJournal } from "../../support/opened-journal.ts";
import { createPerson } from "../../support/people.ts";

const four = { prompts: prompts(4) };
const kit = learningSite([[four, four]]);
const second = () => kit.lesson(0, 1);

/** Another student of the course. */
async function createOther() {
  const other = await createPerson(kit.site.services);
  await write(kit.site.services, other, kit.course, []);
  return other;
}

/** So many drafts of so many bytes, put into the database. @returns their ids */
async function fill(count: number, bytes: number): Promise<string[]> {
  const { db, clock } = kit.site.services;
  const now = clock.now();
  const of = { userId: kit.student.id, lessonId: kit.lesson().id, kind: "journal" as const };
  const row = { ...of, revision: 1, baseRevision: 0, createdAt: now, updatedAt: now };
  const ids = Array.from({ length: count }, newId);
  for (const id of ids)
    await db.write
      .insertInto("drafts")
      .values({ ...row, id, content: "x".repeat(bytes) })
      .execute();
  return ids;
}

test("100 drafts are taken, then no new one; those that are there can be changed and joined", async () => {
  const { services } = kit.site;
  await fill(storageLimits.drafts - 1, 10);
  const newest = newId();
  expect((await kit.draft(["the last one"], { draftId: newest })).status).toBe(204);
  const refused = await kit.draft(["one more"]);
  expect(refused.status).toBe(507);
  expect((await refused.json()).error).toMatchObject({ code: "no_room" });
  expect((await kit.draft(["goes on"], { draftId: newest, revision: 2 })).status).toBe(204);
  // Continuing an older one under another id needs no room for both.
  const draftId = newId();
  const absorbed = [{ id: newest, revision: 2 }];
  expect((await kit.draft(["goes on"], { draftId, absorbed })).status).toBe(204);
  const active = services.db.read
    .selectFrom("drafts")
    .select("id")
    .where("discardedAt", "is", null);
  expect(await active.where("userId", "=", kit.student.id).execute()).toHaveLength(100);
  const form = { intent: "delete", target: `draft.${draftId}`, version: "1" };
  await kit.site.ask(journalPath, { as: kit.student, form });
  expect((await kit.draft(["one more"])).status).toBe(204);
});

test("full storage: what is there stays, shorter text is saved, and refused text goes back", async () => {
  const [draftId = ""] = await fill(50, storageLimits.bytes / 50);
  expect((await kit.draft(["one more"], { lesson: second() })).status).toBe(507);
  const response = await kit.complete({ answers: ["one more"] }, second());
  expect(response.status).toBe(507);
  const html = await response.text();
  expect(html).toContain("There is no room left for more of your words");
  expect(html).toContain(">one more</textarea>");
  expect(await openedJournal(kit.site.services, kit.student.id)).toEqual([]);
  // Without text, a lesson can be completed.
  expect((await kit.complete({}, second())).status).toBe(303);
  expect((await kit.draft(["shorter"], { draftId, revision: 2 })).status).toBe(204);
  expect((await kit.draft(["one more"], { lesson: second() })).status).toBe(204);
  const other = await createOther();
  expect((await kit.draft(["theirs"], { as: other })).status).toBe(204);
});

test("full storage refuses a longer answer; the journal and the player say how full it is", async () => {
  await kit.write([kit.lesson(), said("short")]);
  expect(await kit.journal()).not.toContain("of its storage");
  await fill(16, (storageLimits.bytes * 0.85) / 16);
  expect(await kit.journal()).toContain("Your journal uses 85 percent of its storage");
  expect((await kit.player("?lesson=lesson-1-2")).html).toContain("85 percent of its storage");
  await fill(3, (storageLimits.bytes * 0.15) / 3);
  const { save } = await kit.answer();
  const response = await save("a longer answer ".repeat(20));
  expect(response.status).toBe(507);
  expect(await response.text()).toContain("a longer answer a longer answer");
  const [entry] = await openedJournal(kit.site.services, kit.student.id);
  expect(entry?.answers).toEqual(said("short"));
  expect((await save("sho")).status).toBe(303);
  expect(await kit.journal()).toContain("has used all of its storage");
});

test("of emptied drafts, the newest 200 rows stay and drop late saves", async () => {
  const { services } = kit.site;
  const of = { userId: kit.student.id, lessonId: kit.lesson().id, answers: [] };
  for (let n = 0; n < 205; n += 1)
    await saveDraft(services, { ...of, draftId: newId(), revision: 1 });
  const last = newId();
  await saveDraft(services, { ...of, draftId: last, revision: 2 });
  const rows = services.db.read.selectFrom("drafts").select("id");
  expect(await rows.where("userId", "=", kit.student.id).execute()).toHaveLength(200);
  const late = { ...of, draftId: last, revision: 1, answers: said("late") };
  expect(await saveDraft(services, late)).toBe(false);
  expect(await openedDrafts(services, kit.student.id)).toEqual([]);
});

test("saves that come faster than anybody types are refused with 429, for each user apart", async () => {
  const statuses: number[] = [];
  let refused: Response | null = null;
  for (let n = 0; n < 300 && !refused; n += 1) {
    const response = await kit.draft([]);
    statuses.push(response.status);
    if (response.status === 429) refused = response;
  }
  expect(statuses.slice(0, 60).every((status) => status === 204)).toBe(true);
  expect(refused?.headers.get("retry-after")).toMatch(/^[1-9]$/);
  const answers = [100_000, 100_000, 100_000, 90_000].map((length) => "x".repeat(length));
  const form = await kit.complete({ answers });
  expect(form.status).toBe(429);
  const html = await form.text();
  expect(html).toContain("A great deal is being saved at once");
  expect(html.length).toBeLessThan(100_000);
  expect((await kit.draft([], { as: await createOther() })).status).toBe(204);
});
