import { expect, test } from "vitest";
import { deleteOldImports, importPortion } from "~/features/subscriber-import/jobs.server.ts";
import type { ImportState } from "~/platform/db/newsletter-tables.ts";
import { createImport, settled, signUp, subscriber } from "../support/newsletter.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { decode, mainOf, readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
const path = "/admin/newsletter/import";

/** Chooses a file as the form does. @returns the answer */
function upload(content: string | Uint8Array<ArrayBuffer>, where = "the form on my old site") {
  const file = new File([content], "list.csv", { type: "text/csv" });
  const multipart: [string, string | File][] = [
    ["file", file],
    ["where", where],
  ];
  return site.ask(path, { as: admin, multipart });
}

/** Chooses a file and waits until it is read. @returns its page's address */
async function uploaded(content: string | Uint8Array<ArrayBuffer>) {
  const answer = await upload(content);
  expect(answer.status).toBe(303);
  await settled(site);
  return answer.headers.get("location") ?? "";
}

async function wordsOf(at: string) {
  const page = mainOf(await (await site.ask(at, { as: admin })).text());
  return decode(page.replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ");
}

/** Presses Import and waits until all is imported. */
async function imported(at: string) {
  const answer = await site.ask(at, { as: admin, form: { intent: "import" } });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, at]);
  await settled(site);
}

const all = () =>
  site.services.db.read.selectFrom("subscribers").selectAll().orderBy("emailKey").execute();
const outbox = () => site.services.db.read.selectFrom("outbox").selectAll().orderBy("id").execute();

const isAsking = (kind: string) => kind === "newsletter.confirm-imported";

async function suppress(address: string) {
  const suppression = { address, reason: "bounce" as const, source: "admin" };
  await site.services.db.write
    .insertInto("suppressions")
    .values({ ...suppression, createdAt: site.clock.now() })
    .execute();
}

const kit = [
  "first_name,email_address,status,created_at",
  "Ada,ada@example.com,active,2022-02-03 04:05:06 UTC",
  "Bo,bo@example.com,cancelled,2022-02-03 04:05:06 UTC",
  "Cy,cy@example.com,bounced,2022-02-03 04:05:06 UTC",
  "Di,DI@Example.com,active,",
  "Em,em@example.com,active,someday",
  'Fay,"fay at example",active,2022-02-03 04:05:06 UTC',
  "Ada,ADA@example.com,active,2022-02-03 04:05:06 UTC",
  "Gus,gus@example.com,active,2022-02-03 04:05:06 UTC",
  "Hal,hal@example.com,active,2022-02-03 04:05:06 UTC",
  "Ida,ida@example.com,active,2022-02-03 04:05:06 UTC",
  "Jo,jo@example.com,active,2022-02-03 04:05:06 UTC",
  "Jo,jo@example.com,unsubscribed,2022-02-03 04:05:06 UTC",
].join("\r\n");

