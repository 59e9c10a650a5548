import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import { openSite } from "../../build/server/index.js";
import { newAddress } from "../support/accounts.ts";
import { readable } from "../support/answers.ts";
import { testConfig } from "../support/config.ts";
import { lettersTo } from "../support/mailbox.ts";
import { settled, signUp, subscriber } from "../support/newsletter.ts";
import { createPerson } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { startServing } from "../support/process.ts";
import { startSite, type TestSite } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

let site: TestSite;
let ada: Visitor;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());
beforeEach(() => {
  ada = visitor(site);
});

// The letters of one test are not what the next one waits for.
afterEach(() => settled(site));

const outbox = () => site.services.db.read.selectFrom("outbox").selectAll().execute();
const plainly = (form: Record<string, string>, who = ada) => who.ask("/newsletter", { form });

describe("a signup", () => {
  test("by script is answered in JSON, and forgets what was typed once it is delivered", async () => {
    const email = newAddress();
    const answer = await signUp(ada, { email, firstName: "  Ada  " });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await answer.json()).toEqual({ ok: true });
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ firstName: "Ada", status: "pending" });
    expect(JSON.stringify(await outbox())).not.toContain(email);
  });

  test("as a plain form leads to the page that says what comes", async () => {
    const email = newAddress();
    const answer = await plainly({ firstName: "Ada", email });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/thank-you"]);
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ status: "pending" });
  });

  test("as multipart, as a script may send it, is the same", async () => {
    const email = newAddress();
    const answer = await ada.ask("/newsletter", {
      multipart: [
        ["firstName", "Ada"],
        ["email", email],
        ["topic_2", ""],
      ],
      headers: { accept: "application/json" },
    });
    expect(await answer.json()).toEqual({ ok: true });
  });

  test("of somebody who is signed in works the same", async () => {
    const as = await createPerson(site.services);
    const answer = await site.ask("/newsletter", {
      as,
      form: { firstName: "Ada", email: newAddress() },
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/thank-you"]);
  });

  test("from another site's page is refused", async () => {
    const email = newAddress();
    const form = { firstName: "Ada", email };
    const origin = "https://evil.example";
    const page = await ada.ask("/newsletter", { form, origin });
    expect(page.status).toBe(403);
    expect(await page.text()).toContain("That did not work");
    const json = await signUp(ada, { email }, { origin: null });
    expect(json.status).toBe(403);
    expect(await json.json()).toMatchObject({ error: { code: "forbidden" } });
    await settled(site);
    expect(await subscriber(site, email)).toBeUndefined();
  });

  test("with the field that only robots fill gets the same answer, and nothing is written", async () => {
    const email = newAddress();
    const before = (await outbox()).length;
    const human = await signUp(ada, { email: newAddress() });
    const robot = await signUp(ada, { email, topic_2: "https://spam.example" });
    const shape = async (answer: Response) => ({
      status: answer.status,
      type: answer.headers.get("content-type"),
      body: await answer.text(),
    });
    expect(await shape(robot)).toEqual(await shape(human));
    const plain = await plainly({ firstName: "Ada", email, topic_2: "x" });
    expect([plain.status, plain.headers.get("location")]).toEqual([303, "/thank-you"]);
    await settled(site);
    expect(await subscriber(site, email)).toBeUndefined();
    // The human's signup, and the letter that it caused.
    expect(await outbox()).toHaveLength(before + 2);
  });
});

const bell = String.fromCharCode(7);
const wrong: [string, Record<string, string>, string][] = [
  ["no name", { firstName: "" }, newsletterMessages.nameMissing],
  ["a blank name", { firstName: " \t " }, newsletterMessages.nameMissing],
  ["a name without an end", { firstName: "a".repeat(201) }, newsletterMessages.nameTooLong],
  [
    "a name of two lines",
    { firstName: "Ada\r\nBcc: all@example.org" },
    newsletterMessages.nameUnreadable,
  ],
  ["a name that rings", { firstName: `A${bell}da` }, newsletterMessages.nameUnreadable],
  [
    "a name that turns the text around",
    { firstName: "A\u202eda" },
    newsletterMessages.nameUnreadable,
  ],
  ["no address", { email: "" }, newsletterMessages.emailMissing],
  ["half an address", { email: "ada@" }, newsletterMessages.emailInvalid],
  ["an address without a dot", { email: "ada@example" }, newsletterMessages.emailInvalid],
  ["two addresses", { email: "a@example.com, b@example.com" }, newsletterMessages.emailInvalid],
  [
    "an address of two lines",
    { email: "a@example.com\nb@example.com" },
    newsletterMessages.emailInvalid,
  ],
  ["an address with a name", { email: "Ada <ada@example.com>" }, newsletterMessages.emailInvalid],
  ["signs without end", { email: "@".repeat(20_000) }, newsletterMessages.emailTooLong],
  ["letters without end", { email: `a@${"é".repeat(10_000)}/` }, newsletterMessages.emailTooLong],
  ["a long address", { email: `${"a".repeat(250)}@example.com` }, newsletterMessages.emailTooLong],
];

