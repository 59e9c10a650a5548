import { setTimeout as pause } from "node:timers/promises";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { enqueueReaders } from "~/features/newsletter-issues/send-issue.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { addReaders, startWritten, writeIssue } from "../support/issue-sending.ts";
import { freePort } from "../support/port.ts";
import { startMailServer } from "../support/smtp.ts";
import { type Figure, mb, ms, perSecond, times } from "./figure.ts";
import { load } from "./load.ts";
import { cpuSeconds, median, quantile, residentMb, timed } from "./measure.ts";
import { startSite } from "./server.ts";
import { benchFolder, onEachEngine, type Place } from "./world.ts";

const readers = Number(process.env.BENCH_READERS ?? 50_000);
const bars = { perCore: 200, residentMb: 250, pages: 2, holdMs: 50 };
const sampleMs = 250;

// 50 KB as HTML and text together, like a long issue.
const paragraph = "It is autumn, and the table is set for one less than it was. ".repeat(5);
const body = Array.from({ length: 80 }, (_, n) => `## Part ${n}\n\n${paragraph}`).join("\n\n");

/** An issue of 50 KB to 50,000 readers, through an SMTP server in this process. */
export const newsletter = () => onEachEngine(sentOn);

async function sentOn(engine: string, place: Place): Promise<Figure[]> {
  const { url, drop } = await place();
  const config = await testConfig(url, { DATA_DIR: benchFolder() });
  const written = await write(config);
  const port = await freePort();
  const server = await startMailServer(port, { keep: false });
  const site = await startSite(config.dataDir, "node", {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "hello@grief.example",
    ...(config.databaseUrl && {
      DATABASE_URL: config.databaseUrl,
      AUTH_SECRET: config.authSecret,
    }),
  });
  const atRest = residentMb(site.pid);
  const asked = { width: 4, seconds: 5, pid: site.pid };
  await load(`${site.url}/about`, [""], asked);
  const quiet = await load(`${site.url}/about`, [""], asked);
  const services = await openServices(config);
  await startWritten(services, written.issueId);
  await closeServices(services);
  const started = performance.now();
  const cpu = cpuSeconds(site.pid);
  const busy = await load(`${site.url}/about`, [""], { ...asked, seconds: 10 });
  const [cpuAtLoad, sentAtLoad] = [cpuSeconds(site.pid), server.received()];
  const memory: number[] = [];
  while (server.received() < readers && performance.now() - started < 900_000) {
    await pause(sampleMs);
    memory.push(residentMb(site.pid));
  }
  const seconds = (performance.now() - started) / 1000;
  const used = cpuSeconds(site.pid) - cpuAtLoad;
  const sent = server.received() - sentAtLoad;
  await site.stop();
  await server.close();
  await drop?.();
  const most = Math.max(...memory);
  const perCore = sent / used;
  const p99 = busy.p99 / quiet.p99;
  return [
    {
      what: `an issue of ${Math.round(written.bytes / 1000)} KB to ${readers.toLocaleString("en-US")} readers, ${engine}`,
      measured: `${perSecond(perCore)} a core, ${perSecond(server.received() / seconds)} beside the load; ${server.duplicates()} twice (${(cpuAtLoad - cpu).toFixed(1)} s under load)`,
      bar: `${bars.perCore}/s a core, none twice`,
      met: perCore >= bars.perCore && server.duplicates() === 0 && server.received() === readers,
    },
    {
      what: `resident memory of the site meanwhile, ${engine}`,
      measured: `${mb(atRest)} before, ${mb(median(memory.slice(0, 20)))} at first, ${mb(median(memory.slice(-20)))} at last, ${mb(most)} at most`,
      bar: mb(bars.residentMb),
      met: most <= bars.residentMb,
    },
    {
      what: `p99 of a page from memory meanwhile, ${engine}`,
      measured: `${ms(busy.p99)} against ${ms(quiet.p99)}: ${times(p99)}`,
      bar: times(bars.pages),
      met: p99 <= bars.pages,
    },
    {
      what: `writing down ${readers.toLocaleString("en-US")} readers, ${engine}`,
      measured: `portions of ${ms(median(written.holds))}, p99 ${ms(quantile(written.holds, 0.99))}, ${ms(Math.max(...written.holds))} at most`,
      bar: `the writer is held ${bars.holdMs} ms at most`,
      met: Math.max(...written.holds) <= bars.holdMs,
    },
  ];
}

type Config = Awaited<ReturnType<typeof testConfig>>;

/** Readers, an issue, and how long writing down its deliveries holds the database. */
async function write(config: Config) {
  const services = await openServices(config);
  await addReaders(services, readers);
  const holds = await holdsOf(services);
  const issueId = await writeIssue(services, { body });
  const { body: words } = await getIssue(services.db.read, issueId);
  await closeServices(services);
  return { issueId, holds, bytes: 2 * words.length };
}

async function holdsOf(services: Services): Promise<number[]> {
  const issueId = await writeIssue(services);
  const { run } = await startWritten(services, issueId);
  const holds: number[] = [];
  let isLast = false;
  while (!isLast)
    holds.push(
      await timed(async () => {
        isLast = await enqueueReaders(services, { issueId, run });
      }),
    );
  await services.db.write.deleteFrom("outbox").execute();
  await services.db.write.deleteFrom("newsletterIssues").where("id", "=", issueId).execute();
  return holds;
}
