import { rmSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import { openSite } from "../../build/server/index.js";
import { newAddress } from "../support/accounts.ts";
import { testConfig } from "../support/config.ts";
import { emailsTo } from "../support/mailbox.ts";
import { settled, signUp, subscriber } from "../support/newsletter.ts";
import { createPerson } from "../support/people.ts";
import { visitorOfTest } from "../support/people-of-tests.ts";
import { freePort } from "../support/port.ts";
import { startServing } from "../support/process.ts";
import { mainOf, readable } from "../support/responses.ts";
import { siteOfFile, startSite } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

const site = siteOfFile();
const ada = visitorOfTest(site);

// The emails of one test are not what the next one waits for.
afterEach(() => settled(site));

const json = { accept: "application/json" };
const outbox = () => site.services.db.read.selectFrom("outbox").selectAll().execute();
const plainly = (form: Record<string, string>, who: Pick<Visitor, "ask"> = ada) =>
  who.ask("/newsletter", { form });
const received = (email: string) => emailsTo(site.services.config, email);
const where = ({ status, headers }: Response) => [status, headers.get("location")];

describe("POST /newsletter", () => {
  test("by script, also as multipart: answers in JSON; once it is delivered, what was typed is deleted", async () => {
    const email = newAddress();
    const answer = await signUp(ada, { email, firstName: "  Ada  " });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await answer.json()).toMatchObject({ ok: true });
    const multipart = Object.entries({ firstName: "Ada", email: newAddress(), topic_2: "" });
    const same = await ada.ask("/newsletter", { multipart, headers: json });
    expect(await same.json()).toMatchObject({ ok: true });
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ firstName: "Ada", status: "pending" });
    expect(JSON.stringify(await outbox())).not.toContain(email);
  });

  test("as a plain form: leads to the thank-you page, also a signed-in user", async () => {
    for (const as of [null, await createPerson(site.services)]) {
      const email = newAddress();
      const answer = await site.ask("/newsletter", { as, form: { firstName: "Ada", email } });
      expect(where(answer)).toEqual([303, "/thank-you"]);
      await settled(site);
      expect(await subscriber(site, email)).toMatchObject({ status: "pending" });
    }
  });

  test("from another site's page: is refused", async () => {
    const email = newAddress();
    const form = { firstName: "Ada", email };
    const page = await ada.ask("/newsletter", { form, origin: "https://evil.example" });
    expect(page.status).toBe(403);
    expect(await page.text()).toContain("That did not work");
    const answer = await signUp(ada, { email }, { origin: null });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: "forbidden" } });
    await settled(site);
    expect(await subscriber(site, email)).toBeUndefined();
  });

  test("with the field that only robots fill: gets the same answer, and writes nothing", async () => {
    const email = newAddress();
    const before = (await outbox()).length;
    const human = await signUp(ada, { email: newAddress() });
    const robot = await signUp(ada, { email, topic_2: "https://spam.example" });
    expect([robot.status, await robot.text()]).toEqual([human.status, await human.text()]);
    expect(robot.headers.get("content-type")).toBe(human.headers.get("content-type"));
    const plain = await plainly({ firstName: "Ada", email, topic_2: "x" });
    expect(where(plain)).toEqual([303, "/thank-you"]);
    await settled(site);
    expect(await subscriber(site, email)).toBeUndefined();
    // The human's signup, and the email that it caused.
    expect(await outbox()).toHaveLength(before + 2);
  });
});

const { nameMissing, nameTooLong, nameUnreadable, emailMissing, emailInvalid, emailTooLong } =
  newsletterMessages;
