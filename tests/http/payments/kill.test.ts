import { afterEach, describe, expect, test, vi } from "vitest";
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

/** A database with somebody and a course, and whatever processes a test starts on it. */
async function openTown() {
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

  /** `npm start`; several at once where the database is PostgreSQL. */
  async function start(dataDir = config.dataDir) {
    const port = String(await freePort());
    const site = await startServing({
      ...stripe.env,
      NODE_ENV: "production",
      LOG_LEVEL: "silent",
      PORT: port,
      DATA_DIR: dataDir,
      AUTH_SECRET: config.authSecret,
      ...(database.url ? { DATABASE_URL: database.url } : {}),
    });
    undo.push(() => site.kill("SIGKILL"));
    return site;
  }

  return {
    stripe,
    start,
    another: async () => start((await testConfig(database.url)).dataDir),
    async begin(url: string) {
      const answer = await fetch(new URL("/api/create-checkout", url), {
        method: "POST",
        headers: { cookie, origin: url, "content-type": "application/json" },
        body: JSON.stringify({ productId: course.id }),
      });
      const { url: to = "" } = (await answer.json()) as { url?: string };
      return to.split("/c/pay/")[1] ?? "";
    },
    count: async (table: "enrollments" | "receipts") => {
      const rows =
        table === "enrollments"
          ? services.db.write.selectFrom("enrollments").select("id").where("userId", "=", buyer.id)
          : services.db.write
              .selectFrom("outbox")
              .select("id")
              .where("kind", "=", "payments.receipt")
              .where("userId", "=", buyer.id);
      return (await rows.execute()).length;
    },
  };
}

test("killed after the payment, while Stripe is being asked: the next start makes it up", {
  timeout: 120_000,
}, async () => {
  const town = await openTown();
  const site = await town.start();
  const sessionId = await town.begin(site.url);
  town.stripe.faults.plan("hang", { path: /^GET .*sessions/ });
  const event = town.stripe.account.pay(sessionId);
  const told = town.stripe.deliver(event, site.url).catch(() => "no answer");
  await vi.waitFor(() => expect(town.stripe.faults.hanging).toBe(1), patient);
  await site.kill("SIGKILL");
  expect(await told).toBe("no answer");
  expect(await town.count("enrollments")).toBe(0);
  await town.start();
  await vi.waitFor(async () => expect(await town.count("enrollments")).toBe(1), patient);
  expect(await town.count("receipts")).toBe(1);
});

describe.runIf(process.env.TEST_DATABASE_URL)("two processes on one PostgreSQL", () => {
  test("are told the same a hundred times: one enrollment, one receipt", {
    timeout: 120_000,
  }, async () => {
    const town = await openTown();
    const sites = [await town.start(), await town.another()];
    const sessionId = await town.begin(sites[0]?.url ?? "");
    const event = town.stripe.account.pay(sessionId);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        town.stripe.deliver(event, sites[n % 2]?.url ?? "").then(({ status }) => status),
      ),
    );
    expect(answers).toEqual(Array(100).fill(200));
    expect(await town.count("enrollments")).toBe(1);
    expect(await town.count("receipts")).toBe(1);
  });
});
