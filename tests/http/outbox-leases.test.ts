import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { claimDue, leaseMs, renewLeases } from "~/platform/jobs/claim.ts";
import { startWorker, type Worker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { emailJob, heldJob, outboxOfEachTest, plainEmail, until } from "../support/outbox.ts";
import { startUnreliableProxy } from "../support/unreliable-network.ts";

const kit = outboxOfEachTest();

const free = {
  ...{ leaseOwner: null, leasedUntilAt: null, attempts: 0, interruptions: 0 },
  ...{ finishedAt: null, failedAt: null },
};
const taken = async (ids: string[]) => {
  const owners = await Promise.all(ids.map(async (id) => (await kit.row(id)).leaseOwner));
  return owners.filter(Boolean).length;
};
async function putSome(job: ReturnType<typeof heldJob>["job"], count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await kit.put(job, {}));
  return ids;
}

describe("a worker that stops", () => {
  test("releases what it had not begun at once, ends what it had, and begins nothing more", async () => {
    const { job, begun, release } = heldJob();
    const ids = await putSome(job, 10);
    const worker = kit.work([job]);
    await until(async () => expect(await taken(ids)).toBe(10));
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    const ended = [...begun];
    const waiting = ids.filter((id) => !ended.includes(id));
    for (const id of waiting) await kit.rowIs(id, free);
    const late = await kit.put(job, {});
    worker.wake();
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect(begun).toEqual(ended);
    for (const id of ended) expect((await kit.row(id)).finishedAt).not.toBeNull();
    for (const id of [...waiting, late]) expect(await kit.row(id)).toMatchObject(free);
    expect(ended.length + waiting.length).toBe(10);
  });

  test.each(["connect", "mail", "rcpt", "after data"] as const)(
    "aborts and releases its emails soon, also bulk ones, when the mail server hangs at '%s'",
    async (at) => {
      const server = await kit.serve();
      server.always({ at, hang: true });
      const many = emailJob("test.many", { priority: "bulk" });
      const ids = await kit.writeSome(15);
      for (let n = 0; n < 15; n += 1)
        ids.push(await kit.writePlain(), await kit.put(many, { to: "many@here.example" }));
      const worker = kit.work([...jobs, plainEmail, many], { stopLimit: 1000 });
      await server.hanging();
      await until(() => expect(server.connections()).toBe(6));
      const before = performance.now();
      await worker.stop();
      // The mail library itself gives up after 10 seconds at the earliest.
      expect(performance.now() - before).toBeLessThan(9_000);
      // A slow database takes the last of them back after the worker has stopped waiting for it.
      for (const id of ids) await kit.rowIs(id, free);
    },
  );

  test("leaves to its lease what does not abort", async () => {
    const { job, begun, release } = heldJob();
    const [id = ""] = await putSome(job, 1);
    const worker = kit.work([job], { stopLimit: 50 });
    await until(() => expect(begun).toEqual([id]));
    await worker.stop();
    expect((await kit.row(id)).leaseOwner).not.toBeNull();
    release();
  });
});

describe("a lease that is not renewed, as the database is silent,", () => {
  afterEach(() => vi.restoreAllMocks());
  /** As if so much time had passed without a renewal. */
  function pass(ms: number) {
    const now = performance.now.bind(performance);
    return vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
  }

  test("aborts the email in progress before it ends: another worker may take it then", async () => {
    const server = await kit.serve();
    const hanging = server.always({ at: "rcpt", hang: true });
    const id = await kit.write();
    kit.work();
    await server.hanging();
    hanging.lift();
    pass(leaseMs);
    // What is aborted is free at once.
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
    expect((await kit.row(id)).attempts).toBe(1);
  });

  test("lets no email begin that was being written meanwhile", async () => {
    const server = await kit.serve();
    const held = Promise.withResolvers<void>();
    let begun = 0;
    const job = emailJob("test.long-written", {
      async run(services, payload, row) {
        begun += 1;
        await held.promise;
        await plainEmail.perform(services, payload, row);
      },
    });
    const id = await kit.put(job, { to: "late@here.example" });
    const worker = kit.work([job]);
    await until(() => expect(begun).toBe(1));
    const time = pass(leaseMs);
    held.resolve();
    await kit.rowIs(id, free);
    expect(server.ids()).toEqual([]);
    time.mockRestore();
    worker.wake();
    await kit.finished(id);
    expect(server.ids()).toEqual([id]);
  });
});

