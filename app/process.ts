import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { site as content } from "~content/site.ts";
import { ensureAdmin, newSetupToken } from "./features/accounts/commands.server.ts";
import { loadSampleCourses } from "./features/courses/samples/commands.server.ts";
import { jobs, regularTasks } from "./jobs.ts";
import type { Clock } from "./platform/clock.ts";
import { type Config, ConfigError, loadConfig } from "./platform/config/config.ts";
import { explain } from "./platform/explain.ts";
import type { Patience } from "./platform/http/door.ts";
import { memoryFirst } from "./platform/http/memory/listener.ts";
import { PageMemory } from "./platform/http/memory/memory.ts";
import { watchContent } from "./platform/http/memory/watch.ts";
import { plainPage } from "./platform/http/plain-page.ts";
import { addCommonHeaders, commonHeaders } from "./platform/http/security.ts";
import { serve } from "./platform/http/serve.ts";
import { startRegularly } from "./platform/jobs/regular.ts";
import { startWorker } from "./platform/jobs/worker.ts";
import { takeDataDir } from "./platform/lock.ts";
import { projectRoot } from "./platform/root.ts";
import type { Services } from "./platform/services.ts";
import { createApp } from "./server.ts";
import { closeServices, openServices } from "./services.ts";

/** Everything but the server: what must run beside it, and how it ends. */
type Backstage = {
  services: Services;
  /** Begins no more background work, and finishes what is under way. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

/** A running site. `url` is where it listens. */
export type Site = {
  services: Services;
  url: string;
  /** Sends whoever is connected away, without losing a request: before `close`, where others may ask. */
  leave(): Promise<void>;
  close(): Promise<void>;
};

/** Opens in order: lock, database, first content, worker. */
async function openBackstage(config: Config, clock?: Clock): Promise<Backstage> {
  checkComingSoon(config);
  const unlock = config.databaseUrl ? () => {} : takeDataDir(config.dataDir);
  try {
    const services = await openServices(config, clock);
    await prepare(services);
    const worker = startWorker(services, jobs);
    services.wakeWorker = worker.wake;
    const regular = startRegularly(services, regularTasks);
    const rest = async () => void (await Promise.all([worker.stop(), regular.stop()]));
    return {
      services,
      rest,
      async close() {
        await rest();
        await closeServices(services);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A slug that no page has would put its course on sale; the configuration itself knows no pages. */
function checkComingSoon({ comingSoon = [] }: Config) {
  const known = Object.keys(content.comingSoon);
  const lines = comingSoon
    .filter((slug) => !known.includes(slug))
    .map((slug) => `COMING_SOON: '${slug}' is none of ${known.join(", ")}`);
  if (lines.length > 0) throw new ConfigError(lines);
}

/**
 * Opens the site and listens. Closing goes the other way: requests in flight and the work
 * under way are finished, then the database is closed.
 * @throws {AlreadyRunning} when another process serves from the same DATA_DIR
 */
export async function openSite(config: Config, clock?: Clock, patience?: Patience): Promise<Site> {
  const backstage = await openBackstage(config, clock);
  const { services } = backstage;
  const memory = new PageMemory(services);
  const app = createApp(services, memory);
  await memory.look();
  const listener = memoryFirst(memory, services.log, requestListener(app, config));
  const server = await serve(listener, config, patience).catch(async (error: unknown) => {
    await backstage.close();
    throw error;
  });
  const watch = watchContent(memory);
  return {
    services,
    url: `http://${config.host}:${server.port}`,
    leave: server.leave,
    async close() {
      await Promise.all([server.close(), backstage.rest(), watch.stop()]);
      await backstage.close();
    },
  };
}

/** What cannot even be a Request, such as one to a host with a blank in its name, is told so. */
function requestListener({ fetch }: ReturnType<typeof createApp>, { appUrl }: Config) {
  const errorHandler = () => {
    const page = plainPage(400, "That could not be read", "This is no address of this site.");
    addCommonHeaders(page.headers, commonHeaders(appUrl));
    return page;
  };
  return getRequestListener(fetch, { errorHandler });
}

/** The site without its server, for `npm run dev`, which has one of its own. */
export async function openForDevelopment(env: NodeJS.ProcessEnv): Promise<Backstage> {
  return openBackstage(loadConfig(env));
}

async function prepare(services: Services) {
  const { config, log } = services;
  await services.storage.prepare();
  if (config.admin) await ensureAdmin(services, config.admin.email, config.admin.password);
  if (config.sampleContent) {
    const loaded = await loadSampleCourses(services, path.join(projectRoot, "content"));
    if (loaded.length > 0) log.info({ courses: loaded }, "sample courses loaded");
  }
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
    await site.leave();
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
  const token = await newSetupToken(services);
  if (token)
    say(`Create the first administrator here (once): ${config.appUrl}/setup?token=${token}`);
  if (!config.smtpUrl)
    say(`Mails are written to ${path.join(config.dataDir, "mail")}, and their links printed here.`);
  say(
    `Blue Dot is at ${config.appUrl}${config.appUrl.includes(String(config.port)) ? "" : ` (listening on ${url})`}`,
  );
}
