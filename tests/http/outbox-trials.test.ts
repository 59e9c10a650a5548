import { describe, expect, test } from "vitest";
import { MailServerAway } from "~/platform/email/mail.ts";
import { openMailer } from "~/platform/email/open.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Worker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { site } from "~content/site.ts";
import { newAddress } from "../support/accounts.ts";
import { startFickleWire } from "../support/fickle-wire.ts";
import { letterJob, outboxOfEachTest, plainLetter, until } from "../support/outbox.ts";

const kit = outboxOfEachTest();

describe("an answer about us, however late it comes", () => {
  test("that we are to sign in first costs no letter an attempt", async () => {
    const server = await kit.serve();
    const refusal = server.always({ at: "rcpt", answer: 530, text: "5.7.0 sign in first" });
    const id = await kit.write();
    kit.work();
    await until(async () =>
      expect(await kit.outage()).toMatchObject({ words: expect.stringContaining("sign in first") }),
    );
    expect(await kit.row(id)).toMatchObject({ attempts: 0, failedAt: null });
    refusal.lift();
    kit.clock.forward(61_000);
    await kit.finished(id);
  });

  test.each([
    ["relaying", { at: "rcpt", answer: 554, text: "5.7.1 relay access denied" }],
    ["a quota", { at: "rcpt", answer: 550, text: "5.4.5 daily quota exceeded" }],
    ["a block list", { at: "after data", answer: 550, text: "5.7.606 banned sending address" }],
    ["sending at all", { at: "after data", answer: 554, text: "sending paused" }],
  ] as const)("on %s does not end a letter", async (_, fault) => {
    const server = await kit.serve();
    const refusal = server.always(fault);
    const ids = await kit.writeSome(3);
    const worker = kit.work();
    for (const id of ids)
      await until(async () =>
        expect(await kit.row(id)).toMatchObject({
          ...{ attempts: 1, failedAt: null, leaseOwner: null },
          lastError: expect.stringContaining(fault.text),
        }),
      );
    refusal.lift();
    kit.clock.forward(11_000);
    worker.wake();
    for (const id of ids) await kit.finished(id);
  });

  test("is a line that breaks before a word of the letter, and no other to be had", async () => {
    const server = await kit.serve();
    const wire = await startFickleWire("127.0.0.1", kit.port);
    kit.services.mail.close();
    kit.services.mail = openMailer(
      {
        ...kit.services.config,
        mailFrom: "hello@grief.example",
        smtpUrl: `smtp://127.0.0.1:${wire.port}`,
      },
      site.email,
    );
    const first = await kit.write();
    const worker = kit.work();
    await kit.finished(first);
    server.next({ at: "mail", meanwhile: () => wire.close() });
    const id = await kit.write();
    worker.wake();
    await until(async () =>
      expect(await kit.outage()).toMatchObject({ words: expect.stringContaining("ECONNREFUSED") }),
    );
    expect(await kit.row(id)).toMatchObject({ attempts: 0, failedAt: null });
  });
});

describe("the trial of a mail server that was away", () => {
  test("goes on at once where a letter turned out to be needed no more", async () => {
    const none = "none@here.example";
    const job = letterJob("test.maybe", {
      run: async (services, { to }, row) => {
        if (to !== none) await plainLetter.perform(services, { to }, row);
      },
    });
    const put = (isNeeded: boolean, dueAt: Date) =>
      enqueue(
        kit.services.db.write,
        job,
        { to: isNeeded ? newAddress() : none },
        { now: kit.clock.now(), dueAt },
      );
    await put(true, kit.clock.now());
    const worker = kit.work([job]);
    await until(async () => expect(await kit.outage()).not.toBeNull());
    const before = kit.clock.now().getTime();
    for (let n = 0; n < 60; n += 1) await put(false, new Date(before - 3600_000 + n));
    const needed = await put(true, kit.clock.now());
    await kit.serve();
    kit.clock.forward(61_000);
    worker.wake();
    // A row a second would be a minute, for which this does not wait.
    await kit.finished(needed);
  });

  test("is another letter's turn than last time: one that no server lets in does not keep all back", async () => {
    const server = await kit.serve();
    const bad = "odd@sender.example";
    const job = letterJob("test.odd", {
      async run(services, payload, row) {
        if (payload.to === bad) throw new MailServerAway("no such sender");
        await plainLetter.perform(services, payload, row);
      },
    });
    const put = (to: string) =>
      enqueue(kit.services.db.write, job, { to }, { now: kit.clock.now() });
    await put(bad);
    const worker = kit.work([job]);
    await until(async () => expect(await kit.outage()).not.toBeNull());
    const other = await put("even@sender.example");
    kit.clock.forward(61_000);
    worker.wake();
    await kit.finished(other);
    expect(server.ids()).toEqual([other]);
  });
});

