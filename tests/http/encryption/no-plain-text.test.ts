import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { makeBackup } from "~/platform/backup/make.ts";
import { newId } from "~/platform/db/ids.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import { collectLog } from "../../support/log-lines.ts";
import { openedDrafts, openedJournal } from "../../support/opened-journal.ts";
import { patient } from "../../support/patient.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const word = (what: string) => `unheard-of-${what}`;
const planted = /unheard-of-\w+/;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => statSync(name).isFile());
}

/** Files of a folder in which one of the words stands, as it is or as the database's JSON has it. */
const tellingFiles = (folder: string) =>
  filesIn(folder).filter((file) => readFileSync(file).includes("unheard-of-"));

async function everyRow({ db }: TestSite["services"]) {
  const tables = await db.read.introspection.getTables();
  const rows: Record<string, unknown> = {};
  for (const { name } of tables)
    rows[name] = (await sql`select * from ${sql.table(name)}`.execute(db.write)).rows;
  return rows;
}

test("no word of a journal stands in tables, files, emails, backups or the log", {
  timeout: 180_000,
}, async () => {
  const site = await startSite({ LOG_LEVEL: "debug" });
  const { services } = site;
  const logged = collectLog(services.log);
  const student = await createPerson(services, { name: "Grace" });
  const course = await createCourse(services, [[{ prompts: prompts(2) }, { prompts: prompts(2) }]]);
  const [first, last] = [lessonOf(course, 0, 0), lessonOf(course, 0, 1)];
  await enroll(services, { userId: student.id, productId: course.id });
  const draft = (lesson: { id: string }, answer: string, draftId = newId(), revision = 1) =>
    keepDraft(site, student, course, { draftId, lessonId: lesson.id, revision, answers: [answer] });
  const send = (lesson: { id: string }, answer: string, draftId?: string) =>
    complete(site, student, course, lesson, { answers: [answer], ...(draftId && { draftId }) });

  const [draftId, deletedId] = [newId(), newId()];
  for (let revision = 1; revision < 30; revision += 1)
    await draft(first, word("typed").repeat(revision * 40), draftId, revision);
  await draft(last, word("deleted"), deletedId);
  const form = { draft: `${deletedId}:1` };
  await site.ask(`/courses/${course.slug}/learn/draft`, { as: student, form });
  await send(first, word("sent"), draftId);
  await send(first, word("twice"));
  await withoutTable(services, "progress", async () => {
    const refused = await send(last, word("failed"));
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain(word("failed"));
  });
  await withoutTable(services, "drafts", async () => {
    expect((await draft(last, word("lost"))).status).toBe(500);
  });
  await send(last, word("last"));
  site.clock.forward(2 * 3600_000);
  services.wakeWorker();
  const { dataDir } = services.config;
  const emails = () =>
    filesIn(path.join(dataDir, "mail")).map((file) => readFileSync(file, "utf8"));
  await vi.waitFor(() => expect(emails().join()).toContain("You finished"), patient);

  const journal = await openedJournal(services, student.id);
  expect(journal.map(({ answers }) => answers[0]?.answer)).toEqual([word("sent"), word("last")]);
  const drafts = await openedDrafts(services, student.id);
  expect(drafts.map(({ answers }) => answers[0]?.answer)).toContain(word("twice"));
  for (const [table, rows] of Object.entries(await everyRow(services)))
    expect(JSON.stringify(rows), table).not.toMatch(planted);
  const folder = temporaryFolder();
  await makeBackup(services.config, folder, { version: "test" });
  expect(filesIn(folder).map((file) => path.basename(file))).toContain("journal-key");
  expect(tellingFiles(folder)).toEqual([]);
  expect(tellingFiles(dataDir)).toEqual([]);
  expect(filesIn(dataDir).length).toBeGreaterThan(2);
  expect(logged.length).toBeGreaterThan(20);
  expect(logged.join("")).not.toMatch(planted);
  await site.close();
});

/** Runs `work` while a table has another name. */
async function withoutTable(
  { db }: TestSite["services"],
  table: string,
  work: () => Promise<void>,
) {
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db.write);
  await rename(table, "away");
  try {
    await work();
  } finally {
    await rename("away", table);
  }
}
