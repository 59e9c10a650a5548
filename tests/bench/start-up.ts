import { type Figure, ms, noBar } from "./figure.ts";
import { median } from "./measure.ts";
import { startSite } from "./server.ts";

const barMs = 800;

/** From the start of the process to the first page, on an existing database. */
export async function startUp(dataDir: string): Promise<Figure[]> {
  const direct = await startSeveral(dataDir, "node", 11);
  const withNpm = await startSeveral(dataDir, "npm start", 4);
  return [
    {
      what: "start: process to first page, existing database (median of 10)",
      measured: ms(median(direct)),
      bar: `${barMs} ms`,
      met: median(direct) <= barMs,
    },
    noBar("what `npm start` adds to it (medians)", ms(median(withNpm) - median(direct))),
  ];
}

/** The first is thrown away: it may find files that no cache holds yet. */
async function startSeveral(dataDir: string, how: "node" | "npm start", count: number) {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const site = await startSite(dataDir, how);
    times.push(site.readyMs);
    await site.stop();
  }
  return times.slice(1);
}