describe("letters that no server lets in, several of them,", () => {
  const bad = "@odd.example";
  const signInFirst = { at: "rcpt", answer: 530, text: "5.7.0 sign in first" } as const;
  /** Time goes by, and trial follows trial, until it is so. */
  const inTime = (worker: Worker, check: () => Promise<void>) =>
    until(async () => {
      kit.clock.forward(61_000);
      worker.wake();
      await check();
    });

  test("do not keep the others back, be it that these go to many at once", async () => {
    const many = letterJob("test.many", { bulk: true });
    const odd = await Promise.all(
      ["one", "two", "three"].map((one) => kit.writePlain({ to: one + bad })),
    );
    const first = await kit.put(many, { to: newAddress() });
    const worker = kit.work([plainLetter, many]);
    // The server is away for all, at first.
    for (const { id } of [...odd.map((id) => ({ id })), { id: first }])
      await until(async () =>
        expect(await kit.row(id)).toMatchObject({ attempts: 0, leaseOwner: null }),
      );
    await until(async () => expect(await kit.outage()).not.toBeNull());
    const server = await kit.serve();
    server.always(signInFirst, (to) => to.endsWith(bad));
    const others = [first, await kit.writePlain(), await kit.put(many, { to: newAddress() })];
    for (const id of others)
      await inTime(worker, async () => expect((await kit.row(id)).finishedAt).not.toBeNull());
    expect(server.ids().sort()).toEqual(others.sort());
    for (const id of odd) expect((await kit.row(id)).finishedAt).toBeNull();
  });

  test("run out of attempts while others go out", { timeout: 120_000 }, async () => {
    const server = await kit.serve();
    server.always(signInFirst, (to) => to.endsWith(bad));
    const odd = await Promise.all(["one", "two"].map((one) => kit.writePlain({ to: one + bad })));
    await kit.services.db.write.updateTable("outbox").set({ attempts: 11 }).execute();
    const worker = kit.work([plainLetter]);
    await until(async () => expect(await kit.outage()).not.toBeNull());
    const failed = async () => (await Promise.all(odd.map(kit.row))).filter((row) => row.failedAt);
    for (let n = 0; n < 40 && (await failed()).length < 2; n += 1) {
      const other = await kit.writePlain();
      await inTime(worker, async () => expect((await kit.row(other)).finishedAt).not.toBeNull());
      kit.clock.forward(6 * 3600_000);
    }
    for (const row of await failed())
      expect(row).toMatchObject({ attempts: 14, failure: "exhausted" });
    expect(await failed()).toHaveLength(2);
    expect(server.ids()).not.toContain(odd[0]);
  });
});

describe("a letter", () => {
  test("that somebody waits for passes those that go to many at once", async () => {
    const server = await kit.serve();
    const many = letterJob("test.many", { bulk: true });
    for (let n = 0; n < 1000; n += 1)
      await enqueue(kit.services.db.write, many, { to: newAddress() }, { now: kit.clock.now() });
    const id = await kit.writePlain();
    kit.work([many, plainLetter]);
    await kit.finished(id);
    expect(server.ids().indexOf(id)).toBeLessThan(500);
    const bulk = jobs.filter((job) => job.bulk).map(({ kind }) => kind);
    expect(bulk.sort()).toEqual(["learning.lesson-opened", "learning.module-completed"]);
  });
});
