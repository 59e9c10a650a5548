import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteOldSignups } from "~/features/newsletter/subscribe.server.ts";
import { leaseMs } from "~/platform/jobs/claim.ts";
import { startWorker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { newAddress } from "../support/accounts.ts";
import { movableClock } from "../support/clock.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { lettersTo } from "../support/mailbox.ts";
import { settled, signUp, subscriber } from "../support/newsletter.ts";
import { freePort } from "../support/port.ts";
import { startServing } from "../support/process.ts";
import { type Provider, startProvider } from "../support/provider.ts";
import { startSite, type TestSite } from "../support/site.ts";

let port: number;
let site: TestSite;
let provider: Provider | undefined;

beforeEach(async () => {
  port = await freePort();
  site = await startSite({
    NEWSLETTER_FORM_URL: `http://127.0.0.1:${port}/forms/7/subscriptions`,
    NEWSLETTER_FORM_ID: "7",
    NEWSLETTER_FORM_VERSION: "5",
  });
});
afterEach(async () => {
  await provider?.close();
  provider = undefined;
  await site.close();
});

const up = async (...answers: Provider["answers"]) => {
  provider = await startProvider(port);
  provider.answers.push(...answers);
  return provider;
};
const rows = () => site.services.db.read.selectFrom("outbox").selectAll().orderBy("id").execute();
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
/** Waits for the try after the next pause, however long that is. */
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
const expected = (email: string, firstName = "Ada") => [
  ["fields[first_name]", firstName],
  ["email_address", email],
];

describe("a provider that is up", () => {
  test("gets the form's two fields, once, and the site keeps nothing of them", async () => {
    const { arrived } = await up();
    const email = newAddress();
    const answer = await signUp(site, { firstName: "Zoë & 'Åsa'", email, topic_2: "" });
    expect(await answer.json()).toEqual({ ok: true });
    await settled(site);
    expect(arrived).toEqual([
      {
        method: "POST",
        path: "/forms/7/subscriptions",
        fields: expected(email, "Zoë & 'Åsa'"),
        answer: 200,
      },
    ]);
    const [row] = await rows();
    expect(row).toMatchObject({ payload: {}, lastError: null, attempts: 1 });
    expect(await subscriber(site, email)).toBeUndefined();
    expect(lettersTo(site.services.config, email)).toEqual([]);
  });

  test("hears nothing of robots and mistakes", async () => {
    const { arrived } = await up();
    await signUp(site, { email: newAddress(), topic_2: "x" });
    await signUp(site, { email: "ada@" });
    await settled(site);
    expect(arrived).toEqual([]);
  });

  test.each(["/thank-you", "https://www.provider.example/thanks", "?thanks"])(
    "may answer with a redirect to %s: that is success, and nobody follows it",
    async (location) => {
      const { arrived } = await up({ status: 302, location });
      await signUp(site, { email: newAddress() });
      await settled(site);
      expect(arrived.map(({ path }) => path)).toEqual(["/forms/7/subscriptions"]);
      expect(await rows()).toMatchObject([{ payload: {}, attempts: 1 }]);
    },
  );

  test.each([
    [301, "/forms/7/subscriptions/"],
    [302, "https://www.provider.example/forms/7/subscriptions"],
    [307, "http://elsewhere.example/forms/7"],
    [308, "http://elsewhere.example/forms/7"],
  ])("that has moved (%i) has not got it yet", async (status, location) => {
    const { arrived } = await up({ status, location });
    await signUp(site, { email: newAddress() });
    await until(async () =>
      expect(await rows()).toMatchObject([{ attempts: 1, leaseOwner: null }]),
    );
    expect(await rows()).toMatchObject([{ finishedAt: null, failedAt: null }]);
    await later(2);
    expect(arrived).toHaveLength(2);
    expect(await rows()).toMatchObject([{ payload: {}, attempts: 2 }]);
  });

  test.each([307, 308])("that sends on with %i gets the same words there, once", async (status) => {
    const { arrived } = await up({ status, location: "/v2/forms/7" });
    const email = newAddress();
    await signUp(site, { email });
    await settled(site);
    const there = { method: "POST", fields: expected(email) };
    expect(arrived).toMatchObject([
      { ...there, path: "/forms/7/subscriptions" },
      { ...there, path: "/v2/forms/7", answer: 200 },
    ]);
    expect(await rows()).toMatchObject([{ payload: {}, attempts: 1 }]);
  });

  test("that sends on and on is asked again later", async () => {
    const onward = { status: 307, location: "/v2/forms/7" };
    const { arrived, answers } = await up(onward);
    answers.push(onward);
    await signUp(site, { email: newAddress() });
    await until(async () =>
      expect(await rows()).toMatchObject([{ attempts: 1, leaseOwner: null, finishedAt: null }]),
    );
    expect(arrived).toHaveLength(2);
  });

  test("that is slow keeps nobody waiting", async () => {
    const { arrived, release } = await up("hang");
    const email = newAddress();
    expect((await signUp(site, { email })).status).toBe(200);
    await until(() => expect(arrived).toHaveLength(1));
    expect((await site.ask("/newsletter")).status).toBe(200);
    release(200);
    await settled(site);
    expect(await rows()).toMatchObject([{ payload: {}, attempts: 1 }]);
  });

  test("is named by the attributes of every form, and its address by none", async () => {
    const page = await (await site.ask("/")).text();
    const forms = page.match(/<form[^>]*data-newsletter[^>]*>/g) ?? [];
    expect(forms.length).toBeGreaterThan(1);
    for (const form of forms) {
      expect(form).toContain('data-form-id="7"');
      expect(form).toContain('data-form-version="5"');
    }
    expect(page).not.toContain("/subscriptions");
  });
});

describe("a provider that is down, and then up", () => {
  test("gets everybody, once", async () => {
    const emails = Array.from({ length: 12 }, newAddress);
    for (const email of emails) expect((await signUp(site, { email })).status).toBe(200);
    await settled(site, { retries: true });
    for (const row of await rows())
      expect(row).toMatchObject({ attempts: 1, finishedAt: null, failedAt: null });
    await later(2);
    const { taken } = await up();
    await later(3);
    await settled(site, { retries: true });
    await later(4);
    const got = taken().map(({ fields }) => fields[1]?.[1]);
    expect(got.sort()).toEqual(emails.sort());
    expect((await rows()).every(({ finishedAt }) => finishedAt !== null)).toBe(true);
  });

  test.each([500, 502, 503, 429, 408, 404, 403, 401, "drop"] as const)(
    "%s is for now",
    async (answer) => {
      const { taken, arrived } = await up(answer);
      const email = newAddress();
      await signUp(site, { email });
      await settled(site, { retries: true });
      const [row] = await rows();
      expect(row).toMatchObject({ attempts: 1, finishedAt: null, failedAt: null });
      // What the provider said, it may have said with her address in it.
      expect(row?.lastError).not.toContain(email);
      await later(2);
      expect(arrived).toHaveLength(2);
      expect(taken().map(({ fields }) => fields)).toEqual([expected(email)]);
      await later(3);
      expect(arrived).toHaveLength(2);
    },
  );

  test.each([400, 422])(
    "%i is for good: kept with its reason, and not tried again",
    async (answer) => {
      const { arrived } = await up(answer);
      await signUp(site, { email: newAddress() });
      await settled(site, { retries: true });
      const [refused] = await rows();
      expect(refused?.failedAt).not.toBeNull();
      expect(refused?.lastError).toBe(`the newsletter provider answered ${answer}`);
      site.clock.forwardDays(10);
      const other = newAddress();
      await signUp(site, { email: other });
      await settled(site, { retries: true });
      expect(arrived).toHaveLength(2);
      expect(arrived[1]?.fields).toEqual(expected(other));
      site.clock.forwardDays(15);
      await deleteOldSignups.run(site.services);
      expect(await rows()).toHaveLength(2);
      site.clock.forwardDays(6);
      await deleteOldSignups.run(site.services);
      expect(await rows()).toMatchObject([{ failedAt: null }]);
    },
  );

  test("is waited for, for a month", async () => {
    const email = newAddress();
    await signUp(site, { email });
    await settled(site, { retries: true });
    await site.services.db.write.updateTable("outbox").set({ attempts: 62 }).execute();
    await later(63);
    expect(await rows()).toMatchObject([{ failedAt: null, attempts: 63 }]);
    const { taken } = await up();
    await later(64);
    expect(taken().map(({ fields }) => fields)).toEqual([expected(email)]);
  });
});

test("a site that is killed after 'yes' and before the delivery delivers when it is back", {
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
  expect(await answer.json()).toEqual({ ok: true });
  await killed.kill("SIGKILL");
  // A request of the killed site may be read only now; it is not to count as a delivery.
  await hanging.close();
  const { taken } = await up();

  // Whatever the killed one had taken is left to it until its lease ends; then the pause begins.
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
  expect(taken().map(({ fields }) => fields)).toEqual([expected(email)]);
  await closeServices(services);
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
