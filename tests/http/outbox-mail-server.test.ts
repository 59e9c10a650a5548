import { describe, expect, test } from "vitest";
import { MailServerAway } from "~/platform/email/mail.ts";
import { openMailer } from "~/platform/email/open.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Worker } from "~/platform/jobs/worker.ts";
import { newAddress } from "../support/accounts.ts";
import { site } from "../support/first-edition.ts";
import { emailJob, outboxOfEachTest, plainEmail, until } from "../support/outbox.ts";
import { startMailServer } from "../support/smtp.ts";
import { startUnreliableProxy } from "../support/unreliable-network.ts";

const kit = outboxOfEachTest();
const untouched = { attempts: 0, failedAt: null };

/** Sends by another address of the mail server from now on. */
function sendBy(smtpUrl: string) {
  kit.services.mail.close();
  const config = { ...kit.services.config, mailFrom: "hello@grief.example", smtpUrl };
  kit.services.mail = openMailer(config, () => site.email);
}
/** The pause after a failed attempt, or until the next trial, goes by. */
function pass(worker: Worker, ms = 61_000) {
  kit.clock.forward(ms);
  worker.wake();
}

describe("a mail server that is away", () => {
  test("costs no email an attempt, is noted, and is tried again until it is back", async () => {
    const ids = await kit.writeSome(40);
    const worker = kit.work();
    await kit.outageNoted();
    const { since } = (await kit.outage()) ?? {};
    for (let day = 0; day < 13; day += 1) {
      const before = (await kit.outage())?.lastSeen.getTime() ?? 0;
      pass(worker, 24 * 3600_000);
      await until(async () =>
        expect((await kit.outage())?.lastSeen.getTime()).toBeGreaterThan(before),
      );
    }
    for (const id of ids) await kit.rowIs(id, { ...untouched, leaseOwner: null });
    expect((await kit.outage())?.since).toEqual(since);
    const server = await kit.serve();
    pass(worker);
    await kit.finished(...ids);
    expect(server.ids().sort()).toEqual(ids.sort());
    expect(await kit.outage()).toBeNull();
  });

  test("for two weeks: its emails are given up", async () => {
    const id = await kit.write();
    const worker = kit.work();
    await kit.outageNoted();
    pass(worker, 15 * 24 * 3600_000);
    await kit.rowIs(id, {
      ...{ failedAt: expect.any(Date), failure: "exhausted" },
      lastError: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("for longer than a link lives: that email is not sent, others are", async () => {
    const inAnHour = new Date(kit.clock.now().getTime() + 3600_000);
    const expired = await kit.write({ worksUntil: inAnHour });
    const other = await kit.write();
    const worker = kit.work();
    await kit.outageNoted();
    const server = await kit.serve();
    pass(worker, 24 * 3600_000);
    await kit.finished(other);
    await kit.rowIs(expired, { failure: "expired", attempts: 1, payload: {} });
    expect(server.ids()).toEqual([other]);
  });

  test("to a wrong password: no email fails for that", async () => {
    const server = await startMailServer(kit.port, { password: "right" });
    sendBy(`smtp://coach:wrong@127.0.0.1:${kit.port}`);
    const id = await kit.write();
    const worker = kit.work();
    await kit.outageNoted("535");
    expect(await kit.row(id)).toMatchObject(untouched);
    sendBy(`smtp://coach:right@127.0.0.1:${kit.port}`);
    pass(worker);
    await kit.finished(id);
    kit.services.mail.close();
    await server.close();
  });

  test.each([
    ["refuses the sender's address", { at: "mail", answer: 550, text: "5.7.1 not allowed" }],
    ["wants a login first", { at: "rcpt", answer: 530, text: "5.7.0 sign in first" }],
  ] as const)("in that it %s: no email fails for that", async (_, fault) => {
    const server = await kit.serve();
    const refusal = server.always(fault);
    const ids = await kit.writeSome(12);
    const worker = kit.work();
    await kit.outageNoted(fault.text);
    // None is still in progress that would be refused after the jump.
    for (const id of ids) await kit.rowIs(id, { ...untouched, leaseOwner: null });
    refusal.lift();
    pass(worker);
    await kit.finished(...ids);
    expect(server.ids().sort()).toEqual(ids.sort());
  });

  test("as the connection breaks before an email, and no other can be made", async () => {
    const server = await kit.serve();
    const wire = await startUnreliableProxy("127.0.0.1", kit.port);
    sendBy(`smtp://127.0.0.1:${wire.port}`);
    const first = await kit.write();
    const worker = kit.work();
    await kit.finished(first);
    server.next({ at: "mail", meanwhile: () => wire.close() });
    const id = await kit.write();
    worker.wake();
    await kit.outageNoted("ECONNREFUSED");
    expect(await kit.row(id)).toMatchObject(untouched);
  });
});

describe("an email", () => {
  test.each([
    ["the connection is cut at the greeting", { at: "connect", drop: true }],
    ["the connection is cut at the receiver", { at: "rcpt", drop: true }],
    ["the connection is cut in the middle of it", { at: "middle of data", drop: true }],
    ["the server wants it later (greylisting)", { at: "rcpt", answer: 451 }],
    ["the server is too busy", { at: "after data", answer: 452 }],
    ["the server shuts down", { at: "after data", answer: 421 }],
  ] as const)("is sent once, later, when %s", async (_, fault) => {
    const server = await kit.serve();
    server.next(fault);
    const ids = await kit.writeSome(3);
    const worker = kit.work();
    await until(() => expect(server.messages.length).toBeGreaterThanOrEqual(2));
    await until(async () => {
      pass(worker, 11_000);
      for (const id of ids) expect((await kit.row(id)).finishedAt).not.toBeNull();
    });
    expect(server.ids().sort()).toEqual(ids.sort());
  });

  test("whose connection is cut before the answer is sent again under the same Message-ID", async () => {
    const server = await kit.serve();
    server.next({ at: "after data", drop: true });
    const id = await kit.write();
    const worker = kit.work();
    await kit.rowIs(id, { leaseOwner: null, attempts: 1 });
    pass(worker, 11_000);
    await kit.finished(id);
    expect(server.ids()).toEqual([id, id]);
  });

  const no = "nobody@refused.example";
  test.each([
    ["receiver", { at: "rcpt", answer: 550, text: `5.1.1 <${no}>: no such person` }],
    ["content", { at: "after data", answer: 554, text: "5.6.0 not these words" }],
  ] as const)(
    "whose %s is refused fails for good, with the server's words without addresses; others are sent",
    async (_, fault) => {
      const server = await kit.serve();
      server.always(fault, (to) => to === no);
      const refused = await kit.write({ to: no });
      const others = await kit.writeSome(3);
      const worker = kit.work();
      const words = fault.text.replace(no, "[address]");
      const failed = {
        ...{ failure: "refused", attempts: 1, lastError: expect.stringContaining(words) },
      };
      await kit.rowIs(refused, failed);
      await kit.finished(...others);
      expect(await kit.outage()).toBeNull();
      pass(worker, 10 * 24 * 3600_000);
      await kit.finished(await kit.write());
      expect(await kit.row(refused)).toMatchObject(failed);
    },
  );

  test.each([
    ["relaying", { at: "rcpt", answer: 554, text: "5.7.1 relay access denied" }],
    ["a quota", { at: "rcpt", answer: 550, text: "5.4.5 daily quota exceeded" }],
    ["a block list", { at: "after data", answer: 550, text: "5.7.606 banned sending address" }],
    ["sending at all", { at: "after data", answer: 554, text: "sending paused" }],
  ] as const)("is tried again after a refusal that is about the sender: %s", async (_, fault) => {
    const server = await kit.serve();
    const refusal = server.always(fault);
    const ids = await kit.writeSome(3);
    const begun = kit.clock.now().getTime();
    const worker = kit.work();
    for (const id of ids) {
      const lastError = expect.stringContaining(fault.text);
      await kit.rowIs(id, { attempts: 1, failedAt: null, leaseOwner: null, lastError });
      expect((await kit.row(id)).dueAt.getTime()).toBeGreaterThanOrEqual(begun + 5_000);
    }
    refusal.lift();
    pass(worker, 11_000);
    await kit.finished(...ids);
  });
});

describe("the trial of a mail server that was away", () => {
  test("goes on at once with the next email where one has become unnecessary", async () => {
    const none = "none@here.example";
    const job = emailJob("test.maybe", {
      run: async (services, { to }, row) => {
        if (to !== none) await plainEmail.perform(services, { to }, row);
      },
    });
    await kit.put(job, { to: newAddress() });
    const worker = kit.work([job]);
    await kit.outageNoted();
    const now = kit.clock.now();
    for (let n = 0; n < 60; n += 1) {
      const dueAt = new Date(now.getTime() - 3600_000 + n);
      await enqueue(kit.services.db.write, job, { to: none }, { now, dueAt });
    }
    const needed = await kit.put(job, { to: newAddress() });
    await kit.serve();
    pass(worker);
    // A row a second would be a minute, for which this does not wait.
    await kit.finished(needed);
  });

  test("takes another email than last time: one that always fails does not hold up the rest", async () => {
    const server = await kit.serve();
    const bad = "odd@sender.example";
    const job = emailJob("test.odd", {
      async run(services, payload, row) {
        if (payload.to === bad) throw new MailServerAway("no such sender");
        await plainEmail.perform(services, payload, row);
      },
    });
    await kit.put(job, { to: bad });
    const worker = kit.work([job]);
    await kit.outageNoted();
    const other = await kit.put(job, { to: "even@sender.example" });
    pass(worker);
    await kit.finished(other);
    expect(server.ids()).toEqual([other]);
  });
});

describe("several emails that no server accepts", () => {
  const bad = "@odd.example";
  const signInFirst = { at: "rcpt", answer: 530, text: "5.7.0 sign in first" } as const;
  const writeBad = () =>
    Promise.all(["one", "two", "three"].map((one) => kit.writePlain({ to: one + bad })));
  /** Trial follows trial until this row is done. */
  const finishedInTime = (worker: Worker, id: string) =>
    until(async () => {
      pass(worker);
      expect((await kit.row(id)).finishedAt).not.toBeNull();
    });

  test("do not hold up the others, bulk or not", async () => {
    const many = emailJob("test.many", { priority: "bulk" });
    const odd = await writeBad();
    const first = await kit.put(many, { to: newAddress() });
    const worker = kit.work([plainEmail, many]);
    // The server is away for all, at first.
    for (const id of [...odd, first]) await kit.rowIs(id, { attempts: 0, leaseOwner: null });
    await kit.outageNoted();
    const server = await kit.serve();
    server.always(signInFirst, (to) => to.endsWith(bad));
    const others = [first, await kit.writePlain(), await kit.put(many, { to: newAddress() })];
    for (const id of others) await finishedInTime(worker, id);
    expect(server.ids().sort()).toEqual(others.sort());
    for (const id of odd) expect((await kit.row(id)).finishedAt).toBeNull();
  });

  test("run out of attempts while others are sent", { timeout: 120_000 }, async () => {
    const server = await kit.serve();
    server.always(signInFirst, (to) => to.endsWith(bad));
    const odd = await writeBad();
    await kit.services.db.write.updateTable("outbox").set({ attempts: 11 }).execute();
    const worker = kit.work([plainEmail]);
    await kit.outageNoted();
    const failed = async () => (await Promise.all(odd.map(kit.row))).filter((row) => row.failedAt);
    for (let n = 0; n < 60 && (await failed()).length < odd.length; n += 1) {
      await finishedInTime(worker, await kit.writePlain());
      kit.clock.forward(6 * 3600_000);
    }
    const given = { attempts: 14, failure: "exhausted" };
    expect(await failed()).toMatchObject(odd.map(() => given));
    expect(server.ids().filter((id) => odd.includes(id))).toEqual([]);
  });
});
