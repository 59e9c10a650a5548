import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { claimDue, leaseMs, renewLeases } from "~/platform/jobs/claim.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { jobs } from "~/server/jobs.ts";
import { letterJob, outboxOfEachTest, plainLetter, until } from "../support/outbox.ts";

const kit = outboxOfEachTest();

const free = { leaseOwner: null, leasedUntilAt: null, attempts: 0, finishedAt: null };

/** Work that is under way until the test says otherwise. */
function heldWork() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun: string[] = [];
  const job = defineJob({
    kind: "test.held",
    payload: z.object({}),
    async run(_services, _payload, { id }) {
      begun.push(id);
      await held;
    },
  });
  const write = () => enqueue(kit.services.db.write, job, {}, { now: kit.clock.now() });
  return { job, begun, release, write };
}

describe("a worker that stops", () => {
  test("hands back what it had taken and not begun, at once", async () => {
    const { job, begun, release, write } = heldWork();
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await write());
    const worker = kit.work([job]);
    await until(async () => {
      const taken = await Promise.all(ids.map(async (id) => (await kit.row(id)).leaseOwner));
      expect(taken.filter(Boolean)).toHaveLength(10);
    });
    const stopping = worker.stop();
    const waiting = ids.filter((id) => !begun.includes(id));
    for (const id of waiting)
      await until(async () => expect(await kit.row(id)).toMatchObject(free));
    release();
    await stopping;
    for (const id of begun) expect((await kit.row(id)).finishedAt).not.toBeNull();
    expect(begun.length + waiting.length).toBe(10);
  });

  test("does not wait for a mail server that hangs: the letter is cut off and handed back", async () => {
    const server = await kit.serve();
    const hanging = server.always({ at: "rcpt", hang: true });
    const id = await kit.write();
    const worker = kit.work(jobs, { stopLimit: 50 });
    await server.hanging();
    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(await kit.row(id)).toMatchObject(free);
    hanging.lift();
    kit.work();
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });

  test("leaves to its lease what does not let itself be cut off", async () => {
    const { job, begun, release, write } = heldWork();
    const id = await write();
    const worker = kit.work([job], { stopLimit: 50 });
    await until(() => expect(begun).toEqual([id]));
    await worker.stop();
    expect((await kit.row(id)).leaseOwner).not.toBeNull();
    release();
  });
});

/** As if so much time had gone by in which the database said nothing: no lease was renewed. */
function pass(ms: number) {
  const now = performance.now.bind(performance);
  return vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}

describe("a lease that is not renewed, for the database says nothing,", () => {
  afterEach(() => vi.restoreAllMocks());

  test("cuts off the letter that is under way before it ends: another may take it then", async () => {
    const server = await kit.serve();
    const hanging = server.always({ at: "rcpt", hang: true });
    const id = await kit.write();
    kit.work();
    await server.hanging();
    hanging.lift();
    pass(leaseMs);
    // What is cut off is free at once.
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
    expect((await kit.row(id)).attempts).toBe(1);
  });

  test("lets no letter begin that was being written meanwhile", async () => {
    const server = await kit.serve();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    const job = letterJob("test.long-written", {
      async run(services, payload, row) {
        begun += 1;
        await held;
        await plainLetter.perform(services, payload, row);
      },
    });
    const id = await enqueue(
      kit.services.db.write,
      job,
      { to: "late@here.example" },
      { now: kit.clock.now() },
    );
    const worker = kit.work([job]);
    await until(() => expect(begun).toBe(1));
    const time = pass(leaseMs);
    release();
    await until(async () => expect(await kit.row(id)).toMatchObject(free));
    expect(server.ids()).toEqual([]);
    time.mockRestore();
    worker.wake();
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });
});

describe("rows that were taken and never begun", () => {
  test("have lost no try yet", async () => {
    const { db } = kit.services;
    const id = await kit.write();
    await claimDue(db, { owner: "killed", limit: 5, jobs, now: kit.clock.now() });
    expect(await kit.row(id)).toMatchObject({ leaseOwner: "killed", attempts: 0 });
  });

  test("for their lease was nearly over are handed back", async () => {
    const { job, begun, release, write } = heldWork();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await write());
    const worker = kit.work([job]);
    await until(async () => {
      const taken = await Promise.all(ids.map(async (id) => (await kit.row(id)).leaseOwner));
      expect(taken.filter(Boolean).length).toBeGreaterThan(begun.length);
    });
    kit.clock.forward(leaseMs);
    release();
    // It looks for work at every moment of that.
    const looking = setInterval(() => worker.wake(), 1);
    for (const id of ids) await kit.finished(id);
    clearInterval(looking);
    expect(begun.slice().sort()).toEqual(ids.slice().sort());
    for (const id of ids) expect((await kit.row(id)).attempts).toBe(1);
  });
});

describe("a lease", () => {
  test("is renewed as long as the work takes: nobody else begins it", async () => {
    const { job, begun, release, write } = heldWork();
    const id = await write();
    kit.work([job], { renewEvery: 50 });
    await until(() => expect(begun).toEqual([id]));
    const other = kit.work([job]);
    for (let n = 0; n < 5; n += 1) {
      // Half a lease goes by, and it is renewed meanwhile.
      kit.clock.forward(leaseMs / 2);
      await until(async () =>
        expect((await kit.row(id)).leasedUntilAt?.getTime()).toBeGreaterThan(
          kit.clock.now().getTime() + leaseMs * 0.75,
        ),
      );
      other.wake();
    }
    const marker = await kit.writePlain();
    await kit.serve();
    kit.work([plainLetter]);
    await kit.finished(marker);
    expect(begun).toEqual([id]);
    release();
    await kit.finished(id);
  });

  test("that somebody else has taken is not renewed", async () => {
    const id = await kit.write();
    const { db } = kit.services;
    const claim = { limit: 5, jobs, now: kit.clock.now() };
    await claimDue(db, { ...claim, owner: "asleep" });
    kit.clock.forward(leaseMs + 1);
    expect(await claimDue(db, { ...claim, owner: "awake", now: kit.clock.now() })).toEqual([]);
    kit.clock.forward(11_000);
    const [taken] = await claimDue(db, { ...claim, owner: "awake", now: kit.clock.now() });
    expect(taken?.id).toBe(id);
    const now = kit.clock.now();
    expect(await renewLeases(db, { owner: "asleep", ids: [id], now })).toEqual([]);
    expect(await renewLeases(db, { owner: "awake", ids: [id], now })).toEqual([id]);
  });

  test("is not lost to its own worker when the clock jumps", async () => {
    const { job, begun, release, write } = heldWork();
    const id = await write();
    const worker = kit.work([job]);
    await until(() => expect(begun).toEqual([id]));
    kit.clock.forwardDays(1);
    const next = await write();
    worker.wake();
    await until(() => expect(begun).toContain(next));
    expect(begun.filter((one) => one === id)).toHaveLength(1);
    release();
    await kit.finished(id);
  });

  test("of a clock that was a year ahead does not last a year", async () => {
    const id = await kit.write();
    const { db } = kit.services;
    const year = 365 * 24 * 3600_000;
    const later = new Date(kit.clock.now().getTime() + year);
    await claimDue(db, { owner: "wrong", limit: 5, jobs, now: later });
    await kit.serve();
    const worker = kit.work();
    await until(async () => expect(await kit.row(id)).toMatchObject({ leaseOwner: null }));
    kit.clock.forward(11_000);
    worker.wake();
    await kit.finished(id);
  });
});
