import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { startWorker, type Worker } from "~/platform/jobs/worker.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { startFickleWire } from "../support/fickle-wire.ts";
import { outboxOfEachTest } from "../support/outbox.ts";

const kit = outboxOfEachTest();
// A silent connection is found out after a minute.
const patient = { timeout: 150_000, interval: 100 };

// SQLite is a file, and never silent.
describe.runIf(process.env.TEST_DATABASE_URL)(
  "a connection to PostgreSQL that falls silent",
  () => {
    let wire: Awaited<ReturnType<typeof startFickleWire>>;
    let site: Services;
    let worker: Worker | undefined;

    /** A machine whose database is at the other end of a wire that can fall silent. */
    beforeEach(async () => {
      const { config } = kit.services;
      const url = new URL(config.databaseUrl ?? "");
      wire = await startFickleWire(url.hostname, Number(url.port || 5432));
      url.host = `127.0.0.1:${wire.port}`;
      site = await openServices({ ...config, databaseUrl: url.href }, kit.clock);
    });
    afterEach(async () => {
      await worker?.stop();
      worker = undefined;
      await wire.close();
      await closeServices(site);
    });
    const allDone = (ids: string[]) =>
      vi.waitFor(async () => {
        for (const id of ids) expect((await kit.row(id)).finishedAt).toBeInstanceOf(Date);
      }, patient);

    test.each(["rcpt", "after data"] as const)(
      "while a letter is being sent ('%s'): nothing is lost, nothing goes twice but under its own Message-ID",
      { timeout: 200_000 },
      async (at) => {
        const server = await kit.serve();
        server.next({ at, meanwhile: async () => wire.falter() });
        const ids = await kit.writeSome(20);
        worker = startWorker(site, jobs);
        await allDone(ids);
        expect([...new Set(server.ids())].sort()).toEqual(ids.sort());
        // One a place: it was under way when nothing more could be written down.
        expect(server.duplicates()).toBeLessThanOrEqual(2);
        // And the worker goes on.
        const later = await kit.write();
        await allDone([later]);
        expect(server.ids().filter((id) => id === later)).toHaveLength(1);
      },
    );

    test("and a mail server that never answers do not keep a worker from stopping", async () => {
      const server = await kit.serve();
      server.always({ at: "rcpt", hang: true });
      const [id = ""] = await kit.writeSome(1);
      worker = startWorker(site, jobs);
      await server.hanging();
      wire.falter();
      const before = performance.now();
      await worker.stop();
      expect(performance.now() - before).toBeLessThan(20_000);
      // Its lease ends: whoever takes it over counts that as an attempt, for nobody could say how it ended.
      expect((await kit.row(id)).leaseOwner).not.toBeNull();
    });
  },
);