describe("a lease", () => {
  test("that is nearly over when its row's turn comes is released, and the row done once", async () => {
    const { job, begun, release } = heldJob();
    const ids = await putSome(job, 12);
    const worker = kit.work([job]);
    await until(async () => expect(await taken(ids)).toBeGreaterThan(begun.length));
    kit.clock.forward(leaseMs);
    release();
    // It looks for work at every moment of that.
    const looking = setInterval(() => worker.wake(), 1);
    await kit.finished(...ids);
    clearInterval(looking);
    expect(begun.toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect((await kit.row(id)).attempts).toBe(1);
  });

  test("is renewed as long as the work takes: no other worker begins it", async () => {
    const { job, begun, release } = heldJob();
    const [id = ""] = await putSome(job, 1);
    kit.work([job], { renewEvery: 50 });
    await until(() => expect(begun).toEqual([id]));
    const other = kit.work([job, plainEmail]);
    for (let n = 0; n < 5; n += 1) {
      // Half a lease goes by, and it is renewed meanwhile.
      kit.clock.forward(leaseMs / 2);
      const least = kit.clock.now().getTime() + leaseMs * 0.75;
      await until(async () =>
        expect((await kit.row(id)).leasedUntilAt?.getTime()).toBeGreaterThan(least),
      );
      other.wake();
    }
    await kit.serve();
    await kit.finished(await kit.writePlain());
    expect(begun).toEqual([id]);
    release();
    await kit.finished(id);
  });

  test("of a worker that was killed ends within half a minute, and another sends the email", async () => {
    const id = await kit.write();
    const { db } = kit.services;
    await claimDue(db, { owner: "killed", limit: 5, jobs, now: kit.clock.now() });
    const server = await kit.serve();
    const worker = kit.work();
    kit.clock.forward(29_000);
    worker.wake();
    await kit.finished(await kit.write());
    expect(await kit.row(id)).toMatchObject({ leaseOwner: "killed" });
    kit.clock.forward(1000);
    worker.wake();
    await kit.finished(id);
    expect(server.ids().filter((sent) => sent === id)).toHaveLength(1);
    expect(await kit.row(id)).toMatchObject({ attempts: 2, interruptions: 1 });
  });

  test("that another worker has by now is not renewed", async () => {
    const id = await kit.write();
    const { db } = kit.services;
    const claim = (owner: string) => claimDue(db, { owner, limit: 5, jobs, now: kit.clock.now() });
    await claim("asleep");
    kit.clock.forward(leaseMs + 1);
    expect(await claim("awake")).toEqual([]);
    kit.clock.forward(11_000);
    expect(await claim("awake")).toMatchObject([{ id }]);
    const renew = (owner: string) => renewLeases(db, { owner, ids: [id], now: kit.clock.now() });
    expect(await renew("asleep")).toEqual([]);
    expect(await renew("awake")).toEqual([id]);
  });

  test("is not lost to its own worker when the clock jumps", async () => {
    const { job, begun, release } = heldJob();
    const [id = ""] = await putSome(job, 1);
    const worker = kit.work([job]);
    await until(() => expect(begun).toEqual([id]));
    kit.clock.forwardDays(1);
    const [next = ""] = await putSome(job, 1);
    worker.wake();
    await until(() => expect(begun).toEqual([id, next]));
    release();
    await kit.finished(id);
  });

  test("of a clock that was a year ahead does not last a year", async () => {
    const id = await kit.write();
    const later = new Date(kit.clock.now().getTime() + 365 * 24 * 3600_000);
    await claimDue(kit.services.db, { owner: "wrong", limit: 5, jobs, now: later });
    await kit.serve();
    const worker = kit.work();
    await kit.rowIs(id, { leaseOwner: null });
    kit.clock.forward(11_000);
    worker.wake();
    await kit.finished(id);
  });
});

// SQLite is a file, and never silent.
describe.runIf(process.env.TEST_DATABASE_URL)(
  "a connection to PostgreSQL that falls silent",
  () => {
    let wire: Awaited<ReturnType<typeof startUnreliableProxy>>;
    let site: Services;
    let worker: Worker | undefined;
    beforeEach(async () => {
      const { config } = kit.services;
      const url = new URL(config.databaseUrl ?? "");
      wire = await startUnreliableProxy(url.hostname, Number(url.port || 5432));
      url.host = `127.0.0.1:${wire.port}`;
      site = await openServices({ ...config, databaseUrl: url.href }, kit.clock);
    });
    afterEach(async () => {
      await worker?.stop();
      worker = undefined;
      await wire.close();
      await closeServices(site);
    });
    // A silent connection is found out after eight seconds.
    const allDone = (ids: string[]) =>
      vi.waitFor(
        async () => {
          for (const id of ids) expect((await kit.row(id)).finishedAt).toBeInstanceOf(Date);
        },
        { timeout: 150_000, interval: 100 },
      );

    test.each(["rcpt", "after data"] as const)(
      "while an email is being sent ('%s') loses none, and sends none twice but under its Message-ID",
      { timeout: 200_000 },
      async (at) => {
        const server = await kit.serve();
        server.next({ at, meanwhile: async () => wire.falter() });
        const ids = await kit.writeSome(20);
        worker = startWorker(site, jobs);
        await allDone(ids);
        expect([...new Set(server.ids())].sort()).toEqual(ids.sort());
        // One a slot: it was in progress when nothing more could be saved.
        expect(server.duplicates()).toBeLessThanOrEqual(2);
        const later = await kit.write();
        await allDone([later]);
        expect(server.ids().filter((id) => id === later)).toHaveLength(1);
      },
    );

    test("lets a worker stop, beside a mail server that never answers", async () => {
      const server = await kit.serve();
      server.always({ at: "rcpt", hang: true });
      const id = await kit.write();
      worker = startWorker(site, jobs);
      await server.hanging();
      wire.fallSilent();
      const before = performance.now();
      await worker.stop();
      expect(performance.now() - before).toBeLessThan(20_000);
      // Whoever takes it after its lease counts that as an attempt: no one knows how it ended.
      expect((await kit.row(id)).leaseOwner).not.toBeNull();
    });
  },
);
