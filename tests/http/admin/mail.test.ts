import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteOldEmails } from "~/features/email-log/email-log.server.ts";
import { endOutage, noteOutage } from "~/platform/email/outage.ts";
import { jobs } from "~/server/jobs.ts";
import { secret, writeFailed, writeRow } from "../../support/mail-desk.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const dayMs = 24 * 3600_000;
let site: TestSite;
let admin: Person;
beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: "silent" });
  admin = await createPerson(site.services, { role: "admin" });
});
afterAll(() => site.close());
beforeEach(() => site.services.db.write.deleteFrom("outbox").execute());

const ago = (ms: number) => new Date(site.clock.now().getTime() - ms);
const fromNow = (ms: number) => ago(-ms);
async function see(query = ""): Promise<string> {
  const answers = await Promise.all(
    ["/admin/mail", "/admin/mail.data"].map(async (path) => {
      const response = await site.ask(path + query, { as: admin });
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  // No answer has a link that signs in, or a word of a letter.
  for (const text of answers) {
    expect(text).not.toContain("secret-of-a-letter");
    expect(text).not.toContain("accounts.verify-email");
  }
  return (answers[0] ?? "").replaceAll("<!-- -->", "");
}
const doIt = (intent: string, id = "") =>
  site.ask("/admin/mail?state=failed", { as: admin, form: { intent, id } });
const row = (id: string) =>
  site.services.db.read.selectFrom("outbox").selectAll().where("id", "=", id).executeTakeFirst();

describe("the list of mail", () => {
  test("every kind of work has a name in plain words", () => {
    for (const { kind, label } of jobs) expect(label, kind).not.toBe(kind);
  });

  test("says to whom, which letter, and how it stands with each", async () => {
    const ada = await createPerson(site.services, { name: "Ada Lovelace" });
    await writeRow(site.services, { userId: ada.id });
    await writeRow(site.services, {
      address: "retry@here.example",
      attempts: 3,
      lastError: "451 4.7.1 come back later",
    });
    await writeRow(site.services, {
      kind: "learning.module-completed",
      userId: ada.id,
      subject: "You finished “Anger”",
      finishedAt: ago(1000),
      payload: "{}",
    });
    const finishedSignup = { kind: "newsletter.signup", finishedAt: ago(1), payload: "{}" };
    await writeRow(site.services, finishedSignup);
    await writeFailed(site.services, { address: "full@here.example" });
    const all = await see();
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
    expect(await see("?state=sent")).not.toContain("here.example");
    expect(await see("?state=waiting")).toContain("retry@here.example");
    const failed = await see("?state=failed");
    expect(failed).toContain("full@here.example");
    expect(failed).not.toContain("retry@here.example");
  });

  test("is searched by a person's name, her address, and an address without account", async () => {
    const ada = await createPerson(site.services, { name: "Annika Sørensen" });
    await writeRow(site.services, { userId: ada.id });
    await writeRow(site.services, { address: "someone+else@there.example" });
    const both = async (search: string) => {
      const text = await see(`?q=${encodeURIComponent(search)}`);
      return [text.includes("Annika"), text.includes("someone+else@there.example")];
    };
    expect(await both("annik")).toEqual([true, false]);
    expect(await both("Someone+")).toEqual([false, true]);
    expect(await both("someone+else@there.example")).toEqual([false, true]);
    expect(await both("else@there")).toEqual([false, false]);
    expect(await both("%")).toEqual([false, false]);
  });

  test("goes on where a page ends, newest first", async () => {
    for (let n = 0; n < 60; n += 1)
      await writeFailed(site.services, { address: `n${n}.@page.example`, failedAt: ago(n * 1000) });
    const first = await see("?state=failed");
    expect(first).toContain("n0.@page");
    expect(first).not.toContain("n50.@page");
    const next = /rel="next" href="([^"]+)"|href="([^"]+)"[^>]*rel="next"/.exec(first);
    const href = (next?.[1] ?? next?.[2] ?? "").replaceAll("&amp;", "&");
    const second = await see(href.slice(href.indexOf("?")));
    expect(second).toContain("n50.@page");
    expect(second).not.toContain("n49.@page");
  });

  test("work that is no letter appears where it fails, in fitting words", async () => {
    await writeFailed(site.services, {
      kind: "newsletter.signup",
      address: "new@reader.example",
      failure: "broken",
      lastError: "the newsletter provider answered 422",
    });
    const text = await see();
    expect(text).toContain("Signing up for the newsletter");
    expect(text).toContain("It was refused where it was to go. Is the address right?");
    expect(text).toContain("new@reader.example");
  });

  test("says where letters go while there is no mail server, and since when one is away", async () => {
    expect(await see()).toContain("Emails are not sent yet");
    const { db, clock } = site.services;
    const now = clock.now();
    const words = "535 5.7.8 authentication failed";
    await noteOutage(db.write, { since: now, lastSeen: now, words });
    const text = await see();
    expect(text).toContain("The mail server cannot be used");
    expect(text).toContain(words);
    expect(await (await site.ask("/admin", { as: admin })).text()).toContain("desk-count");
    await endOutage(db.write);
    expect(await see()).not.toContain(words);
  });
});

describe("the count beside 'Mail'", () => {
  const count = async (path: string) => {
    const text = await (await site.ask(path, { as: admin })).text();
    return /desk-count">([^<]*)</.exec(text.replaceAll("<!-- -->", ""))?.[1] ?? null;
  };
  test("says on every page of the admin how much was not sent, and ends at nine", async () => {
    expect(await count("/admin")).toBeNull();
    await writeFailed(site.services);
    expect(await count("/admin/lessons")).toBe("1");
    for (let n = 0; n < 12; n += 1) await writeFailed(site.services);
    expect(await count("/admin/mail")).toBe("9+");
  });
});

describe("what can be done", () => {
  test("a failed letter is sent again, from the beginning", async () => {
    const id = await writeFailed(site.services, { address: "again@here.example" });
    expect((await doIt("again", id)).status).toBe(303);
    // It is a real letter, and the worker of this site takes it.
    await expect.poll(async () => (await row(id))?.finishedAt, { timeout: 10_000 }).toBeTruthy();
    expect(await row(id)).toMatchObject({ failedAt: null, failure: null, attempts: 1 });
  });

  test("one whose link is dead is not, and it says what she can do", async () => {
    const id = await writeFailed(site.services, { worksUntilAt: ago(1000) });
    const expired = await writeFailed(site.services, { failure: "expired" });
    for (const one of [id, expired]) {
      const answer = await doIt("again", one);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("cannot be sent again");
      expect((await row(one))?.failedAt).not.toBeNull();
    }
    const text = await see("?state=failed");
    expect(text).toContain("Another one goes out at the next sign-in.");
    expect(text).not.toContain(">Send again<");
  });

  test("all that nobody refused goes again at once; what was refused, dead or old stays", async () => {
    const later = { dueAt: fromNow(dayMs) };
    for (let n = 0; n < 620; n += 1)
      await writeFailed(site.services, { kind: "of.later", ...later });
    const refused = await writeFailed(site.services, { failure: "refused" });
    const dead = await writeFailed(site.services, { worksUntilAt: ago(1) });
    const old = await writeFailed(site.services, { failedAt: ago(8 * dayMs) });
    const answer = await doIt("all-again");
    expect(decodeURIComponent(answer.headers.get("set-cookie") ?? "")).toContain(
      "620 will be tried again",
    );
    const left = await site.services.db.read
      .selectFrom("outbox")
      .select("id")
      .where("failedAt", "is not", null)
      .execute();
    expect(left.map(({ id }) => id).sort()).toEqual([refused, dead, old].sort());
    const page = await see("?state=failed");
    expect(page).toContain("Send again what was refused");
    expect(page).not.toContain("Send again what was tried for days");
    expect((await doIt("refused-again")).status).toBe(303);
    expect(await row(refused)).toMatchObject({ failedAt: null });
    expect((await row(dead))?.failedAt).not.toBeNull();
    expect(await see("?state=failed")).not.toContain("Send again what");
  });

  test("what the site stopped at is told as that, and goes again one by one", async () => {
    const lastError = "the site stopped in the middle of this";
    await writeFailed(site.services, { failure: "interrupted", interruptions: 9, lastError });
    const text = await see("?state=failed");
    expect(text).toContain("The site stopped in the middle of sending it, again and again.");
    expect(text).toContain(">Send again<");
    expect(text).not.toContain("Send again what");
  });

  test("what waits for its next turn is tried now; what waits for its hour is not", async () => {
    const retry = await writeRow(site.services, { attempts: 2, lastError: "451 later" });
    const scheduled = await writeRow(site.services);
    expect((await doIt("now", retry)).status).toBe(303);
    await expect.poll(async () => (await row(retry))?.finishedAt, { timeout: 10_000 }).toBeTruthy();
    expect((await doIt("now", scheduled)).status).toBe(404);
    expect(await row(scheduled)).toMatchObject({ attempts: 0, finishedAt: null });
  });

  test("what failed is removed, one or all; nothing else is", async () => {
    const [one, two] = [await writeFailed(site.services), await writeFailed(site.services)];
    const waiting = await writeRow(site.services);
    await doIt("remove", one);
    await doIt("remove", waiting);
    expect(await row(one)).toBeUndefined();
    expect(await row(two)).toBeDefined();
    await doIt("remove-all");
    expect(await row(two)).toBeUndefined();
    expect(await row(waiting)).toBeDefined();
  });

  test.each([
    ["again", "00000000-0000-7000-8000-000000000000", 404],
    ["now", "", 404],
    ["burn", "", 400],
  ])("'%s' of what is not there is refused", async (intent, id, status) => {
    expect((await doIt(intent, id)).status).toBe(status);
  });
});

describe("what is kept", () => {
  const forget = () => deleteOldEmails.run(site.services);
  test("words of a failed letter: as long as its link works, and a week at most", async () => {
    const fresh = await writeFailed(site.services, { failedAt: ago(6 * dayMs) });
    const old = await writeFailed(site.services, { failedAt: ago(7 * dayMs + 1) });
    const dead = await writeFailed(site.services, { worksUntilAt: ago(1) });
    await forget();
    expect(JSON.stringify((await row(fresh))?.payload)).toContain(secret);
    expect((await row(old))?.payload).toEqual({});
    expect((await row(dead))?.payload).toEqual({});
    expect(await see("?state=failed")).toContain("what it said is not kept");
  });

  test("rows: a month after they are done, three after they failed; what waits stays", async () => {
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
    await forget();
    await forget();
    for (const id of gone) expect(await row(id)).toBeUndefined();
    for (const id of stay) expect(await row(id)).toBeDefined();
  });

  test("with the account, its letters go", async () => {
    const person = await createPerson(site.services);
    const id = await writeFailed(site.services, { userId: person.id });
    await site.services.db.write.deleteFrom("profiles").where("id", "=", person.id).execute();
    expect(await row(id)).toBeUndefined();
  });
});
