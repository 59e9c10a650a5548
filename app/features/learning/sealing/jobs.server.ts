import { setImmediate as turn } from "node:timers/promises";
import { wipeDeleted } from "~/platform/db/wipe.ts";
import { hasPeople, isWiped, markWiped, unmarkWiped } from "~/platform/db/wiped.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { hasReadable, reviveDrafts, sealDrafts, sealProgress } from "./commands.server.ts";

/**
 * Seals what students wrote before journals were sealed, in small portions, and then has the
 * database forget what it overwrote. Broken off, it goes on at the next start.
 */
export const sealJournals: RegularTask = {
  name: "learning.seal-journals",
  async run(services) {
    const { db, log } = services;
    await reviveDrafts(services);
    const isBefore = await hasReadable(services);
    if (!isBefore && (await isWiped(services))) return;
    if (isBefore) await unmarkWiped(services);
    let rows = 0;
    for (const work of [sealProgress, sealDrafts])
      for (let found = await work(services); found > 0; found = await work(services)) {
        rows += found;
        // People's requests come in between.
        await turn();
      }
    // Nothing was ever written on a site without people.
    const isDone = !(await hasPeople(services)) || (await wipeDeleted(db, tables));
    if (isDone) await markWiped(services);
    log.info({ rows, isDone }, "journals of before are sealed");
  },
};

const tables = ["progress", "lesson_drafts"];
