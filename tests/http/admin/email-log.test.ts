import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteOldEmails } from "~/features/email-log/email-log.server.ts";
import { mailFolder } from "~/platform/email/open.ts";
import { endOutage, noteOutage } from "~/platform/email/outage.ts";
import { jobs } from "~/server/jobs.ts";
import { secret, writeAllFailed, writeFailed, writeRow } from "../../support/email-log.ts";
import { patient } from "../../support/patient.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const dayMs = 24 * 3600_000;
const site = siteOfFile({ LOG_LEVEL: "silent" });
const admin = adminOfFile(site);
beforeEach(() => site.services.db.write.deleteFrom("outbox").execute());

const ago = (ms: number) => new Date(site.clock.now().getTime() - ms);
async function read(query = ""): Promise<string> {
  const answers = await Promise.all(
    ["/admin/mail", "/admin/mail.data"].map(async (path) => {
      const response = await site.ask(path + query, { as: admin });
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  // No answer has a link that signs in, or a word of an email.
  for (const text of answers) {
    expect(text).not.toContain("secret-of-an-email");
    expect(text).not.toContain("accounts.verify-email");
  }
  return (answers[0] ?? "").replaceAll("<!-- -->", "");
}
const press = (intent: string, id = "") =>
  site.ask("/admin/mail?state=failed", { as: admin, form: { intent, id } });
const row = (id: string) =>
  site.services.db.read.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();
const finished = (id: string) =>
  expect.poll(async () => (await row(id))?.finishedAt, patient).toBeTruthy();

test("jobs: each kind of work has a label in plain words", () => {
  for (const { kind, label } of jobs) expect(label, kind).not.toBe(kind);
});

describe("GET /admin/mail", () => {
  test("says to whom, which email, and how each stands", async () => {
    const ada = await createPerson(site.services, { name: "Ada Lovelace" });
    const { services } = site;
    await writeRow(services, { userId: ada.id });
    const retry = { attempts: 3, lastError: "451 4.7.1 come back later" };
    await writeRow(services, { address: "retry@here.example", ...retry });
    await writeRow(services, {
      ...{ kind: "learning.module-completed", userId: ada.id, payload: "{}" },
      ...{ subject: "You finished “Anger”", finishedAt: ago(1000) },
    });
    const grief = { subject: "You finished “Grief”", finishedAt: ago(1000) };
    const file = `${await writeRow(services, { userId: ada.id, ...grief })}.eml`;
    const folder = mailFolder(services.config.dataDir);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, file), "");
    await writeRow(services, { kind: "newsletter.signup", finishedAt: ago(1), payload: "{}" });
    await writeFailed(services, { address: "full@here.example" });
    const all = await read();
    for (const words of [
      `<a href="/admin/students/${ada.id}">Ada Lovelace</a>`,
      "Confirming the address",
      "Goes out ",
      "Tried 3 times.",
      "451 4.7.1 come back later",
      "You finished “Anger”",
      "It was tried for days, and the mail server did not accept it.",
      "452 4.2.2 the mailbox is full",
    ])
      expect(all).toContain(words);
    expect(all).not.toContain("Signing up for the newsletter");
    // Without a mail server now, but there was one.
    expect(all).toMatch(/“Grief”.*?Written to a file<\/span>/);
    expect(all).toMatch(/“Anger”.*?>Sent</);
    expect(await read("?state=sent")).not.toContain("here.example");
    expect(await read("?state=waiting")).toContain("retry@here.example");
    const failed = await read("?state=failed");
    expect(failed).toContain("full@here.example");
    expect(failed).not.toContain("retry@here.example");
  });

  test.each([
    ["annik", [true, false]],
    ["Someone+", [false, true]],
    ["someone+else@there.example", [false, true]],
    ["else@there", [false, false]],
    ["%", [false, false]],
  ])("is searched by name and address: %s", async (search, found) => {
    const ada = await createPerson(site.services, { name: "Annika Sørensen" });
    await writeRow(site.services, { userId: ada.id });
    await writeRow(site.services, { address: "someone+else@there.example" });
    const text = await read(`?q=${encodeURIComponent(search)}`);
    expect([text.includes("Annika"), text.includes("someone+else@there.example")]).toEqual(found);
  });

  test("lists fifty on a page, newest first, and goes on there", async () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({
      ...{ address: `n${n}.@page.example`, failedAt: ago(n * 1000) },
    }));
    await writeAllFailed(site.services, rows);
    const first = await read("?state=failed");
    expect(first.match(/scope="row"/g)).toHaveLength(50);
    expect(first).toContain("n0.@page");
    const next = /rel="next" href="([^"]+)"|href="([^"]+)"[^>]*rel="next"/.exec(first);
    const href = (next?.[1] ?? next?.[2] ?? "").replaceAll("&amp;", "&");
    const second = await read(href.slice(href.indexOf("?")));
    expect(second).toContain("n50.@page");
    expect(second).not.toContain("n49.@page");
  });

  test("lists work that sends no email where it fails", async () => {
    await writeFailed(site.services, {
      ...{ kind: "newsletter.signup", address: "new@reader.example", failure: "broken" },
      lastError: "the newsletter provider answered 422",
    });
    const text = await read();
    for (const words of [
      "Signing up for the newsletter",
      "It was refused where it was to go. Is the address right?",
      "new@reader.example",
    ])
      expect(text).toContain(words);
  });

  test("says where emails go without a mail server, and since when one is away", async () => {
    expect(await read()).toContain("Emails are not sent yet");
    const { db, clock } = site.services;
    const now = clock.now();
    const words = "535 5.7.8 authentication failed";
    await noteOutage(db.write, { since: now, lastSeen: now, words });
    const text = await read();
    expect(text).toContain("The mail server cannot be used");
    expect(text).toContain(words);
    expect(await (await site.ask("/admin", { as: admin })).text()).toContain("admin-count");
    await endOutage(db.write);
    expect(await read()).not.toContain(words);
  });
});

