import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { makeBackup } from "~/platform/backup/make.ts";
import { newId } from "~/platform/db/ids.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import { openedDrafts, openedJournal } from "../../support/opened.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const word = (what: string) => `unheard-of-${what}`;
const planted = /unheard-of-\w+/;

let site: TestSite;
let student: Person;
let admin: Person;
const logged: string[] = [];

beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: "debug" });
  listen(site.services.log);
  admin = await createPerson(site.services, { role: "admin", name: "Nora" });
  student = await createPerson(site.services, { name: "Grace" });
});
afterAll(() => site.close());

/** Lines of the log come here, whichever copy of the library the built site has. */
function listen(log: object) {
  const symbols = Object.getOwnPropertySymbols(log);
  const stream = symbols.find(({ description }) => description === "pino.stream");
  if (!stream) throw new Error("the log has no stream");
  Object.assign(log, { [stream]: { write: (line: string) => logged.push(line) } });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => statSync(name).isFile());
}

/** Files of a folder in which one of the words stands, as it is or as the database's JSON has it. */
const tellingFiles = (folder: string) =>
  filesIn(folder).filter((file) => readFileSync(file).includes("unheard-of-"));

async function everyRow() {
  const { db } = site.services;
  const { rows } = await (db.engine === "postgres"
    ? sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
  ).execute(db.write);
  const all: Record<string, unknown> = {};
  for (const { name } of rows)
    all[name] = (await sql`select * from ${sql.table(name)}`.execute(db.write)).rows;
  return all;
}

test("no word of a journal stands in tables, files, letters, pages, exports, backups or the log", {
  timeout: 180_000,
}, async () => {
  const { services } = site;
  const course = await createCourse(services, [[{ prompts: prompts(2) }, { prompts: prompts(2) }]]);
  const [first, last] = [lessonOf(course, 0, 0), lessonOf(course, 0, 1)];
  await enroll(services, { userId: student.id, productId: course.id });
  const draftId = newId();
  for (let revision = 1; revision < 30; revision += 1)
    await keepDraft(site, student, course, {
      ...{ draftId, lessonId: first.id, revision },
      answers: [word("typed").repeat(revision * 40)],
    });
  const deleted = { draftId: newId(), lessonId: last.id, answers: [word("deleted")] };
  await keepDraft(site, student, course, deleted);
  const form = { draftId: deleted.draftId };
  await site.ask(`/courses/${course.slug}/learn/draft`, { as: student, form });
  await complete(site, student, course, first, { answers: [word("sent")], draftId });
  await complete(site, student, course, first, { answers: [word("twice")] });
  await failing("progress", async () => {
    const refused = await complete(site, student, course, last, { answers: [word("failed")] });
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain(word("failed"));
  });
  await failing("drafts", async () => {
    const lost = { draftId: newId(), lessonId: last.id, answers: [word("lost")] };
    expect((await keepDraft(site, student, course, lost)).status).toBe(500);
  });
  await complete(site, student, course, last, { answers: [word("last")] });
  site.clock.forward(2 * 3600_000);
  services.wakeWorker();
  const mails = path.join(services.config.dataDir, "mail");
  const read = () => filesIn(mails).map((file) => readFileSync(file, "utf8"));
  await vi.waitFor(() => expect(read().join()).toContain("You finished"), patient);

  const lists = ["courses", "modules", "lessons", "enrollments", "students"];
  for (const page of [
    ...["", "/students", `/students/${student.id}`, "/enrollments", "/mail", "/payments"],
    ...[`/courses/${course.id}`, `/students?q=unheard`, "/mail?q=unheard"],
    ...lists.map((list) => `/export/${list}`),
  ]) {
    const response = await site.ask(`/admin${page}`, { as: admin });
    expect(response.status, page).toBeLessThan(400);
    // The words searched for stand in the box again.
    expect((await response.text()).replaceAll(/unheard(?!-of)/g, ""), page).not.toMatch(planted);
  }

  expect(await openedJournal(services, student.id)).toMatchObject([
    { answers: [{ answer: word("sent") }] },
    { answers: [{ answer: word("last") }] },
  ]);
  const drafts = await openedDrafts(services, student.id);
  expect(drafts.map(({ answers }) => answers[0]?.answer)).toContain(word("twice"));
  const rows = await everyRow();
  for (const [table, content] of Object.entries(rows))
    expect(JSON.stringify(content), table).not.toMatch(planted);
  const folder = temporaryFolder();
  await makeBackup(services.config, folder, { version: "test" });
  expect(filesIn(folder).map((file) => path.basename(file))).toContain("journal-key");
  expect(tellingFiles(folder)).toEqual([]);
  expect(tellingFiles(services.config.dataDir)).toEqual([]);
  expect(filesIn(services.config.dataDir).length).toBeGreaterThan(2);
  expect(logged.length).toBeGreaterThan(20);
  expect(logged.join("")).not.toMatch(planted);
});

/** While this goes on, a table is not where it was. */
async function failing(table: string, meanwhile: () => Promise<void>) {
  const { write } = site.services.db;
  await sql`alter table ${sql.table(table)} rename to ${sql.table("away")}`.execute(write);
  try {
    await meanwhile();
  } finally {
    await sql`alter table ${sql.table("away")} rename to ${sql.table(table)}`.execute(write);
  }
}