test("importing: says what will happen, does that, and the same file twice changes nothing", async () => {
  // On the list already, gone from it, suppressed.
  for (const name of ["gus", "hal"]) await signUp(site, { email: `${name}@example.com` });
  await settled(site);
  const { db } = site.services;
  for (const [name, status] of [
    ["gus", "confirmed"],
    ["hal", "unsubscribed"],
  ] as const)
    await db.write
      .updateTable("subscribers")
      .set({ status, confirmedAt: site.clock.now() })
      .where("emailKey", "=", `${name}@example.com`)
      .execute();
  await suppress("ida@example.com");
  const before = await all();

  const at = await uploaded(kit);
  expect(await all()).toEqual(before);
  const shown = await wordsOf(at);
  expect(shown).toContain("An export of Kit, 12 rows");
  for (const words of [
    "1 will be added at once",
    "2 will be asked by email to confirm",
    "1 on the list already, will stay",
    "1 left your list before, will stay gone",
    "1 suppressed, will get no email",
    "3 unsubscribed or bounced, as the file says",
    "2 in the file more than once",
    "1 not an email address",
    "7 fay at example Not an email address",
    "8 ADA@example.com In the file more than once",
    "6 em@example.com The date cannot be read, so they are asked by email",
  ])
    expect(shown).toContain(words);
  const problems = await site.ask(`${at}/problems`, { as: admin });
  expect((await problems.text()).split("\r\n").slice(1, 3)).toEqual([
    '3,"Unsubscribed or bounced, as the file says",bo@example.com',
    '4,"Unsubscribed or bounced, as the file says",cy@example.com',
  ]);

  await imported(at);
  expect(await wordsOf(at)).toMatch(/Imported.* 1 added/);
  expect(await subscriber(site, "ada@example.com")).toMatchObject({
    ...{ status: "confirmed", firstName: "Ada", source: "import", email: "ada@example.com" },
    confirmedAt: new Date("2022-02-03T04:05:06Z"),
    consent: "2022-02-03 04:05:06 UTC: the form on my old site",
  });
  expect(await subscriber(site, "di@example.com")).toMatchObject({ status: "pending" });
  for (const name of ["bo", "cy", "ida", "jo"])
    expect(await subscriber(site, `${name}@example.com`)).toBe(undefined);
  expect(await subscriber(site, "hal@example.com")).toMatchObject({ status: "unsubscribed" });
  const entries = await db.read
    .selectFrom("auditEntries")
    .select(["action", "label", "details"])
    .where("action", "=", "subscriber.imported")
    .execute();
  expect(entries).toEqual([
    { action: "subscriber.imported", label: "list.csv", details: { added: 1, asked: 2 } },
  ]);

  const once = await all();
  const emails = (await outbox()).filter(({ kind }) => isAsking(kind));
  expect(emails).toHaveLength(2);
  const again = await uploaded(kit);
  const shownAgain = await wordsOf(again);
  expect(shownAgain).toContain("There is nothing in this file to import.");
  expect(shownAgain).not.toContain("Import Starting");
  await imported(again);
  expect(await all()).toEqual(once);
  expect((await outbox()).filter(({ kind }) => isAsking(kind))).toHaveLength(2);
});

test("importing: emails that ask go out at 200 an hour, and the next file's after them", async () => {
  const file = (name: string) =>
    ["Email", ...Array.from({ length: 5 }, (_, n) => `${name}${n}@example.org`)].join("\n");
  const start = site.clock.now().getTime();
  for (const name of ["one", "two"]) await imported(await uploaded(file(name)));
  const due = (await outbox())
    .filter(({ kind, createdAt }) => isAsking(kind) && createdAt.getTime() >= start)
    .map(({ dueAt }) => dueAt.getTime())
    .toSorted((a, b) => a - b);
  expect(due).toHaveLength(10);
  for (const [n, at] of due.slice(1).entries())
    expect(at - (due[n] ?? 0)).toBeGreaterThanOrEqual(18_000);
  expect((due.at(-1) ?? 0) - start).toBeLessThan(10 * 60_000);
});

test("importing: columns without a known heading are asked for", async () => {
  const at = await uploaded("Contact;Vorname\nkim@example.net;Kim\n");
  expect(await wordsOf(at)).toContain("Which column is which?");
  const refused = await site.ask(at, { as: admin, form: { intent: "columns", email: "7" } });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Please choose the column with the email addresses.");
  const form = { intent: "columns", email: "0", firstName: "1" };
  expect((await site.ask(at, { as: admin, form })).status).toBe(303);
  await settled(site);
  expect(await wordsOf(at)).toContain("1 will be asked by email to confirm");
  await imported(at);
  expect(await subscriber(site, "kim@example.net")).toMatchObject({ firstName: "Kim" });
});

test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
  ["nothing", "", "Please choose a file."],
  ["a workbook", "PK\u0003\u0004", "This is a workbook or an archive."],
  ["no text", "Email\n\0\0", "This file is not text."],
  ["no headings", "ada@example.com,Ada\n", "The first line of the file should name its columns"],
])("importing: %s is refused in plain words, and what was typed stays", async (_, file, says) => {
  const answer = await upload(file, "my old shop");
  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(readable(page)).toContain(says);
  expect(page).toContain('value="my old shop"');
});

