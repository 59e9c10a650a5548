import { afterEach, expect, test, vi } from "vitest";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { patient } from "../../support/patient.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { freePort } from "../../support/port.ts";
import { startServing } from "../../support/process.ts";
import { startStripe } from "../../support/stripe/server.ts";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** A database with a student and a course, and the processes that a test starts on it. */
async function openDatabase() {
  const stripe = await startStripe();
  undo.push(stripe.close);
  const database = await freshDatabase();
  undo.push(database.drop);
  const config = await testConfig(database.url, stripe.env);
  const services = await openServices(config);
  undo.push(() => closeServices(services));
  const buyer = await createPerson(services);
  const course = await createCourse(services, [[{}]]);
  const cookie = await cookieOf(services, buyer.id);
  return {
    stripe,
    /** `npm start`; a second one beside it, on PostgreSQL, has a DATA_DIR of its own. */
    async start({ isSecond = false } = {}) {
      const site = await startServing({
        ...stripe.env,
        ...{ NODE_ENV: "production", LOG_LEVEL: "silent", PORT: String(await freePort()) },
        DATA_DIR: isSecond ? (await testConfig(database.url)).dataDir : config.dataDir,
        AUTH_SECRET: config.authSecret,
        ...(database.url ? { DATABASE_URL: database.url } : {}),
      });
      undo.push(() => site.kill("SIGKILL"));
      return site;
    },
    /** Starts a checkout. @returns its session */
    async begin(url: string) {
      const answer = await fetch(new URL("/api/create-checkout", url), {
        method: "POST",
        headers: { cookie, origin: url, "content-type": "application/json" },
        body: JSON.stringify({ productId: course.id }),
      });
      const { url: to = "" } = (await answer.json()) as { url?: string };
      return to.split("/c/pay/")[1] ?? "";
    },
    /** How many enrollments and receipts the student has. */
    async booked() {
      const { write } = services.db;
      const enrollments = write.selectFrom("enrollments").where("userId", "=", buyer.id);
      const receipts = write.selectFrom("outbox").where("kind", "=", "payments.receipt");
      return [
        (await enrollments.select("id").execute()).length,
        (await receipts.select("id").execute()).length,
      ];
    },
  };
}

test("a process killed while Stripe is asked about a payment: the next start books it", {
  timeout: 120_000,
}, async () => {
  const { stripe, start, begin, booked } = await openDatabase();
  const site = await start();
  const sessionId = await begin(site.url);
  stripe.faults.plan("hang", { path: /^GET .*sessions/ });
  const told = stripe.deliver(stripe.account.pay(sessionId), site.url).catch(() => "no answer");
  await vi.waitFor(() => expect(stripe.faults.hanging).toBe(1), patient);
  await site.kill("SIGKILL");
  expect(await told).toBe("no answer");
  expect(await booked()).toEqual([0, 0]);
  await start();
  await vi.waitFor(async () => expect(await booked()).toEqual([1, 1]), patient);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "two processes on one PostgreSQL, told the same a hundred times: one enrollment, one receipt",
  { timeout: 120_000 },
  async () => {
    const { stripe, start, begin, booked } = await openDatabase();
    const urls = [(await start()).url, (await start({ isSecond: true })).url];
    const event = stripe.account.pay(await begin(urls[0] ?? ""));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        stripe.deliver(event, urls[n % 2] ?? "").then(({ status }) => status),
      ),
    );
    expect(answers).toEqual(Array(100).fill(200));
    expect(await booked()).toEqual([1, 1]);
  },
);