describe("validation", () => {
  test.each(wrong)("%s", async (_, fields, message) => {
    const form = { firstName: "Ada", email: "ada@example.com", ...fields };
    const before = (await outbox()).length;
    const json = await signUp(ada, form);
    expect(json.status).toBe(400);
    const [field] = Object.keys(fields);
    expect(await json.json()).toEqual({ error: { code: "invalid", message, field } });
    const plain = await plainly(form);
    expect(plain.status).toBe(400);
    const page = await plain.text();
    const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? [];
    const errors = [...readable(main).matchAll(/class="field-error"[^>]*>([\s\S]*?)<\/p>/g)];
    expect(errors.map(([, error = ""]) => error.replaceAll(/<[^>]*>/g, ""))).toEqual([message]);
    expect(main.match(/aria-invalid="true"/g)).toHaveLength(1);
    // A message at the field is enough: no toast.
    expect(page).not.toContain(newsletterMessages.failed);
    expect((await outbox()).length).toBe(before);
  });

  // Spec 5: what an input of type email takes, but for what no mail would ever reach.
  test.each([
    "ann&joe@example.com",
    "o'hara+letters@sub-domain.example.museum",
    "a/b=c!{d}@example.com",
    "ivan@xn--e1afmkfd.xn--p1ai",
  ])("takes %s as browsers do, and writes to it", async (email) => {
    expect((await signUp(ada, { email })).status).toBe(200);
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ email, status: "pending" });
    expect(await lettersTo(site.services.config, email)).toHaveLength(1);
  });

  test.each([
    ["ada@exämple.com", "ada@xn--exmple-cua.com"],
    ["иван@пример.рф", null],
    ["ivan@ПРИМЕР.рф", "ivan@xn--e1afmkfd.xn--p1ai"],
    ["ada@ä/../b.com", null],
    ["ada@ä ö.com", null],
  ])("an address of another script, %s, is written to as %s", async (typed, email) => {
    const answer = await signUp(ada, { email: typed });
    expect(answer.status).toBe(email ? 200 : 400);
    if (!email) return;
    await settled(site);
    expect(await lettersTo(site.services.config, email)).toHaveLength(1);
  });

  test("keeps what was typed, as text", async () => {
    const page = await (await plainly({ firstName: '"><b>Ada', email: "ada@" })).text();
    const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? [];
    expect(main).toContain('value="&quot;&gt;&lt;b&gt;Ada"');
    expect(main).toContain('value="ada@"');
    expect(page).not.toContain("<b>Ada");
    // The page that everybody gets has nothing of it.
    expect(await (await site.ask("/newsletter")).text()).not.toContain("ada@");
  });

  test("both fields at once have a message each; scripts get the first", async () => {
    const json = await signUp(ada, { firstName: "", email: "" });
    expect(await json.json()).toMatchObject({ error: { message: newsletterMessages.nameMissing } });
    const page = readable(await (await plainly({})).text());
    expect(page).toContain(newsletterMessages.nameMissing);
    expect(page).toContain(newsletterMessages.emailMissing);
  });

  test.each([
    ["JSON", { json: { firstName: "Ada", email: "ada@example.com" } }],
    ["nothing", { method: "POST" }],
  ])("%s instead of a form is told so", async (_, asking) => {
    const json = await ada.ask("/newsletter", {
      ...asking,
      headers: { accept: "application/json" },
    });
    expect(json.status).toBe(400);
    expect(await json.json()).toMatchObject({ error: { code: "invalid" } });
    expect((await ada.ask("/newsletter", asking)).status).toBe(400);
  });
});

describe("the limit", () => {
  test("is twenty an hour from one place, told in the way it was asked", async () => {
    const many = visitor(site);
    // Robots and mistakes are not counted: a household is not shut out by them.
    await signUp(many, { email: "ada@" });
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signUp(many, { email: newAddress() })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const last = await signUp(many, { email: newAddress() });
    expect(await last.json()).toEqual({
      error: { code: "rate_limited", message: newsletterMessages.tooMany },
    });
    const email = newAddress();
    const plain = await plainly({ firstName: "Ada", email }, many);
    expect(plain.status).toBe(429);
    const page = await plain.text();
    expect(page).toContain(`value="${email}"`);
    expect(readable(page)).toMatch(
      /data-tone="destructive"[\s\S]*Something went wrong\. Please try again\./,
    );
    expect((await signUp(ada, { email: newAddress() })).status).toBe(200);
    site.clock.forward(3600_000 + 1000);
    expect((await signUp(many, { email })).status).toBe(200);
  });

  test("counts an IPv6 network as one place", async () => {
    const from = (address: string) =>
      signUp(site, { email: newAddress() }, { headers: { "x-forwarded-for": address } });
    const statuses = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await from(`2001:db8:7:7:${n.toString(16)}::1`)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await from("2001:db8:7:8::1")).status).toBe(200);
  });
});

