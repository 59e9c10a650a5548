import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { ensureAdmin, newSetupToken } from "./features/accounts/commands.server.ts";
import { loadSampleCourses } from "./features/courses/samples/commands.server.ts";
import { jobs } from "./jobs.ts";
import type { Clock } from "./platform/clock.ts";
import { type Config, loadConfig } from "./platform/config/config.ts";
import { CannotListen, explain } from "./platform/explain.ts";
import { startWorker } from "./platform/jobs/worker.ts";
import { takeDataDir } from "./platform/lock.ts";
import { projectRoot } from "./platform/root.ts";
import type { Services } from "./platform/services.ts";
import { createApp } from "./server.ts";
import { closeServices, openServices } from "./services.ts";

/** Everything but the server: what must run beside it, and how it ends. */
type Backstage = { services: Services; close(): Promise<void> };

/** A running site. `url` is where it listens. */
export type Site = Backstage & { url: string };

/** Opens in order: lock, database, first content, worker. */
async function openBackstage(config: Config, clock?: Clock): Promise<Backstage> {
  const unlock = config.databaseUrl ? () => {} : takeDataDir(config.dataDir);
  try {
    const services = await openServices(config, clock);
    await prepare(services);
    const worker = startWorker(services, jobs);
    services.wakeWorker = worker.wake;
    return {
      services,
      async close() {
        await worker.stop();
        await closeServices(services);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens the site and listens. Closing goes the other way: requests in flight are
 * finished first, then the worker's work, then the database is closed.
 * @throws {AlreadyRunning} when another process serves from the same DATA_DIR
 */
export async function openSite(config: Config, clock?: Clock): Promise<Site> {
  const backstage = await openBackstage(config, clock);
  const app = createApp(backstage.services);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  try {
    await listen(server, config);
  } catch (error) {
    await backstage.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    services: backstage.services,
    url: `http://${config.host}:${port}`,
    async close() {
      await stopServer(server);
      await backstage.close();
    },
  };
}

/** The site without its server, for `npm run dev`, which has one of its own. */
export async function openForDevelopment(env: NodeJS.ProcessEnv): Promise<Backstage> {
  return openBackstage(loadConfig(env));
}

async function prepare(services: Services) {
  const { config, log } = services;
  if (config.admin) await ensureAdmin(services, config.admin.email, config.admin.password);
  if (config.sampleContent) {
    const loaded = await loadSampleCourses(services, path.join(projectRoot, "content"));
    if (loaded.length > 0) log.info({ courses: loaded }, "sample courses loaded");
  }
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new CannotListen(error, config)));
    server.listen(config.port, config.host, resolve);
  });
}

/** Requests in flight have so long to end, in milliseconds; supervisors kill after ten seconds. */
const patienceMs = 8000;

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), patienceMs);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Runs the site until it is told to stop (Ctrl-C, SIGTERM). What cannot start says why in a line and exits with 1. */
export async function serveSite(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const site = await openSite(loadConfig(env));
    stopWhenTold(site);
    await greet(site);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/**
 * A SIGTERM to npm ends npm and the shell between, and neither hands it on: without this
 * the site would go on alone, holding its folder and its port.
 */
function stopWithParent(stop: () => void) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}

/** The first signal ends in order, a second one at once. */
function stopWhenTold(site: Site) {
  let stopping = false;
  async function stop() {
    if (stopping) process.exit(1);
    stopping = true;
    await site.close();
    process.exit(0);
  }
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  if (process.env.npm_lifecycle_event) stopWithParent(stop);
}

async function greet({ services, url }: Site) {
  const { config } = services;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const name of config.notYetUsed)
    say(`${name} is set, but the part of the site that uses it is not built yet.`);
  const token = await newSetupToken(services);
  if (token)
    say(`Create the first administrator here (once): ${config.appUrl}/setup?token=${token}`);
  if (!config.smtpUrl)
    say(`Mails are written to ${path.join(config.dataDir, "mail")}, and their links printed here.`);
  say(
    `Blue Dot is at ${config.appUrl}${config.appUrl.includes(String(config.port)) ? "" : ` (listening on ${url})`}`,
  );
}
