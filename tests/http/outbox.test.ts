import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { claimDue, leaseMs } from "~/platform/jobs/claim.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { logUnknownKinds } from "~/platform/jobs/unknown-kinds.ts";
import { startWorker, type Worker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { newAddress } from "../support/accounts.ts";
import { freePort } from "../support/port.ts";
import { openTestServices } from "../support/services.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
let port: number;
let server: MailServer | undefined;
const workers: Worker[] = [];

beforeEach(async () => {
  port = await freePort();
  test$ = await openTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Blue Dot <hello@grief.example>",
  });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  // The site hangs up first: the server waits for whoever is connected.
  await test$.close();
  await server?.close();
  server = undefined;
});

function work(list = jobs, services = test$.services): Worker {
  const worker = startWorker(services, list);
  workers.push(worker);
  return worker;
}
async function write(to = newAddress()): Promise<string> {
  const letter = {
    to: { name: "Ada", address: to },
    link: "http://localhost/auth/verify?token=secret-token",
  };
  return enqueue(test$.services.db.write, verifyEmailEmail, letter, { now: test$.clock.now() });
}
const row = (id: string) =>
  test$.services.db.read
    .selectFrom("outbox")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const until = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
const failedOnce = (id: string) =>
  until(async () =>
    expect(await row(id)).toMatchObject({
      attempts: 1,
      leaseOwner: null,
      lastError: expect.any(String),
    }),
  );

describe("a letter", () => {
  test("is sent once, from the site, with its row's id, and its words are forgotten", async () => {
    server = await startMailServer(port);
    const to = newAddress();
    const id = await write(to);
    const worker = work();
    await until(async () => expect((await row(id)).finishedAt).toBeInstanceOf(Date));
    worker.wake();
    await worker.stop();
    expect(server.letters).toHaveLength(1);
    const [letter] = server.letters;
    expect(letter?.to).toEqual([to]);
    expect(letter?.from).toBe("hello@grief.example");
    expect(letter?.source).toContain(`Message-ID: <${id}@grief.example>`);
    expect(await row(id)).toMatchObject({
      payload: {},
      attempts: 1,
      lastError: null,
      failedAt: null,
    });
  });

  test("is tried again when the server says later", async () => {
    server = await startMailServer(port);
    server.refuseNext(451, "come back later");
    const id = await write();
    const begun = test$.clock.now().getTime();
    const worker = work();
    await failedOnce(id);
    const later = await row(id);
    expect(later).toMatchObject({
      failedAt: null,
      lastError: expect.stringContaining("come back later"),
    });
    expect(later.dueAt.getTime()).toBeGreaterThanOrEqual(begun + 5_000);
    expect(server.letters).toHaveLength(0);
    test$.clock.forward(11_000);
    worker.wake();
    await until(() => expect(server?.letters).toHaveLength(1));
  });

  test("that the server refuses for good is kept with the reason, and not tried again", async () => {
    server = await startMailServer(port);
    const to = newAddress();
    server.refuseNext(550, `5.1.1 <${to}>: no such person`);
    const id = await write(to);
    const other = await write();
    const worker = work();
    await until(async () => {
      const failed = [await row(id), await row(other)].filter(({ failedAt }) => failedAt);
      expect(failed).toMatchObject([{ lastError: expect.stringContaining("no such person") }]);
    });
    const { lastError } = await row(id);
    expect(lastError ?? (await row(other)).lastError).not.toContain("@");
    test$.clock.forwardDays(10);
    worker.wake();
    await until(() => expect(server?.letters).toHaveLength(1));
    await worker.stop();
    expect(server.letters).toHaveLength(1);
  });

  test("is given up after many tries", async () => {
    server = await startMailServer(port);
    server.refuseNext(451, "come back later");
    const id = await write();
    await test$.services.db.write
      .updateTable("outbox")
      .set({ attempts: 13 })
      .where("id", "=", id)
      .execute();
    work();
    await until(async () =>
      expect(await row(id)).toMatchObject({
        attempts: 14,
        failedAt: expect.any(Date),
        failure: "exhausted",
        lastError: expect.any(String),
      }),
    );
  });
});