// SQLite has one process at a time.
describe.runIf(process.env.TEST_DATABASE_URL)("two sites on one PostgreSQL", () => {
  test("share the limit", async () => {
    const { databaseUrl } = site.services.config;
    const config = await testConfig(databaseUrl, { TRUSTED_PROXIES: "1" });
    const other = await openSite(config, site.clock);
    const headers = { "x-forwarded-for": "203.0.113.77", accept: "application/json" };
    const ask = (url: string) =>
      fetch(`${url}/newsletter`, {
        method: "POST",
        headers: { ...headers, origin: new URL(url).origin },
        body: new URLSearchParams({ firstName: "Ada", email: newAddress() }),
      });
    const asked = Array.from({ length: 30 }, (_, n) => ask(n % 2 ? site.url : other.url));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    await other.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  });
});

describe("an address that is known", () => {
  test("gets the answer of a new one, and one letter", async () => {
    const email = newAddress();
    const shape = async (answer: Response) => {
      const { date: _, ...headers } = Object.fromEntries(answer.headers);
      return { status: answer.status, headers, body: await answer.text() };
    };
    const withoutNonce = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(/nonce-[^']+/g, "nonce"));
    const first = withoutNonce(await shape(await signUp(ada, { email })));
    await settled(site);
    const again = withoutNonce(await shape(await signUp(ada, { email })));
    const other = withoutNonce(
      await shape(await signUp(ada, { email: ` ${email.toUpperCase()} ` })),
    );
    expect([again, other]).toEqual([first, first]);
    await settled(site);
    expect(lettersTo(site.services.config, email)).toHaveLength(1);
  });

  test("signed up twice at once is one row and one letter", async () => {
    const email = newAddress();
    const emails = [email, email.toUpperCase(), ` ${email}`, email, email];
    const answers = await Promise.all(emails.map((one) => signUp(ada, { email: one })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await settled(site);
    const rows = await site.services.db.read
      .selectFrom("subscribers")
      .select("email")
      .where("emailKey", "=", email)
      .execute();
    expect(rows).toHaveLength(1);
    expect(lettersTo(site.services.config, email)).toHaveLength(1);
  });
});

test("when nothing can be written down, it says so and keeps what was typed", async () => {
  const broken = await startSite();
  const { db } = broken.services;
  await db.write.schema.alterTable("outbox").renameTo("lost").execute();
  const json = await signUp(broken, { email: "ada@example.com" });
  expect(json.status).toBe(503);
  expect(await json.json()).toEqual({
    error: { code: "unavailable", message: newsletterMessages.failed },
  });
  const plain = await broken.ask("/newsletter", {
    form: { firstName: "Ada", email: "a@b.example" },
  });
  expect(plain.status).toBe(503);
  const page = await plain.text();
  expect(page).toContain('value="a@b.example"');
  expect(readable(page)).toMatch(/data-tone="destructive"[\s\S]*Something went wrong/);
  await broken.close();
});

test("the log has no word of what was typed", { timeout: 60_000 }, async () => {
  const port = await freePort();
  const running = await startServing({
    LOG_LEVEL: "debug",
    NEWSLETTER_FORM_URL: `http://127.0.0.1:${port}/form`,
  });
  const origin = running.url;
  const url = `http://127.0.0.1:${running.port}/newsletter`;
  const send = (fields: Record<string, string>, to = url) =>
    fetch(to, { method: "POST", headers: { origin }, body: new URLSearchParams(fields) });
  await send({ firstName: "Adelheid", email: "adelheid@example.com" });
  await send({ firstName: "Adelheid", email: "adelheid@" });
  await send({ firstName: "Adelheid\n", email: "adelheid@example.com", topic_2: "x" });
  await fetch(`${url}/confirm?token=adelheid`);
  await send({ "List-Unsubscribe": "One-Click" }, `${url}/unsubscribe?token=adelheid`);
  await running.line(/"msg":"work failed"/);
  const { out, err } = await running.kill("SIGTERM");
  expect(out).toContain('"path":"/newsletter"');
  expect(out + err).not.toMatch(/adelheid/i);
});
