import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "~/platform/utils/version.ts";
import { completing } from "./complete.ts";
import { type Figure, mb } from "./figure.ts";
import { growth } from "./growth.ts";
import { lessonEmailFigures } from "./lesson-emails.ts";
import { lessonPage } from "./lesson-page.ts";
import { judgePages } from "./lighthouse.ts";
import { mails } from "./mails.ts";
import { residentMb } from "./measure.ts";
import { media } from "./media.ts";
import { memory } from "./memory.ts";
import { moving } from "./move.ts";
import { newsletter } from "./newsletter.ts";
import { processes } from "./processes.ts";
import { printTable, writeReport } from "./report.ts";
import { sealing } from "./sealing.ts";
import { killAll, startSite } from "./server.ts";
import { sessions } from "./session.ts";
import { signIns } from "./sign-ins.ts";
import { signedInPages } from "./signed-in.ts";
import { slowLine } from "./slow-line.ts";
import { startUp } from "./start-up.ts";
import { webhooks } from "./webhooks.ts";
import { weighPages } from "./weight.ts";
import { openWorld } from "./world.ts";

const residentBarMb = 180;

/**
 * Measures the figures of docs/benchmarks.md, on loopback and in a folder of its own that
 * goes when it ends. Words after `npm run bench --` choose parts (signed-in, page, complete, memory,
 * sealing, session, sign-ins, webhooks, media, start, weight, lighthouse, growth, lesson-emails, mails, newsletter, move,
 * processes); the report is
 * written only when all ran.
 */
export async function runBench(words: string[]): Promise<void> {
  process.once("exit", killAll);
  process.once("SIGINT", () => process.exit(130));
  const wanted = (part: string) => words.length === 0 || words.includes(part);
  const figures: Figure[] = [];
  const world = await openWorld();
  if (wanted("signed-in")) {
    const site = await startSite(world.dataDir);
    figures.push(...(await signedInPages(world, site)));
    await site.stop();
  }
  if (["page", "complete", "memory", "media"].some(wanted)) {
    const site = await startSite(world.dataDir);
    if (wanted("page")) figures.push(...(await lessonPage(world, site)));
    if (wanted("complete")) figures.push(...(await completing(world, site)));
    if (wanted("memory")) figures.push(...(await memory(site)));
    const resident = residentMb(site.pid);
    figures.push({
      what: "resident memory of the site after these",
      measured: mb(resident),
      bar: mb(residentBarMb),
      met: resident <= residentBarMb,
    });
    if (wanted("media")) figures.push(...(await media(world, site)));
    await site.stop();
  }
  if (wanted("sealing")) figures.push(...(await sealing(world)));
  if (wanted("session")) figures.push(...(await sessions(world)));
  if (wanted("sign-ins")) figures.push(...(await signIns(world)));
  if (wanted("webhooks")) figures.push(...(await webhooks(world)));
  if (wanted("start")) figures.push(...(await startUp(world.dataDir)));
  await world.close();
  if (wanted("weight")) figures.push(...(await weighPages()));
  if (wanted("lighthouse")) figures.push(...(await judgePages()), ...(await slowLine()));
  if (wanted("growth")) figures.push(...(await growth()));
  if (wanted("lesson-emails")) figures.push(...(await lessonEmailFigures()));
  if (wanted("mails")) figures.push(...(await mails()));
  if (wanted("newsletter")) figures.push(...(await newsletter()));
  if (wanted("processes")) figures.push(...(await processes()));
  if (wanted("move")) figures.push(...(await moving()));
  printTable(figures);
  if (words.length === 0) writeReport(figures, notes());
}

/** What people wrote below the table: how it is measured, and why a bar is missed. */
function notes(): string {
  const file = path.join(projectRoot, "docs", "benchmarks.md");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = text.search(/^## /m);
  return start < 0 ? "" : text.slice(start);
}