const wrong: [string, { firstName?: string; email?: string }, string][] = [
  ["no name", { firstName: "" }, nameMissing],
  ["a blank name", { firstName: " \t " }, nameMissing],
  ["a name without an end", { firstName: "a".repeat(201) }, nameTooLong],
  ["a name of two lines", { firstName: "Ada\r\nBcc: all@example.org" }, nameUnreadable],
  ["a name that rings", { firstName: "A\u0007da" }, nameUnreadable],
  ["a name that turns the text around", { firstName: "A\u202eda" }, nameUnreadable],
  ["no email", { email: "" }, emailMissing],
  ["half an email", { email: "ada@" }, emailInvalid],
  ["an email without a dot", { email: "ada@example" }, emailInvalid],
  ["two emails", { email: "a@example.com, b@example.com" }, emailInvalid],
  ["an email of two lines", { email: "a@example.com\nb@example.com" }, emailInvalid],
  ["an email with a name", { email: "Ada <ada@example.com>" }, emailInvalid],
  ["no domain but a path", { email: "ada@ä/../b.com" }, emailInvalid],
  ["a domain with a blank", { email: "ada@ä ö.com" }, emailInvalid],
  ["another script before the @", { email: "иван@пример.рф" }, emailInvalid],
  ["signs without end", { email: "@".repeat(20_000) }, emailTooLong],
  ["letters without end", { email: `a@${"é".repeat(10_000)}/` }, emailTooLong],
  ["a long email", { email: `${"a".repeat(250)}@example.com` }, emailTooLong],
];

describe("POST /newsletter, validation", () => {
  test.each(wrong)("refuses %s, in JSON and beside the field", async (_, fields, message) => {
    const form = { firstName: "Ada", email: "ada@example.com", ...fields };
    const before = (await outbox()).length;
    const answer = await signUp(ada, form);
    expect(answer.status).toBe(400);
    const [field] = Object.keys(fields);
    expect(await answer.json()).toEqual({ error: { code: "invalid", message, field } });
    const plain = await plainly(form);
    expect(plain.status).toBe(400);
    const page = await plain.text();
    const main = mainOf(page);
    const errors = [...readable(main).matchAll(/class="field-error"[^>]*>([\s\S]*?)<\/p>/g)];
    expect(errors.map(([, error = ""]) => error.replaceAll(/<[^>]*>/g, ""))).toEqual([message]);
    expect(main.match(/aria-invalid="true"/g)).toHaveLength(1);
    // A message at the field is enough: no toast.
    expect(page).not.toContain(newsletterMessages.failed);
    expect((await outbox()).length).toBe(before);
  });

  // Spec 5: what an input of type email takes, but for what no mail would ever reach.
  test.each([
    ["ann&joe@example.com", "ann&joe@example.com"],
    ["o'hara+letters@sub-domain.example.museum", "o'hara+letters@sub-domain.example.museum"],
    ["a/b=c!{d}@example.com", "a/b=c!{d}@example.com"],
    ["ada@exämple.com", "ada@xn--exmple-cua.com"],
    ["ivan@ПРИМЕР.рф", "ivan@xn--e1afmkfd.xn--p1ai"],
  ])("takes %s as browsers do, and writes to %s", async (typed, email) => {
    expect((await signUp(ada, { email: typed })).status).toBe(200);
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ email, status: "pending" });
    expect(received(email)).toHaveLength(1);
  });

  test("shows what was typed as text, and a message a field; scripts get the first", async () => {
    const page = await (await plainly({ firstName: '"><b>Ada', email: "ada@" })).text();
    expect(mainOf(page)).toContain('value="&quot;&gt;&lt;b&gt;Ada"');
    expect(mainOf(page)).toContain('value="ada@"');
    expect(page).not.toContain("<b>Ada");
    // The cached page has nothing of it.
    expect(await (await site.ask("/newsletter")).text()).not.toContain("ada@");

    const answer = await signUp(ada, { firstName: "", email: "" });
    expect(await answer.json()).toMatchObject({ error: { message: nameMissing } });
    const empty = readable(await (await plainly({})).text());
    expect(empty).toContain(nameMissing);
    expect(empty).toContain(emailMissing);
  });

  test("refuses JSON and nothing instead of a form", async () => {
    const fields = { firstName: "Ada", email: "ada@example.com" };
    for (const asking of [{ json: fields }, { method: "POST" }]) {
      const answer = await ada.ask("/newsletter", { ...asking, headers: json });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: "invalid" } });
      expect((await ada.ask("/newsletter", asking)).status).toBe(400);
    }
  });
});

