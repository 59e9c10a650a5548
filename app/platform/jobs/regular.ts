import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "../http/services.ts";

/** Work that only time causes. It must be safe to do on several machines at once. */
export type RegularTask = { name: string; run(services: Services): Promise<void> };

const everyMs = 3600_000;
const stopLimitMs = 5000;

/** Runs the tasks one after another, now and every hour. One that fails is logged and tried
 * again an hour later. */
export function startRegularly(
  services: Services,
  tasks: readonly RegularTask[],
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

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

  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // A task may be interrupted anywhere, as by a crash: one that waits for another machine does
      // not delay the stop.
      const limit = new AbortController();
      const patience = pause(stopLimitMs, undefined, limit).catch(() => {});
      await Promise.race([running, patience]);
      limit.abort();
    },
  };
}
