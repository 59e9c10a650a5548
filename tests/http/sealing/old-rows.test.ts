import { existsSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { deleteDraft, saveDraft } from "~/features/learning/drafts/commands.server.ts";
import { findOutline, readPages } from "~/features/learning/journal/queries.server.ts";
import type { JournalCourse } from "~/features/learning/journal/schema.ts";
import { getLessonContent } from "~/features/learning/queries.server.ts";
import { sealJournals } from "~/features/learning/sealing/jobs.server.ts";
import { sqliteFile } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { openedDrafts, openedJournal } from "../../support/opened.ts";
import { said, unseal, writingStudent } from "../../support/sealed-site.ts";
import { openTestServices } from "../../support/services.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function site() {
  const made = await openTestServices();
  open.push(made);
  return made.services;
}

async function everything({ db }: Services) {
  const rows = [
    await db.write.selectFrom("progress").selectAll().execute(),
    await db.write.selectFrom("lessonDrafts").selectAll().execute(),
  ];
  return JSON.stringify(rows);
}

function bytesOf({ config }: Services) {
  const files = ["", "-wal"].map((end) => sqliteFile(config) + end).filter((f) => existsSync(f));
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

test("what was written before is read as it stands, then sealed, and read the same", async () => {
  const services = await site();
  const written: { id: string; sent: string; typed: string }[] = [];
  for (let n = 0; n < 50; n += 1) {
    const [sent, typed] = [`sent-${n}-word`, `typed-${n}-word ${"x".repeat(n * 300)}`];
    const { student } = await writingStudent(services, sent, typed);
    await unseal(services, student.id, sent, typed);
    written.push({ id: student.id, sent, typed });
  }
  const read = async () => {
    for (const { id, sent, typed } of written) {
      expect(await openedJournal(services, id)).toMatchObject([{ answers: said(sent) }]);
      expect(await openedDrafts(services, id)).toMatchObject([{ answers: said(typed) }]);
    }
  };
  await read();
  expect(await everything(services)).toContain("typed-49-word");
  if (services.db.engine === "sqlite") expect(bytesOf(services).includes("sent-7-word")).toBe(true);
  await sealJournals.run(services);
  expect(await everything(services)).not.toMatch(/sent-|typed-/);
  await read();
  if (services.db.engine === "sqlite")
    for (const word of ["sent-", "typed-"]) expect(bytesOf(services).includes(word)).toBe(false);
  const before = await everything(services);
  await sealJournals.run(services);
  expect(await everything(services)).toBe(before);
});

test("words that an older version leaves beside this one are sealed an hour later", async () => {
  const services = await site();
  await sealJournals.run(services);
  const { student } = await writingStudent(services, "sent", "typed");
  await unseal(services, student.id, "later-sent", "later-typed");
  await sealJournals.run(services);
  expect(await everything(services)).not.toContain("later-");
  expect(await openedJournal(services, student.id)).toMatchObject([
    { answers: said("later-sent") },
  ]);
});

test("a sealed draft that an older version took for empty and gave up is alive, with all its words", async () => {
  const services = await site();
  const { student, second, draftId } = await writingStudent(services, "sent", "typed");
  const userId = student.id;
  const takenForEmpty = () =>
    services.db.write
      .updateTable("lessonDrafts")
      .set({ answers: "[]", revision: 2, discardedAt: services.clock.now() })
      .where("id", "=", draftId)
      .execute();
  await takenForEmpty();
  const { drafts } = await getLessonContent(services, { userId, lessonId: second });
  expect(drafts).toMatchObject([{ id: draftId, answers: said("typed") }]);
  const courses = await findOutline(services.db.read, userId);
  const { value } = await readPages(services, userId, courses).next();
  const [course]: JournalCourse[] = value ?? [];
  expect(course?.lessons[1]?.drafts).toMatchObject([{ id: draftId, answers: said("typed") }]);
  await sealJournals.run(services);
  expect(await openedDrafts(services, userId)).toMatchObject([{ answers: said("typed") }]);
  // What is typed there goes on, and what she deletes goes.
  await takenForEmpty();
  const answers = said("typed, and more");
  const more = { userId, draftId, lessonId: second, revision: 2, answers };
  expect(await saveDraft(services, more)).toBe(true);
  await takenForEmpty();
  const draft = { id: draftId, revision: 2 };
  expect(await deleteDraft(services, { userId, draft })).toBe("deleted");
  await sealJournals.run(services);
  expect(await openedDrafts(services, userId)).toEqual([]);
  const [row] = await services.db.write.selectFrom("lessonDrafts").selectAll().execute();
  expect(row).toMatchObject({ sealedAnswers: null, answers: [] });
});

test("whoever writes while old words are sealed loses nothing, and several may seal at once", async () => {
  const services = await site();
  const { student, second, draftId } = await writingStudent(services, "sent", "typed");
  const userId = student.id;
  for (let round = 1; round <= 15; round += 1) {
    await unseal(services, userId, "old-sent", `old-typed-${round}`);
    const answers = said(`new-${round}`);
    const draft = { userId, draftId, lessonId: second, revision: round + 1, answers };
    await Promise.all([
      sealJournals.run(services),
      saveDraft(services, draft),
      sealJournals.run(services),
    ]);
    expect(await openedDrafts(services, userId)).toMatchObject([{ answers }]);
    expect(await openedJournal(services, userId)).toMatchObject([{ answers: said("old-sent") }]);
  }
  await deleteDraft(services, { userId, draft: { id: draftId, revision: 16 } });
  expect(await openedDrafts(services, userId)).toEqual([]);
  const [row] = await services.db.write.selectFrom("lessonDrafts").selectAll().execute();
  expect(row).toMatchObject({ sealedAnswers: null, answers: [] });
});