const count = (answers: Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe("POST /newsletter, rate limit", () => {
  test("twenty an hour from one place, refused in the way that was asked", async () => {
    const many = visitor(site);
    // Mistakes are not counted: a household is not shut out by them.
    await signUp(many, { email: "ada@" });
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signUp(many, { email: newAddress() })),
    );
    expect([count(answers, 200), count(answers, 429)]).toEqual([20, 5]);
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

  test("an IPv6 network is one place", async () => {
    const from = (address: string) =>
      signUp(site, { email: newAddress() }, { headers: { "x-forwarded-for": address } });
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push(await from(`2001:db8:7:7:${n.toString(16)}::1`));
    expect(count(answers, 429)).toBe(1);
    expect((await from("2001:db8:7:8::1")).status).toBe(200);
  });

  // SQLite has one process at a time.
  test.runIf(process.env.TEST_DATABASE_URL)("two sites on one PostgreSQL share it", async () => {
    const config = await testConfig(site.services.config.databaseUrl, { TRUSTED_PROXIES: "1" });
    const other = await openSite(config, site.clock);
    const ask = (url: string) =>
      fetch(`${url}/newsletter`, {
        method: "POST",
        headers: { ...json, "x-forwarded-for": "203.0.113.77", origin: new URL(url).origin },
        body: new URLSearchParams({ firstName: "Ada", email: newAddress() }),
      });
    const asked = Array.from({ length: 30 }, (_, n) => ask(n % 2 ? site.url : other.url));
    const answers = await Promise.all(asked);
    expect([count(answers, 200), count(answers, 429)]).toEqual([20, 10]);
    await other.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  });
});

describe("POST /newsletter, a known email", () => {
  test("gets the answer of a new one, and one email", async () => {
    const email = newAddress();
    const shape = async (answer: Response) => {
      const { date: _, ...headers } = Object.fromEntries(answer.headers);
      const text = JSON.stringify([answer.status, headers, await answer.text()]);
      return text.replaceAll(/nonce-[^']+/g, "nonce");
    };
    const first = await shape(await signUp(ada, { email }));
    await settled(site);
    for (const again of [email, ` ${email.toUpperCase()} `])
      expect(await shape(await signUp(ada, { email: again }))).toBe(first);
    await settled(site);
    expect(received(email)).toHaveLength(1);
  });

  test("signed up five times at once, is one row and one email", async () => {
    const email = newAddress();
    const emails = [email, email.toUpperCase(), ` ${email}`, email, email];
    const answers = await Promise.all(emails.map((one) => signUp(ada, { email: one })));
    expect(count(answers, 200)).toBe(5);
    await settled(site);
    const rows = site.services.db.read.selectFrom("subscribers").select("email");
    expect(await rows.where("emailKey", "=", email).execute()).toHaveLength(1);
    expect(received(email)).toHaveLength(1);
  });
});

test("POST /newsletter: a signup that cannot be stored is a message, with what was typed", async () => {
  const broken = await startSite();
  await broken.services.db.write.schema.alterTable("outbox").renameTo("lost").execute();
  const answer = await signUp(broken, { email: "ada@example.com" });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    error: { code: "unavailable", message: newsletterMessages.failed },
  });
  const plain = await plainly({ firstName: "Ada", email: "a@b.example" }, broken);
  expect(plain.status).toBe(503);
  const page = await plain.text();
  expect(page).toContain('value="a@b.example"');
  expect(readable(page)).toMatch(/data-tone="destructive"[\s\S]*Something went wrong/);
  await broken.close();
});

test("POST /newsletter: the log has no word of what was typed", { timeout: 60_000 }, async () => {
  const port = await freePort();
  const running = await startServing({
    LOG_LEVEL: "debug",
    NEWSLETTER_FORM_URL: `http://127.0.0.1:${port}/form`,
  });
  const url = `http://127.0.0.1:${running.port}/newsletter`;
  const headers = { origin: running.url };
  const send = (fields: Record<string, string>, to = url) =>
    fetch(to, { method: "POST", headers, body: new URLSearchParams(fields) });
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
