import { statSync } from "node:fs";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { ensureAdmin, newSetupToken } from "~/features/auth/users.server.ts";
import { dedicatedPages, hasDedicatedPage } from "~/features/courses/rules.ts";
import { adoptComingSoon, loadSampleCourses } from "~/features/courses/sample-courses.server.ts";
import { LostPages } from "~/features/redirects/lost-pages.server.ts";
import { type Config, ConfigError, loadConfig } from "~/platform/config/config.ts";
import { explain } from "~/platform/explain/explain.ts";
import { oneName } from "~/platform/http/host-name.ts";
import { plainPage } from "~/platform/http/plain-page.ts";
import type { ReceiveTimeouts } from "~/platform/http/request-guard.ts";
import { addCommonHeaders, commonHeaders } from "~/platform/http/security.ts";
import { serve } from "~/platform/http/serve.ts";
import type { Services } from "~/platform/http/services.ts";
import { startRegularly } from "~/platform/jobs/regular.ts";
import { startWorker } from "~/platform/jobs/worker.ts";
import { pageCacheListener } from "~/platform/pages/listener.ts";
import { PageCache, watchContent } from "~/platform/pages/page-cache.ts";
import type { Clock } from "~/platform/utils/clock.ts";
import { takeDataDir } from "~/platform/utils/lock.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { flushRegularly, Visits } from "~/platform/visits/visits.ts";
import { createApp } from "./app.ts";
import { frequentTasks, frequentTasksMs, jobs, regularTasks } from "./jobs.ts";
import { closeServices, openServices } from "./services.ts";

// Order matters: lock, database, first content, worker.
async function openBackstage(config: Config, clock?: Clock, isNew = false) {
  checkComingSoon(config);
  const unlock = config.databaseUrl ? () => {} : takeDataDir(config.dataDir);
  try {
    const services = await openServices(config, clock, isNew);
    await prepare(services);
    const worker = startWorker(services, jobs);
    services.wakeWorker = worker.wake;
    const regular = startRegularly(services, regularTasks);
    const frequent = startRegularly(services, frequentTasks, frequentTasksMs);
    const parts = [worker, regular, frequent];
    const rest = async () => void (await Promise.all(parts.map((part) => part.stop())));
    return {
      services,
      /** Settles when the regular work of the start is done. */
      firstRound: regular.firstRound,
      /** Starts no more background work, and finishes what is in progress. */
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

// A slug without a page would put its course on sale; the configuration itself knows no pages.
function checkComingSoon({ comingSoon = [] }: Config) {
  const lines = comingSoon
    .filter((slug) => !hasDedicatedPage(slug))
    .map((slug) => `COMING_SOON: '${slug}' is none of ${dedicatedPages.join(", ")}`);
  if (lines.length > 0) throw new ConfigError(lines);
}

/** Opens the site and listens. Closing runs in reverse: requests and work in progress are
 * finished, then the database is closed. @throws {AlreadyRunning} when another process serves from
 * the same DATA_DIR */
export async function openSite(
  config: Config,
  clock?: Clock,
  { patience, isNew }: { patience?: ReceiveTimeouts | undefined; isNew?: boolean } = {},
) {
  const backstage = await openBackstage(config, clock, isNew);
  const { services, firstRound } = backstage;
  const pageCache = new PageCache(services);
  const zone = () => services.content.site.timeZone;
  const visits = new Visits(services, zone);
  const misses = new LostPages(services, zone);
  const app = createApp(services, pageCache, visits, misses);
  await pageCache.look();
  const answer = pageCacheListener(
    { cache: pageCache, log: services.log, visits },
    requestListener(app, config),
  );
  const listener = oneName(config, answer);
  const server = await serve(listener, config, patience).catch(async (error: unknown) => {
    await backstage.close();
    throw error;
  });
  const watch = watchContent(pageCache);
  const counting = [visits, misses].map(flushRegularly);
  return {
    services,
    firstRound,
    visits,
    misses,
    url: `http://${config.host}:${server.port}`,
    /** Disconnects clients without losing a request: before `close`, where there may be clients. */
    leave: server.leave,
    async close() {
      await Promise.all([server.close(), backstage.rest(), watch.stop()]);
      await Promise.all(counting.map((one) => one.stop()));
      await backstage.close();
    },
  };
}

function requestListener({ fetch }: ReturnType<typeof createApp>, config: Config) {
  const errorHandler = () => {
    const page = plainPage(400, "That could not be read", "This is no address of this site.");
    addCommonHeaders(page.headers, commonHeaders(config));
    return page;
  };
  return getRequestListener(fetch, { errorHandler });
}

/** The site without its server, for `npm run dev`, which has its own. */
export const openForDevelopment = (env: NodeJS.ProcessEnv, isNew: boolean) =>
  openBackstage(loadConfig(env), undefined, isNew);

type Site = Awaited<ReturnType<typeof openSite>>;

async function prepare(services: Services) {
  const { config, log } = services;
  await services.storage.prepare();
  if (config.admin) await ensureAdmin(services, config.admin.email, config.admin.password);
  await adoptComingSoon(services);
  if (config.sampleContent) {
    const loaded = await loadSampleCourses(services, path.join(projectRoot, "content"));
    if (loaded.length > 0) log.info({ courses: loaded }, "sample courses loaded");
  }
}

/** Runs the site until SIGINT or SIGTERM. An error at the start is one line, and exit code 1.
 * @param isNew a new site may begin where files of another one are */
export async function serveSite(env: NodeJS.ProcessEnv, isNew: boolean): Promise<void> {
  try {
    const site = await openSite(loadConfig(env), undefined, { isNew });
    stopOnSignal(site);
    await greet(site);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

// A SIGTERM to npm ends npm and the shell in between, and neither forwards it: without this the
// site would run on, holding its folder and its port.
function stopWithParent(stop: () => void) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}

// The first signal stops the site in order, a second one at once.
function stopOnSignal(site: Site) {
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
  if (process.platform !== "win32" && statSync(config.dataDir).mode & 0o077)
    say(
      `DATA_DIR: other users of this machine may look into ${config.dataDir}. Close it: chmod 700 ${config.dataDir}`,
    );
  if (!config.smtpUrl)
    say(
      `Emails are written to ${path.join(config.dataDir, "mail")}, and their links printed here.`,
    );
  say(
    `Blue Dot is at ${config.appUrl}${config.appUrl.includes(String(config.port)) ? "" : ` (listening on ${url})`}`,
  );
}