test("importing: speaks of a newsletter provider only where there is one", async () => {
  expect(await wordsOf(path)).not.toContain("provider");
});

test("importing: the place where they signed up is required", async () => {
  const answer = await upload("Email\nada@example.com", " ");
  expect(answer.status).toBe(400);
  expect(readable(await answer.text())).toContain("Please say where they signed up");
});

test.each<[string, Uint8Array<ArrayBuffer>]>([
  [
    "Windows-1252",
    Uint8Array.from(Buffer.from("E-Mail;First Name\nzoe@example.net;Zoë", "latin1")),
  ],
  [
    "UTF-16",
    Uint8Array.from(Buffer.from("\ufeffEmail\tFirst Name\nzoe@example.net\tZoë", "utf16le")),
  ],
  [
    "UTF-8 with a mark",
    Uint8Array.from(Buffer.from("\ufeffEmail,First Name\nzoe@example.net,Zoë")),
  ],
])("importing: a file in %s is read", async (_, file) => {
  await site.services.db.write.deleteFrom("subscribers").execute();
  await imported(await uploaded(file));
  expect(await subscriber(site, "zoe@example.net")).toMatchObject({ firstName: "Zoë" });
});

test("importing: a quotation mark that never ends is named by its row", async () => {
  const at = await uploaded(`Email\nada@example.com\n"bo@example.com\n${"x\n".repeat(100)}`);
  expect(await wordsOf(at)).toContain("Row 3 cannot be read");
});

test("importing: two workers and a crash between portions change nothing", async () => {
  const lines = Array.from({ length: 1200 }, (_, n) => `p${n}@example.edu,2023-01-01`);
  const at = await uploaded(["email,created_at", ...lines].join("\n"));
  const id = at.split("/").at(-1) ?? "";
  const { services } = site;
  await services.db.write
    .updateTable("subscriberImports")
    .set({ state: "importing" })
    .where("id", "=", id)
    .execute();
  // As a second worker would, whose first one was killed behind a portion.
  expect(await importPortion(services, id)).toBe(true);
  await Promise.all([importPortion(services, id), importPortion(services, id)]);
  while (await importPortion(services, id));
  const found = (await all()).filter(({ email }) => email.endsWith("@example.edu"));
  expect(found).toHaveLength(1200);
  expect(await wordsOf(at)).toContain("1,200 added");
});

test("rows of a file are deleted after a day, also of an import that came to nothing; its note after 90", async () => {
  const { services, clock } = site;
  const { db } = services;
  const hours = (count: number) => new Date(clock.now().getTime() - count * 3600_000);
  const made = async (state: ImportState, createdAt: Date) => {
    const id = await createImport(services);
    const row = db.write.updateTable("subscriberImports").set({ state, createdAt });
    await row.where("id", "=", id).execute();
    return id;
  };
  const young = await made("ready", hours(23));
  const begun = await made("importing", hours(25));
  const done = await made("done", hours(25));
  const stuck = await made("importing", hours(73));
  const ids = [young, begun, done, stuck];
  ids.push(await made("ready", hours(25)), await made("done", hours(91 * 24)));
  await deleteOldImports.run(services);
  const imports = db.read.selectFrom("subscriberImports").select("id").where("id", "in", ids);
  expect((await imports.execute()).map(({ id }) => id).sort()).toEqual([young, begun, done].sort());
  const rows = db.read.selectFrom("subscriberImportRows").select("importId as id");
  const left = await rows.where("importId", "in", ids).execute();
  expect(left.map(({ id }) => id).sort()).toEqual([young, begun].sort());
});

test("importing: of an import that is over, a press says so", async () => {
  const at = await uploaded("email\nlou@example.net");
  await imported(at);
  const again = await site.ask(at, { as: admin, form: { intent: "import" } });
  expect(again.status).toBe(404);
  expect(readable(await again.text())).toContain("This import is over.");
  expect((await all()).filter(({ email }) => email === "lou@example.net")).toHaveLength(1);
});
