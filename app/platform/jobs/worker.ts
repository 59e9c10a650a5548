import { hostname } from "node:os";
import { newId } from "../db/ids.ts";
import { endOutage, noteOutage } from "../email/outage.ts";
import type { Services } from "../http/services.ts";
import type { Ending } from "./attempt.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { ExclusiveSlot, type OutboxRow } from "./claim.ts";

import type { AnyJob } from "./job.ts";
import { defaultQueuePace, JobQueue, type QueuePace } from "./queue.ts";

export { defaultQueuePace, type QueuePace };

export type Worker = {
  wake(): void;
  stop(): Promise<void>;
};

/** Does the outbox's due work until stopped. Urgent work, bulk emails and work that waits for
 * another machine have queues of their own: while that hangs, emails are still sent. Unknown
 * kinds are left alone. */
export function startWorker(
  services: Services,
  jobs: readonly AnyJob[],
  pace: QueuePace = defaultQueuePace,
): Worker {
  const { log, clock } = services;
  const door = new CircuitBreaker(clock);
  const alone = new ExclusiveSlot();
  const owner = `${hostname()}:${process.pid}:${newId()}`;
  // An outage recorded by an earlier run is over when the first email is sent.
  let isNoted = true;

  async function onEnd(row: OutboxRow, ending: Ending) {
    if (ending.mail === "away") {
      const isNew = door.since === null;
      door.shut(row);
      if (isNew) log.error({ words: ending.words }, "the mail server accepts no emails");
      const since = door.since ?? clock.now();
      await noteOutage(services.db.write, { since, lastSeen: clock.now(), words: ending.words });
      isNoted = true;
    } else if (ending.mail === "here") {
      const wasShut = door.since !== null;
      if (wasShut) log.info("the mail server accepts emails again");
      door.open();
      if (isNoted) await endOutage(services.db.write);
      isNoted = false;
      if (wasShut) wake();
    }
  }

  const lanes = lanesOf(jobs).map(
    (lane) =>
      new JobQueue(services, {
        ...lane,
        door,
        alone,
        owner,
        pace,
        onEnd,
      }),
  );
  function wake() {
    for (const lane of lanes) lane.wake();
  }
  return {
    wake,
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** As many emails at once as there are SMTP connections (platform/email/smtp.ts); `slow` sends
 * none. */
const slots = { urgent: 2, usual: 2, bulk: 2, slow: 5 };

function lanesOf(jobs: readonly AnyJob[]) {
  const laneOf = (job: AnyJob) =>
    job.slow ? "slow" : job.urgent ? "urgent" : job.bulk ? "bulk" : "usual";
  const names = ["urgent", "usual", "bulk", "slow"] as const;
  return names
    .map((name) => ({ jobs: jobs.filter((job) => laneOf(job) === name), slots: slots[name] }))
    .filter((lane) => lane.jobs.length > 0);
}
