import { describe, expect, test } from "vitest";
import { jobs } from "~/server/jobs.ts";
import { letterJob, outboxOfEachTest, plainLetter, until } from "../support/outbox.ts";

const kit = outboxOfEachTest();

/** What is under way has so long; for everything else together a worker takes 3 seconds at most. */
const stopLimit = 1000;
/** The mail library itself gives up after 10 seconds at the earliest. */
const limitMs = 9_000;

describe("a worker that is told to stop, while a mail server never answers", () => {
  const many = letterJob("test.many", { bulk: true });

  test.each(["connect", "mail", "rcpt", "after data"] as const)(
    "at '%s', does so soon, and its letters are free",
    async (at) => {
      const server = await kit.serve();
      server.always({ at, hang: true });
      const ids = await kit.writeSome(15);
      for (let n = 0; n < 15; n += 1) {
        ids.push(await kit.writePlain());
        ids.push(await kit.put(many, { to: "many@here.example" }));
      }
      const worker = kit.work([...jobs, plainLetter, many], { stopLimit });
      await server.hanging();
      // All lanes have begun.
      await until(() => expect(server.connections()).toBe(6));
      const before = performance.now();
      await worker.stop();
      expect(performance.now() - before).toBeLessThan(limitMs);
      // A slow database takes the last of them back after the worker has stopped waiting for it.
      for (const id of ids)
        await until(async () =>
          expect(await kit.row(id)).toMatchObject({
            ...{ leaseOwner: null, leasedUntilAt: null, attempts: 0, interruptions: 0 },
            ...{ finishedAt: null, failedAt: null },
          }),
        );
    },
  );
});
