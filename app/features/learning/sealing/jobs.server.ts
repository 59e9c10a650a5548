import { setImmediate as turn } from "node:timers/promises";
import { wipeDeleted } from "~/platform/db/wipe.ts";
import {
  hasPeople,
  hasWipeFailedSince,
  isWiped,
  markWiped,
  noteWipeFailed,
} from "~/platform/db/wiped.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";
import { reviveDrafts, sealDrafts, sealProgress } from "./commands.server.ts";

/**
 * Seals what students wrote before journals were sealed, in small portions, and then has the
 * database forget what it overwrote. Broken off, it goes on at the next start.
 */
export const sealJournals: RegularTask = {
  name: "learning.seal-journals",
  async run(services) {
    const { log } = services;
    await reviveDrafts(services);
    const passed = new Set<string>();
    let rows = 0;
    for (const work of [sealProgress, sealDrafts])
      for (;;) {
        const found = await work(services, passed);
        if (found === 0) break;
        rows += found;
        // People's requests come in between.
        await turn();
      }
    if (await isWiped(services)) return;
    // Nothing was ever written on a site without people.
    const isDone = !(await hasPeople(services)) || (await wipe(services));
    if (isDone) await markWiped(services);
    log.info({ rows, isDone }, "journals of before are sealed");
  },
};

const tables = ["progress", "lesson_drafts"];

const dayMs = 24 * 3600_000;

/** Nobody can use a table while it is written anew: what failed is tried again a day later. */
async function wipe(services: Services): Promise<boolean> {
  const { db, clock, log } = services;
  // A little less: the work comes each hour, and not on the dot.
  const since = new Date(clock.now().getTime() - dayMs + 600_000);
  if (await hasWipeFailedSince(services, since)) return false;
  try {
    return await wipeDeleted(db, tables);
  } catch (error) {
    await noteWipeFailed(services).catch((err: unknown) =>
      log.error({ err }, "it could not be noted that the old words are still there"),
    );
    throw error;
  }
}
