import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { verifyEmailEmail } from "~/features/auth/jobs.server.ts";
import { resendEmail } from "~/features/email-log/email-log.server.ts";
import { claimDue, leaseMs } from "~/platform/jobs/claim.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { logUnknownKinds } from "~/platform/jobs/regular.ts";
import { jobs } from "~/server/jobs.ts";
import { newAddress } from "../support/accounts.ts";
import { site } from "../support/first-edition.ts";
import { emailJob, heldJob, outboxOfEachTest, plainEmail, until } from "../support/outbox.ts";

const kit = outboxOfEachTest();
const many = emailJob("test.many", { priority: "bulk" });

describe("an email", () => {
  test("is sent once, from the site, under its row's id, and its content is deleted", async () => {
    const server = await kit.serve();
    const to = newAddress();
    const id = await kit.write({ to });
    const worker = kit.work();
    await kit.finished(id);
    worker.wake();
    await worker.stop();
    expect(server.messages).toMatchObject([{ to: [to], from: "hello@grief.example" }]);
    const source = server.messages[0]?.source;
    expect(source).toContain(`Message-ID: <${id}@grief.example>`);
    expect(source).toContain(`\r\nReply-To: ${site.email}\r\n`);
    expect(await kit.row(id)).toMatchObject({
      ...{ payload: {}, attempts: 1, lastError: null, failedAt: null, leaseOwner: null },
    });
  });

  test("is given up after 14 attempts", async () => {
    const server = await kit.serve();
    server.always({ at: "after data", answer: 451, text: "come back later" });
    const id = await kit.write();
    await kit.services.db.write.updateTable("outbox").set({ attempts: 13 }).execute();
    kit.work();
    await kit.rowIs(id, {
      ...{ attempts: 14, failedAt: expect.any(Date), failure: "exhausted" },
      lastError: expect.stringContaining("come back later"),
    });
  });

  test("is sent when it is due, and not before", async () => {
    const server = await kit.serve();
    const week = 7 * 24 * 3600_000;
    const dueAt = new Date(kit.clock.now().getTime() + week);
    const id = await kit.write({ dueAt });
    const worker = kit.work();
    kit.clock.forward(week - 60_000);
    const marker = await kit.write();
    worker.wake();
    await kit.finished(marker);
    expect(await kit.row(id)).toMatchObject({ attempts: 0, finishedAt: null });
    kit.clock.forward(60_000);
    await kit.finished(id);
    const sent = (await kit.row(id)).finishedAt?.getTime() ?? 0;
    expect(sent).toBeGreaterThanOrEqual(dueAt.getTime());
    expect(server.ids()).toEqual([marker, id]);
  });

  test.each([
    ["urgent", "usual", () => kit.write(), () => kit.writePlain()],
    ["usual", "bulk", () => kit.writePlain(), () => kit.put(many, { to: newAddress() })],
  ] as const)("that is %s passes hundreds that are %s", async (_, __, putFirst, putOther) => {
    const server = await kit.serve();
    for (let n = 0; n < 300; n += 1) await putOther();
    const id = await putFirst();
    kit.work([many, plainEmail, ...jobs]);
    await kit.finished(id);
    expect(server.ids().indexOf(id)).toBeLessThan(150);
  });

  test("that hangs holds up its own slot alone", async () => {
    const server = await kit.serve();
    server.always({ at: "rcpt", hang: true }, (to) => to === "slow@hangs.example");
    const hanging = await kit.writePlain({ to: "slow@hangs.example" });
    kit.work([plainEmail], { stopLimit: 50 });
    await server.hanging();
    const others: string[] = [];
    for (let n = 0; n < 50; n += 1) others.push(await kit.writePlain());
    await kit.finished(...others);
    expect(await kit.row(hanging)).toMatchObject({ finishedAt: null, failedAt: null });
    expect(server.ids().sort()).toEqual(others.sort());
  });

  test("is sent while bulk emails hang", async () => {
    const server = await kit.serve();
    server.always({ at: "rcpt", hang: true }, (to) => to.endsWith("@slow.example"));
    for (let n = 0; n < 10; n += 1) await kit.put(many, { to: `${n}@slow.example` });
    kit.work([many, plainEmail], { stopLimit: 50 });
    await server.hanging();
    const id = await kit.writePlain();
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });
});

test("jobs: emails that go to many at once are bulk", () => {
  const bulk = jobs.filter(({ priority }) => priority === "bulk").map(({ kind }) => kind);
  expect(bulk.sort()).toEqual([
    "course-emails.enqueue",
    "course-emails.send",
    "learning.lesson-opened",
    "learning.module-completed",
    "newsletter.confirm-imported",
    "newsletter.digest",
    "newsletter.digest-portions",
    "newsletter.send",
    "subscriber-import.read",
    "subscriber-import.run",
  ]);
});

