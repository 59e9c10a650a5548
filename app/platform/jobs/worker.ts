import { hostname } from "node:os";
import { newId } from "../db/ids.ts";
import { endOutage, noteOutage } from "../mail/outage.ts";
import type { Services } from "../services.ts";
import type { Ending } from "./attempt.ts";
import type { OutboxRow } from "./claim.ts";
import { MailDoor } from "./door.ts";
import { OnePlace } from "./interrupted.ts";
import type { AnyJob } from "./job.ts";
import { Lane, type Pace, usualPace } from "./lane.ts";

export { type Pace, usualPace };

export type Worker = {
  /** Look for due work now instead of at the next look. */
  wake(): void;
  /** Takes no more work, finishes what is under way or, when that takes too long, cuts it off. */
  stop(): Promise<void>;
};

/**
 * Starts doing the outbox's due work, until stopped. What somebody waits for has a lane of its own,
 * what goes to many at once another, and so has work that waits for somebody else's machine: while
 * that hangs, letters go out as ever.
 * Kinds that are not among `jobs` are left alone: a newer version beside this one may have written them.
 */
export function startWorker(
  services: Services,
  jobs: readonly AnyJob[],
  pace: Pace = usualPace,
): Worker {
  const { log, clock } = services;
  const door = new MailDoor(clock);
  const alone = new OnePlace();
  const owner = `${hostname()}:${process.pid}:${newId()}`;
  // What an earlier run of the site left behind is over when the first letter goes out.
  let isNoted = true;

  async function onEnd(row: OutboxRow, ending: Ending) {
    if (ending.mail === "away") {
      const isNew = door.since === null;
      door.shut(row);
      if (isNew) log.error({ words: ending.words }, "the mail server takes no letters");
      const since = door.since ?? clock.now();
      await noteOutage(services.db.write, { since, lastSeen: clock.now(), words: ending.words });
      isNoted = true;
    } else if (ending.mail === "here") {
      const wasShut = door.since !== null;
      if (wasShut) log.info("the mail server takes letters again");
      door.open();
      if (isNoted) await endOutage(services.db.write);
      isNoted = false;
      if (wasShut) wake();
    }
  }

  const lanes = lanesOf(jobs).map(
    (lane) =>
      new Lane(services, {
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

/** As many letters at once as there are connections (platform/mail/smtp.ts); `slow` sends none. */
const slots = { urgent: 2, usual: 2, bulk: 2, slow: 5 };

function lanesOf(jobs: readonly AnyJob[]) {
  const laneOf = (job: AnyJob) =>
    job.slow ? "slow" : job.urgent ? "urgent" : job.bulk ? "bulk" : "usual";
  const names = ["urgent", "usual", "bulk", "slow"] as const;
  return names
    .map((name) => ({ jobs: jobs.filter((job) => laneOf(job) === name), slots: slots[name] }))
    .filter((lane) => lane.jobs.length > 0);
}
