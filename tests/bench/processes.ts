import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { closeServices } from "~/server/services.ts";
import { type Figure, mb, ms, noBar, perSecond } from "./figure.ts";
import { read } from "./load.ts";
import { inFlight, median, quantile, residentMb, timed } from "./measure.ts";
import { type BenchServer, startSite } from "./server.ts";
import { onEachEngine, openWorld, type Place, usualSlug } from "./world.ts";

const width = 32;
const seconds = 8;
/** Pages a second, asked for whatever became of the last: what a site has to do on a busy evening. */
const steady = 60;
const counts = { SQLite: [1], PostgreSQL: [1, 2, 4] };

/**
 * The player of a usual course from several processes of the site on one database, all of them, the
 * database and the program that asks on this machine: how many pages they make, and how long one
 * takes while `steady` are asked for.
 */
export const processes = () => onEachEngine(measured);

async function measured(engine: string, place: Place): Promise<Figure[]> {
  const { url, drop } = await place();
  const world = await openWorld(url);
  const { databaseUrl, authSecret } = world.services.config;
  const env: Record<string, string> = databaseUrl
    ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret }
    : {};
  await closeServices(world.services);
  const figures: Figure[] = [];
  for (const count of counts[engine as keyof typeof counts]) {
    const sites: BenchServer[] = [];
    for (let n = 0; n < count; n += 1) sites.push(await startSite(world.dataDir, "node", env));
    const cookies = world.students.map(({ cookie }) => cookie);
    const agent = new Agent({ keepAlive: true });
    const ask = (index: number) => {
      const site = sites[index % sites.length];
      const cookie = cookies[index % cookies.length] ?? "";
      return read(`${site?.url}/courses/${usualSlug}/learn`, agent, { cookie });
    };
    // Warm: what a site does for the first time is compiled while it runs.
    await inFlight(width, seconds / 2, ask);
    const busy = await inFlight(width, seconds, ask);
    const calm = await atRate(steady, ask);
    const memory = sites.map(({ pid }) => mb(residentMb(pid))).join(", ");
    figures.push(
      noBar(
        `player of a usual course, ${engine}, ${count} process${count > 1 ? "es" : ""}`,
        `${perSecond(busy.length / seconds)} with ${width} in flight (p50 ${ms(median(busy))}, p99 ${ms(quantile(busy, 0.99))}); at ${steady}/s p50 ${ms(median(calm))}, p99 ${ms(quantile(calm, 0.99))}; ${memory}`,
      ),
    );
    agent.destroy();
    for (const site of sites) await site.stop();
  }
  await drop?.();
  return figures;
}

/** Asks `rate` times a second. @returns what each took, in milliseconds */
async function atRate(rate: number, ask: (index: number) => Promise<unknown>): Promise<number[]> {
  const all: Promise<number>[] = [];
  const start = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    await pause(Math.max(0, start + (n * 1000) / rate - performance.now()));
    all.push(timed(() => ask(n)));
  }
  return Promise.all(all);
}