describe("work", () => {
  test("with an invalid payload fails; of an unknown kind, it waits for a worker that knows it", async () => {
    const newer = defineJob({ kind: "newer", payload: z.object({}), run: async () => {} });
    const unknown = await kit.put(newer, {});
    const wrong = await kit.put({ kind: verifyEmailEmail.kind }, { to: 7 });
    kit.work();
    await kit.rowIs(wrong, { failedAt: expect.any(Date) });
    expect(await kit.row(unknown)).toMatchObject({ attempts: 0, failedAt: null });
    kit.work([newer]);
    await kit.finished(unknown);
  });

  test("of a kind that no job has is logged", async () => {
    await kit.put({ kind: "lost" }, {});
    await kit.put({ kind: verifyEmailEmail.kind }, {});
    kit.clock.forward(2 * 3600_000);
    const error = vi.spyOn(kit.services.log, "error");
    await logUnknownKinds(jobs).run(kit.services);
    expect(error.mock.calls.map(([about]) => about)).toEqual([{ kind: "lost", rows: 1 }]);
  });

  test("that is done is not done again when the database was away just then", async () => {
    const { write } = kit.services.db;
    const move = (from: string, to: string) => write.schema.alterTable(from).renameTo(to).execute();
    let done = 0;
    const job = defineJob({
      ...{ kind: "done", payload: z.object({}) },
      async run() {
        done += 1;
        await move("outbox", "outbox_away");
      },
    });
    const id = await kit.put(job, {});
    const refused = vi.spyOn(write, "updateTable");
    kit.work([job]);
    await until(() => expect(done).toBe(1));
    await until(() => expect(refused).toHaveBeenCalledWith("outbox"));
    await move("outbox_away", "outbox");
    kit.clock.forward(60_000);
    await kit.finished(id);
    expect(done).toBe(1);
    expect(await kit.row(id)).toMatchObject({ attempts: 1, lastError: null });
  });

  test("that is written in a transaction that fails was never written", async () => {
    const { db } = kit.services;
    const rows = () => db.read.selectFrom("outbox").select("id").execute();
    const first = await kit.write();
    const failing = db.transaction(async (trx) => {
      await enqueue(trx, { kind: "x" }, {}, { now: kit.clock.now() });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await rows()).toEqual([{ id: first }]);
  });

  test("that waits for another machine holds nothing else up", async () => {
    const server = await kit.serve();
    const { job, begun, release } = heldJob("slow", { slow: true });
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await kit.put(job, {}));
    kit.work([...jobs, job]);
    await until(() => expect(begun.length).toBeGreaterThan(0));
    await kit.finished(...(await kit.writeSome(12)));
    expect(server.messages).toHaveLength(12);
    for (const id of ids) expect((await kit.row(id)).finishedAt).toBeNull();
    release();
    await kit.finished(...ids);
  });
});

describe("a row whose worker was killed", () => {
  /** Claims what is due as a worker does that is killed. */
  const claim = (owner = "killed") =>
    claimDue(kit.services.db, { owner, limit: 50, jobs, mayBeAlone: true, now: kit.clock.now() });
  const setCounts = (attempts: number, interruptions: number, ids: string[]) =>
    kit.services.db.write
      .updateTable("outbox")
      .set({ attempts, interruptions })
      .where("id", "in", ids)
      .execute();

  test.each([
    ["is then sent at once", 0],
    ["from the second time pauses first", 1],
  ])("waits for the end of its lease, has lost an attempt, and %s", async (_, before) => {
    const server = await kit.serve();
    const id = await kit.write();
    await setCounts(before, before, [id]);
    await claim();
    const worker = kit.work();
    const marker = await kit.write();
    worker.wake();
    await kit.finished(marker);
    expect(await kit.row(id)).toMatchObject({ leaseOwner: "killed", attempts: before });
    kit.clock.forward(leaseMs + 1);
    worker.wake();
    if (before > 0) {
      await kit.rowIs(id, {
        ...{ attempts: 2, interruptions: 2, leaseOwner: null, failedAt: null },
        lastError: expect.stringContaining("stopped"),
      });
      const pause = (await kit.row(id)).dueAt.getTime() - kit.clock.now().getTime();
      expect(pause).toBeGreaterThan(20_000);
      kit.clock.forward(31_000);
      worker.wake();
    }
    await kit.finished(id);
    expect(await kit.row(id)).toMatchObject({ attempts: before + 2, lastError: null });
    expect(server.ids()).toEqual([marker, id]);
  });

  test("for the last time has failed, and is sent when the coach sends it again", async () => {
    const server = await kit.serve();
    const id = await kit.write();
    await setCounts(13, 13, [id]);
    await claim();
    kit.clock.forward(leaseMs + 1);
    kit.work();
    await kit.rowIs(id, {
      ...{ attempts: 14, leaseOwner: null, failure: "interrupted", failedAt: expect.any(Date) },
    });
    expect(server.ids()).toEqual([]);
    await resendEmail(kit.services, id);
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });

  test("has lost no attempt when that very worker claims it again: it lives", async () => {
    const id = await kit.write();
    await claim("asleep");
    kit.clock.forward(leaseMs + 1);
    expect(await claim("asleep")).toMatchObject([{ id, attempts: 0, interruptions: 0 }]);
  });

  test("twice runs alone, and holds up no one else", async () => {
    const held = Promise.withResolvers<void>();
    const begun: string[] = [];
    const ids: string[] = [];
    const run = async (_: unknown, __: unknown, { id }: { id: string }) => {
      begun.push(id);
      if (ids.includes(id)) await held.promise;
    };
    const kinds = [
      emailJob("test.usual", { run }),
      emailJob("test.bulk", { run, priority: "bulk" }),
    ] as const;
    const put = (n: number) => kit.put(kinds[n % 2 === 0 ? 0 : 1], { to: newAddress() });
    for (let n = 0; n < 6; n += 1) ids.push(await put(n));
    await setCounts(2, 2, ids);
    const fresh: string[] = [];
    for (let n = 0; n < 20; n += 1) fresh.push(await put(n));
    kit.work(kinds);
    await kit.finished(...fresh);
    expect(begun.filter((id) => ids.includes(id))).toHaveLength(1);
    held.resolve();
    await kit.finished(...ids);
    expect(begun).toHaveLength(26);
  });
});
