import type { PageCache } from "./page-cache.ts";

const everyMs = 1000;

/** Checks every second whether another process has changed the content. @returns how to stop */
export function watchContent(memory: PageCache): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function look() {
    // Without the database nothing could replace expired pages.
    if (await memory.look()) memory.expire();
    if (!stopped) timer = setTimeout(start, everyMs);
  }
  function start() {
    looking = look();
  }
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