test("GET /admin and below: counts what was not sent, up to nine", async () => {
  const count = async (path: string) => {
    const text = await (await site.ask(path, { as: admin })).text();
    return /admin-count">([^<]*)</.exec(text.replaceAll("<!-- -->", ""))?.[1] ?? null;
  };
  expect(await count("/admin")).toBeNull();
  await writeFailed(site.services);
  expect(await count("/admin/lessons")).toBe("1");
  await writeAllFailed(site.services, Array(12).fill({}));
  expect(await count("/admin/mail")).toBe("9+");
});

describe("POST /admin/mail", () => {
  test("sends a failed email again, from the first attempt", async () => {
    const id = await writeFailed(site.services, { address: "again@here.example" });
    expect((await press("again", id)).status).toBe(303);
    // It is a real email, and the worker of this site takes it.
    await finished(id);
    expect(await row(id)).toMatchObject({ failedAt: null, failure: null, attempts: 1 });
  });

  test("does not send an email again whose link has expired, and says what helps", async () => {
    const dead = [
      await writeFailed(site.services, { worksUntilAt: ago(1000) }),
      await writeFailed(site.services, { failure: "expired" }),
    ];
    for (const id of dead) {
      const answer = await press("again", id);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("cannot be sent again");
      expect((await row(id))?.failedAt).not.toBeNull();
    }
    const text = await read("?state=failed");
    expect(text).toContain("Another one goes out at the next sign-in.");
    expect(text).not.toContain(">Send again<");
  });

  test("sends all again that was exhausted; refused ones apart, expired and old ones never", async () => {
    const { services } = site;
    const dueAt = ago(-dayMs);
    await writeAllFailed(services, Array(1200).fill({ kind: "of.later", dueAt }));
    const refused = await writeFailed(services, { failure: "refused" });
    const dead = await writeFailed(services, { worksUntilAt: ago(1) });
    const old = await writeFailed(services, { failedAt: ago(8 * dayMs) });
    expect(toastOf(await press("all-again"))?.title).toBe("1,200 will be tried again");
    const left = await services.db.read
      .selectFrom("outbox")
      .select("id")
      .where("failedAt", "is not", null)
      .execute();
    expect(left.map(({ id }) => id).sort()).toEqual([refused, dead, old].sort());
    const page = await read("?state=failed");
    expect(page).toContain("Send again what was refused");
    expect(page).not.toContain("Send again what was tried for days");
    expect((await press("refused-again")).status).toBe(303);
    expect(await row(refused)).toMatchObject({ failedAt: null });
    expect((await row(dead))?.failedAt).not.toBeNull();
    expect(await read("?state=failed")).not.toContain("Send again what");
  });

  test("offers what the site stopped at to be sent again one by one", async () => {
    const lastError = "the site stopped in the middle of this";
    await writeFailed(site.services, { failure: "interrupted", interruptions: 9, lastError });
    const text = await read("?state=failed");
    expect(text).toContain("The site stopped in the middle of sending it, again and again.");
    expect(text).toContain(">Send again<");
    expect(text).not.toContain("Send again what");
  });

  test("tries what waits for its next attempt now, but not what waits for its hour", async () => {
    const retry = await writeRow(site.services, { attempts: 2, lastError: "451 later" });
    const scheduled = await writeRow(site.services);
    expect((await press("now", retry)).status).toBe(303);
    await finished(retry);
    expect((await press("now", scheduled)).status).toBe(404);
    expect(await row(scheduled)).toMatchObject({ attempts: 0, finishedAt: null });
  });

  test("removes what failed, one or all, and nothing else", async () => {
    const [one, two] = [await writeFailed(site.services), await writeFailed(site.services)];
    const waiting = await writeRow(site.services);
    await press("remove", one);
    await press("remove", waiting);
    expect(await row(one)).toBeUndefined();
    expect(await row(two)).toBeDefined();
    await press("remove-all");
    expect(await row(two)).toBeUndefined();
    expect(await row(waiting)).toBeDefined();
    expect(await read("?state=failed")).toContain("No email has failed");
  });

  test.each([
    ["again", "00000000-0000-7000-8000-000000000000", 404],
    ["now", "", 404],
    ["burn", "", 400],
  ])("refuses '%s' of what is not there", async (intent, id, status) => {
    expect((await press(intent, id)).status).toBe(status);
  });
});

