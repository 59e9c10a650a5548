import type { PageMemory } from "./memory.ts";

const everyMs = 1000;

/** Looks every second whether somebody else has changed the content. @returns how to stop it */
export function watchContent(memory: PageMemory): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function look() {
    // Without the database nothing could take the place of what is old.
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
