import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { deleteOldSignups } from "~/features/newsletter/subscribe.server.ts";
import { importPath } from "~/features/subscriber-import/messages.ts";
import { leaseMs } from "~/platform/jobs/claim.ts";
import { startWorker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { newAddress } from "../support/accounts.ts";
import { movableClock } from "../support/clock.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { emailsTo } from "../support/mailbox.ts";
import { settled, signUp, subscriber } from "../support/newsletter.ts";
import { createPerson } from "../support/people.ts";
import { freePort } from "../support/port.ts";
import { startServing } from "../support/process.ts";
import { type Provider, startProvider } from "../support/provider.ts";
import { mainOf } from "../support/responses.ts";
import { startSite, type TestSite } from "../support/site.ts";

let port: number;
let site: TestSite;
let provider: Provider | undefined;

beforeAll(async () => {
  port = await freePort();
  site = await startSite({
    NEWSLETTER_FORM_URL: `http://127.0.0.1:${port}/forms/7/subscriptions`,
    NEWSLETTER_FORM_ID: "7",
    NEWSLETTER_FORM_VERSION: "5",
  });
});
afterAll(() => site.close());
afterEach(async () => {
  await provider?.close();
  provider = undefined;
  await site.services.db.write.deleteFrom("outbox").execute();
});

const up = async (...answers: Provider["answers"]) => {
  provider = await startProvider(port);
  provider.answers.push(...answers);
  return provider;
};
const rows = () => site.services.db.read.selectFrom("outbox").selectAll().orderBy("id").execute();
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
/** Waits for the attempt after the next pause, however long that is. */
async function later(attempts: number) {
  site.clock.forward(12 * 3600_000 + 1000);
  site.services.wakeWorker();
  await until(async () => {
    const done = (await rows()).every(
      (row) => row.finishedAt ?? (row.attempts >= attempts && !row.leaseOwner),
    );
    expect(done).toBe(true);
  });
}
const fieldsOf = (email: string, firstName = "Ada") => [
  ["fields[first_name]", firstName],
  ["email_address", email],
];

test("the newsletter's desk says that the provider has the list", async () => {
  const admin = await createPerson(site.services, { role: "admin" });
  for (const path of ["/admin/newsletter", "/admin/newsletter/subscribers", importPath]) {
    const page = mainOf(await (await site.ask(path, { as: admin })).text());
    expect(page, path).toContain("newsletter provider");
  }
});

describe("the newsletter provider's form", () => {
  test("gets the two fields, once, and the site stores nothing of them", async () => {
    const { arrived } = await up();
    const email = newAddress();
    const answer = await signUp(site, { firstName: "Zoë & 'Åsa'", email, topic_2: "" });
    expect(await answer.json()).toMatchObject({ ok: true });
    // Nothing of robots and mistakes.
    await signUp(site, { email: newAddress(), topic_2: "x" });
    await signUp(site, { email: "ada@" });
    await settled(site);
    const path = "/forms/7/subscriptions";
    const fields = fieldsOf(email, "Zoë & 'Åsa'");
    expect(arrived).toEqual([{ method: "POST", path, fields, answer: 200 }]);
    expect(await rows()).toMatchObject([{ payload: {}, lastError: null, attempts: 1 }]);
    expect(await subscriber(site, email)).toBeUndefined();
    expect(emailsTo(site.services.config, email)).toEqual([]);
  });

  test("is named by the attributes of every form, and its URL by none", async () => {
    const page = await (await site.ask("/")).text();
    const forms = page.match(/<form[^>]*data-newsletter[^>]*>/g) ?? [];
    expect(forms.length).toBeGreaterThan(1);
    for (const form of forms) {
      expect(form).toContain('data-form-id="7"');
      expect(form).toContain('data-form-version="5"');
    }
    expect(page).not.toContain("/subscriptions");
  });

  test("when it is slow, no request waits for it", async () => {
    const { arrived, release } = await up("hang");
    expect((await signUp(site, { email: newAddress() })).status).toBe(200);
    await until(() => expect(arrived).toHaveLength(1));
    expect((await site.ask("/newsletter")).status).toBe(200);
    release(200);
    await settled(site);
    expect(await rows()).toMatchObject([{ payload: {}, attempts: 1 }]);
  });

  test("when it was down for weeks, gets every signup once, also after an error of its own", async () => {
    const emails = Array.from({ length: 12 }, newAddress);
    for (const email of emails) expect((await signUp(site, { email })).status).toBe(200);
    await settled(site, { retries: true });
    for (const row of await rows())
      expect(row).toMatchObject({ attempts: 1, finishedAt: null, failedAt: null });
    await site.services.db.write.updateTable("outbox").set({ attempts: 60 }).execute();
    await later(61);
    const { taken, arrived } = await up(503);
    await later(62);
    await settled(site, { retries: true });
    await later(63);
    expect(taken().map(({ fields }) => fields[1]?.[1])).toEqual(expect.arrayContaining(emails));
    expect(taken()).toHaveLength(12);
    expect(arrived).toHaveLength(13);
    expect((await rows()).every(({ finishedAt }) => finishedAt !== null)).toBe(true);
  });

  test("when it refuses a signup, that one fails for good, and is stored for a month", async () => {
    const { arrived } = await up(422);
    await signUp(site, { email: newAddress() });
    await settled(site, { retries: true });
    const lastError = "the newsletter provider answered 422";
    expect(await rows()).toMatchObject([{ failedAt: expect.any(Date), lastError }]);
    site.clock.forwardDays(10);
    const other = newAddress();
    await signUp(site, { email: other });
    await settled(site, { retries: true });
    expect(arrived).toHaveLength(2);
    expect(arrived[1]?.fields).toEqual(fieldsOf(other));
    site.clock.forwardDays(15);
    await deleteOldSignups.run(site.services);
    expect(await rows()).toHaveLength(2);
    site.clock.forwardDays(6);
    await deleteOldSignups.run(site.services);
    expect(await rows()).toMatchObject([{ failedAt: null }]);
  });
});

test("a site that is killed after 'ok' and before the delivery: delivers when it is back", {
  timeout: 60_000,
}, async () => {
  const hanging = await up("hang", "hang");
  const database = await freshDatabase();
  const env = { NEWSLETTER_FORM_URL: hanging.url };
  const config = await testConfig(database.url, env);
  const { databaseUrl, authSecret, dataDir } = config;
  const killed = await startServing({
    ...env,
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret } : {}),
  });
  const email = newAddress();
  const answer = await fetch(`http://127.0.0.1:${killed.port}/newsletter`, {
    method: "POST",
    headers: { origin: killed.url, accept: "application/json" },
    body: new URLSearchParams({ firstName: "Ada", email }),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
  await killed.kill("SIGKILL");
  // A request of the killed site may be read only now; it is not to count as a delivery.
  await hanging.close();
  const { taken } = await up();

  // What the killed site had claimed is its own until its lease ends; then the pause begins.
  const clock = movableClock();
  clock.forward(leaseMs + 1000);
  const services = await openServices(config, clock);
  const worker = startWorker(services, jobs);
  await until(async () => {
    const [row] = await services.db.read.selectFrom("outbox").selectAll().execute();
    if (row && !row.leaseOwner && row.dueAt > clock.now()) clock.forward(11_000);
    worker.wake();
    expect(taken()).toHaveLength(1);
  });
  await worker.stop();
  expect(taken().map(({ fields }) => fields)).toEqual([fieldsOf(email)]);
  await closeServices(services);
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