describe("deleteOldEmails", () => {
  const run = () => deleteOldEmails.run(site.services);
  test("deletes a failed email's content with its link, and after a week", async () => {
    const fresh = await writeFailed(site.services, { failedAt: ago(6 * dayMs) });
    const old = await writeFailed(site.services, { failedAt: ago(7 * dayMs + 1) });
    const dead = await writeFailed(site.services, { worksUntilAt: ago(1) });
    await run();
    expect(JSON.stringify((await row(fresh))?.payload)).toContain(secret);
    expect((await row(old))?.payload).toEqual({});
    expect((await row(dead))?.payload).toEqual({});
    expect(await read("?state=failed")).toContain("what it said is not kept");
  });

  test("deletes rows a month after they are done, three after they failed; what waits stays", async () => {
    const done = { payload: "{}", subject: "Hello" };
    const gone = [
      await writeRow(site.services, { ...done, finishedAt: ago(30 * dayMs + 1) }),
      await writeFailed(site.services, { failedAt: ago(90 * dayMs + 1) }),
    ];
    const stay = [
      await writeRow(site.services, { ...done, finishedAt: ago(29 * dayMs) }),
      await writeFailed(site.services, { failedAt: ago(89 * dayMs) }),
      await writeRow(site.services, { createdAt: ago(400 * dayMs) }),
    ];
    await run();
    await run();
    for (const id of gone) expect(await row(id)).toBeUndefined();
    for (const id of stay) expect(await row(id)).toBeDefined();
  });

  test("is not needed for a deleted account: its emails go with it", async () => {
    const person = await createPerson(site.services);
    const id = await writeFailed(site.services, { userId: person.id });
    await site.services.db.write.deleteFrom("profiles").where("id", "=", person.id).execute();
    expect(await row(id)).toBeUndefined();
  });
});
