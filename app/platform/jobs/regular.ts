import type { Services } from "../http/services.ts";
import { withTimeout } from "../utils/clock.ts";
import type { AnyJob } from "./job.ts";

/** Work that only time causes. It must be safe to do on several machines at once. */
export type RegularTask = { name: string; run(services: Services): Promise<void> };

const hourMs = 3600_000;
const stopLimitMs = 5000;

/** Runs the tasks in order, now and every hour, or as often as given. One that fails is logged, and
 * tried in the next round.
 * @returns `firstRound` settles when all have run once */
export function startRegularly(
  services: Services,
  tasks: readonly RegularTask[],
  everyMs = hourMs,
): { firstRound: Promise<void>; stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;

  async function round() {
    for (const { name, run } of tasks) {
      if (stopped) return;
      await run(services).catch((err: unknown) =>
        services.log.error({ err, task: name }, "regular work failed"),
      );
    }
    if (!stopped) timer = setTimeout(start, everyMs);
  }

  function start() {
    running = round();
  }

  running = round();
  return {
    firstRound: running,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // A task may be interrupted anywhere, as by a crash: one that waits for another machine does
      // not delay the stop.
      await withTimeout(stopLimitMs, running, undefined);
    },
  };
}

export function logUnknownKinds(jobs: readonly AnyJob[]): RegularTask {
  return {
    name: "outbox.unknown-kinds",
    async run({ db, clock, log }) {
      const rows = await db.read
        .selectFrom("outbox")
        .select((eb) => ["kind", eb.fn.countAll<number>().as("rows")])
        .where("finishedAt", "is", null)
        .where("failedAt", "is", null)
        .where("dueAt", "<", new Date(clock.now().getTime() - 3600_000))
        .where(
          "kind",
          "not in",
          jobs.map(({ kind }) => kind),
        )
        .groupBy("kind")
        .execute();
      for (const { kind, rows: count } of rows)
        log.error({ kind, rows: count }, "work of a kind that this version does not know");
    },
  };
}
