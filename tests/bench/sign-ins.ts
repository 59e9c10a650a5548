import { spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createAccount } from "../support/accounts.ts";
import { type Figure, ms } from "./figure.ts";
import { cpuSeconds, median, quantile } from "./measure.ts";
import { type BenchServer, startSite } from "./server.ts";
import { usualSlug, type World } from "./world.ts";

const perSecond = 20;
const seconds = 20;
const barMs = 50;
const people = 40;
/** Between two pages that are asked for, whatever became of the last. */
const betweenPagesMs = 20;

type Timed = { path: string; took: number };

/**
 * Pages that others ask for, first alone and then while 20 people a second sign in, with the whole
 * site on one core. More sign-ins than one core can hash wait for each other, and for no one else.
 */
export async function signIns(world: World): Promise<Figure[]> {
  const accounts = [];
  for (let n = 0; n < people; n += 1) accounts.push(await createAccount(world.services));
  // A program sees the cores of anyone who starts it.
  pin(0);
  const site = await startSite(world.dataDir, "node", { TRUSTED_PROXIES: "1" });
  const cores = pin(1) ? "one core" : "all cores";
  // Both warm: the first dozen of anything is compiled while it runs.
  await Promise.all([readPages(world, site, 5), enter(site, accounts, 1)]);
  const alone = await readPages(world, site, seconds);
  const [cpu, start] = [cpuSeconds(site.pid), performance.now()];
  const [busy, entered] = await Promise.all([
    readPages(world, site, seconds),
    enter(site, accounts, seconds),
  ]);
  const used = (100_000 * (cpuSeconds(site.pid) - cpu)) / (performance.now() - start);
  await site.stop();
  return [
    {
      what: `pages while ${perSecond} people a second sign in, on ${cores}: p99`,
      measured: `${ms(p99(busy))} (median ${ms(p50(busy))}; without them p99 ${ms(p99(alone))}, median ${ms(p50(alone))}; ${entered.within} of ${entered.asked} had signed in by the end, ${Math.round(used)} % of a core used)`,
      bar: ms(barMs),
      met: p99(busy) < barMs,
    },
  ];
}

const p50 = (list: Timed[]) => median(list.map(({ took }) => took));
const p99 = (list: Timed[]) =>
  quantile(
    list.map(({ took }) => took),
    0.99,
  );

/** This program onto one of the cores, and with it what it starts from now on. */
function pin(core: number): boolean {
  return spawnSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)]).status === 0;
}

function ask(
  site: BenchServer,
  path: string,
  agent: Agent,
  headers: Record<string, string>,
  body?: string,
) {
  return new Promise<number>((resolve, reject) => {
    const asked = request(
      site.url + path,
      { agent, method: body ? "POST" : "GET", headers },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? 0));
      },
    );
    asked.once("error", reject);
    asked.end(body);
  });
}

/** A public page out of memory, one made for someone signed in, and a lesson, in turn. */
async function readPages(world: World, site: BenchServer, forSeconds: number): Promise<Timed[]> {
  const agent = new Agent({ keepAlive: true });
  const paths = ["/about", "/my-courses", `/courses/${usualSlug}/learn`];
  const { cookie = "" } = world.students[0] ?? {};
  const all: Promise<Timed>[] = [];
  const end = performance.now() + forSeconds * 1000;
  for (let n = 0; performance.now() < end; n += 1) {
    const path = paths[n % paths.length] ?? "/";
    const start = performance.now();
    const headers: Record<string, string> = path === "/about" ? {} : { cookie };
    all.push(
      ask(site, path, agent, headers).then((status) => {
        if (status !== 200) throw new Error(`${path}: ${status}`);
        return { path, took: performance.now() - start };
      }),
    );
    await pause(betweenPagesMs);
  }
  const timed = await Promise.all(all);
  agent.destroy();
  return timed;
}

async function enter(
  site: BenchServer,
  accounts: { email: string; password: string }[],
  forSeconds: number,
) {
  const agent = new Agent({ keepAlive: true });
  const asked = perSecond * forSeconds;
  let within = 0;
  let isOver = false;
  const all: Promise<void>[] = [];
  for (let n = 0; n < asked; n += 1) {
    const { email = "", password = "" } = accounts[n % accounts.length] ?? {};
    const headers = {
      origin: site.url,
      "content-type": "application/json",
      "x-forwarded-for": `10.${n >> 8}.${n & 255}.1`,
    };
    const body = JSON.stringify({ email, password });
    all.push(
      ask(site, "/api/auth/sign-in/email", agent, headers, body).then((status) => {
        // More than wait for a hash (docs/decisions/014) are asked to come back.
        if (status !== 200 && status !== 503) throw new Error(`a sign-in got ${status}`);
        if (status === 200 && !isOver) within += 1;
      }),
    );
    await pause(1000 / perSecond);
  }
  isOver = true;
  await Promise.all(all);
  agent.destroy();
  return { asked, within };
}