describe("work", () => {
  test("whose payload is none is kept as failed; of an unknown kind, it waits for who knows it", async () => {
    const now = test$.clock.now();
    const { db } = test$.services;
    const newer = defineJob({ kind: "newer", payload: z.object({}), run: async () => {} });
    const unknown = await enqueue(db.write, newer, {}, { now });
    const wrong = await enqueue(db.write, { kind: verifyEmailEmail.kind }, { to: 7 }, { now });
    work();
    await until(async () => expect((await row(wrong)).failedAt).not.toBeNull());
    expect(await row(unknown)).toMatchObject({ attempts: 0, failedAt: null });
    work([newer]);
    await until(async () => expect((await row(unknown)).finishedAt).not.toBeNull());
  });

  test("of a kind that nobody does is told to the log", async () => {
    const { services, clock } = test$;
    await enqueue(services.db.write, { kind: "lost" }, {}, { now: clock.now() });
    await enqueue(services.db.write, { kind: verifyEmailEmail.kind }, {}, { now: clock.now() });
    clock.forward(2 * 3600_000);
    const error = vi.spyOn(services.log, "error");
    await logUnknownKinds(jobs).run(services);
    expect(error.mock.calls.map(([about]) => about)).toEqual([{ kind: "lost", rows: 1 }]);
  });

  test("that is done is not done again because the database was away just then", async () => {
    const { services, clock } = test$;
    const away = (from: string, to: string) =>
      services.db.write.schema.alterTable(from).renameTo(to).execute();
    let done = 0;
    const job = defineJob({
      kind: "done",
      payload: z.object({}),
      async run() {
        done += 1;
        await away("outbox", "outbox_away");
      },
    });
    const id = await enqueue(services.db.write, job, {}, { now: clock.now() });
    const refused = vi.spyOn(services.db.write, "updateTable");
    work([job]);
    await until(() => expect(done).toBe(1));
    await until(() => expect(refused).toHaveBeenCalledWith("outbox"));
    await away("outbox_away", "outbox");
    clock.forward(60_000);
    await until(async () => expect((await row(id)).finishedAt).not.toBeNull());
    expect(done).toBe(1);
    expect(await row(id)).toMatchObject({ attempts: 1, lastError: null });
  });

  test("that a killed worker left behind is done when its lease ends, not before", async () => {
    server = await startMailServer(port);
    const id = await write();
    const [taken] = await claimDue(test$.services.db, {
      owner: "killed",
      now: test$.clock.now(),
      limit: 5,
      jobs: [verifyEmailEmail],
    });
    expect(taken?.id).toBe(id);
    const worker = work();
    const marker = await write();
    worker.wake();
    await until(async () => expect((await row(marker)).finishedAt).not.toBeNull());
    expect(await row(id)).toMatchObject({ leaseOwner: "killed", finishedAt: null });
    test$.clock.forward(leaseMs + 1);
    worker.wake();
    await failedOnce(id);
    test$.clock.forward(11_000);
    worker.wake();
    await until(async () => expect((await row(id)).finishedAt).not.toBeNull());
    expect(server.letters).toHaveLength(2);
  });

  test("under way is finished before the worker stops, and nothing is begun after", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const slow = defineJob({
      kind: "slow",
      payload: z.object({}),
      async run() {
        begun += 1;
        await held;
      },
    });
    const now = test$.clock.now();
    const id = await enqueue(test$.services.db.write, slow, {}, { now });
    const worker = work([slow]);
    await until(() => expect(begun).toBe(1));
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    const late = await enqueue(test$.services.db.write, slow, {}, { now });
    worker.wake();
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect((await row(id)).finishedAt).not.toBeNull();
    expect(await row(late)).toMatchObject({ finishedAt: null, attempts: 0 });
    expect(begun).toBe(1);
  });

  test("that waits for another machine holds nothing else up", async () => {
    server = await startMailServer(port);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = defineJob({ kind: "slow", payload: z.object({}), slow: true, run: () => held });
    const now = test$.clock.now();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1)
      ids.push(await enqueue(test$.services.db.write, slow, {}, { now }));
    work([...jobs, slow]);
    await until(async () => expect((await row(ids[0] ?? "")).leaseOwner).not.toBeNull());
    for (let n = 0; n < 6; n += 1) {
      const id = await write();
      await until(async () => expect((await row(id)).finishedAt).not.toBeNull());
    }
    expect(server.letters).toHaveLength(6);
    for (const id of ids) expect((await row(id)).finishedAt).toBeNull();
    release();
    for (const id of ids)
      await until(async () => expect((await row(id)).finishedAt).not.toBeNull());
  });

  test("written in a transaction that fails was never written", async () => {
    const before = await test$.services.db.read.selectFrom("outbox").select("id").execute();
    const failing = test$.services.db.transaction(async (trx) => {
      await enqueue(trx, { kind: "x" }, {}, { now: test$.clock.now() });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await test$.services.db.read.selectFrom("outbox").select("id").execute()).toEqual(
      before,
    );
  });
});

// SQLite has one process at a time; its DATA_DIR is locked.
describe.runIf(process.env.TEST_DATABASE_URL)("two machines on one PostgreSQL", () => {
  test("never send a letter twice", { timeout: 120_000 }, async () => {
    server = await startMailServer(port);
    const { config } = test$.services;
    const second = await openServices(
      loadConfig({
        DATABASE_URL: config.databaseUrl,
        AUTH_SECRET: config.authSecret,
        DATA_DIR: config.dataDir,
        SMTP_URL: config.smtpUrl,
        MAIL_FROM: config.mailFrom,
        LOG_LEVEL: "silent",
      }),
      test$.clock,
    );
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await write());
    const both = [work(), work(jobs, second)];
    const sentAll = () => expect(server?.letters.length).toBeGreaterThanOrEqual(60);
    await vi.waitFor(sentAll, { timeout: 60_000, interval: 20 });
    for (const worker of both) await worker.stop();
    await closeServices(second);
    const sent = server.letters.map(({ source }) => /Message-ID: <([^@]+)@/.exec(source)?.[1]);
    expect(sent.sort()).toEqual(ids.sort());
  });
});
