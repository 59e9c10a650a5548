import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jobs } from "~/jobs.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { MailServerAway } from "~/platform/mail/mail.ts";
import { openMail } from "~/platform/mail/open.ts";
import { readOutage } from "~/platform/mail/outage.ts";
import { newAddress } from "../support/accounts.ts";
import { startFickleWire } from "../support/fickle-wire.ts";
import { letterJob, openOutbox, plainLetter, until } from "../support/outbox.ts";

let kit: Awaited<ReturnType<typeof openOutbox>>;
beforeEach(async () => {
  kit = await openOutbox();
});
afterEach(() => kit.close());

const outage = () => readOutage(kit.services.db.read, kit.clock.now());
const finished = (id: string) =>
  until(async () => expect((await kit.row(id)).finishedAt).toBeInstanceOf(Date));
const write = async (count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await kit.write());
  return ids;
};

describe("an answer about us, however late it comes", () => {
  test("that we are to sign in first costs no letter an attempt", async () => {
    const server = await kit.serve();
    const refusal = server.always({ at: "rcpt", answer: 530, text: "5.7.0 sign in first" });
    const id = await kit.write();
    kit.work();
    await until(async () =>
      expect(await outage()).toMatchObject({ words: expect.stringContaining("sign in first") }),
    );
    expect(await kit.row(id)).toMatchObject({ attempts: 0, failedAt: null });
    refusal.lift();
    kit.clock.forward(61_000);
    await finished(id);
  });

  test.each([
    ["relaying", { at: "rcpt", answer: 554, text: "5.7.1 relay access denied" }],
    ["a quota", { at: "rcpt", answer: 550, text: "5.4.5 daily quota exceeded" }],
    ["a block list", { at: "after data", answer: 550, text: "5.7.606 banned sending address" }],
    ["sending at all", { at: "after data", answer: 554, text: "sending paused" }],
  ] as const)("on %s does not end a letter", async (_, fault) => {
    const server = await kit.serve();
    const refusal = server.always(fault);
    const ids = await write(3);
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
    for (const id of ids) await finished(id);
  });

  test("is a line that breaks before a word of the letter, and no other to be had", async () => {
    const server = await kit.serve();
    const wire = await startFickleWire("127.0.0.1", kit.port);
    kit.services.mail.close();
    kit.services.mail = openMail({
      ...kit.services.config,
      mailFrom: "hello@grief.example",
      smtpUrl: `smtp://127.0.0.1:${wire.port}`,
    });
    const first = await kit.write();
    const worker = kit.work();
    await finished(first);
    server.next({ at: "mail", meanwhile: () => wire.close() });
    const id = await kit.write();
    worker.wake();
    await until(async () =>
      expect(await outage()).toMatchObject({ words: expect.stringContaining("ECONNREFUSED") }),
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
    await until(async () => expect(await outage()).not.toBeNull());
    const before = kit.clock.now().getTime();
    for (let n = 0; n < 60; n += 1) await put(false, new Date(before - 3600_000 + n));
    const needed = await put(true, kit.clock.now());
    await kit.serve();
    kit.clock.forward(61_000);
    worker.wake();
    // A row a second would be a minute, for which this does not wait.
    await finished(needed);
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
    await until(async () => expect(await outage()).not.toBeNull());
    const other = await put("even@sender.example");
    kit.clock.forward(61_000);
    worker.wake();
    await finished(other);
    expect(server.ids()).toEqual([other]);
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
    await finished(id);
    expect(server.ids().indexOf(id)).toBeLessThan(500);
    const bulk = jobs.filter((job) => job.bulk).map(({ kind }) => kind);
    expect(bulk.sort()).toEqual(["learning.lesson-opened", "learning.module-completed"]);
  });
});
