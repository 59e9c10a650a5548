import lighthouse from "lighthouse";
import { openChromium } from "../../scripts/chromium.ts";
import { freePort } from "../support/port.ts";
import { type Figure, ms, noBar } from "./figure.ts";
import { median } from "./measure.ts";
import { publicPages } from "./public-pages.ts";
import { startSite } from "./server.ts";
import { benchFolder } from "./world.ts";

const runs = 3;
const barMs = 1000;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

type Judged = { scores: number[]; lcp: number; cls: number; tbt: number; failed: string[] };

/** Every public page as Lighthouse sees it: a middling phone on a slow network, simulated. */
export async function judgePages(): Promise<Figure[]> {
  const site = await startSite(benchFolder());
  const port = await freePort();
  const browser = await openChromium(`--remote-debugging-port=${port}`);
  const figures: Figure[] = [];
  for (const { path, hidden } of publicPages) {
    const judged: Judged[] = [];
    // The first run finds a page that no one has asked for, and is thrown away.
    for (let run = 0; run <= runs; run++)
      judged.push(await judge(site.url + path, { port, hidden }));
    figures.push(figure(path, hidden, judged.slice(1)));
  }
  await browser.close();
  await site.stop();
  figures.push(
    noBar(
      "LCP of peers, as others published it (not run here)",
      "a bare static page 660 ms, Next.js 1900 ms, Ghost 3500 ms",
    ),
  );
  return figures;
}

async function judge(
  url: string,
  { port, hidden }: { port: number; hidden: boolean },
  triesLeft = 3,
): Promise<Judged> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: [...categories],
    // The spec hides the page from search engines; being told so again is no finding.
    skipAudits: hidden ? ["is-crawlable"] : [],
  });
  if (!result) throw new Error(`${url}: Lighthouse has nothing to say`);
  const { audits, categories: judged, runtimeError } = result.lhr;
  // On a busy machine it sometimes loses the thread of its own recording.
  if (runtimeError && triesLeft > 1) return judge(url, { port, hidden }, triesLeft - 1);
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    scores: categories.map((name) => Math.round((judged[name]?.score ?? 0) * 100)),
    lcp: value("largest-contentful-paint"),
    cls: value("cumulative-layout-shift"),
    tbt: value("total-blocking-time"),
    failed: Object.values(judged).flatMap(({ auditRefs }) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => id),
    ),
  };
}

function figure(path: string, hidden: boolean, judged: Judged[]): Figure {
  const scores = categories.map((_, at) => median(judged.map((one) => one.scores[at] ?? 0)));
  const lcp = median(judged.map((one) => one.lcp));
  const cls = median(judged.map((one) => one.cls));
  const tbt = median(judged.map((one) => one.tbt));
  const failed = [...new Set(judged.flatMap((one) => one.failed))];
  return {
    what: `Lighthouse, mobile, ${path}${hidden ? " (without 'is crawlable')" : ""}, median of ${runs}`,
    measured: `${scores.join(" / ")}; LCP ${ms(lcp)}, CLS ${cls.toFixed(3)}, blocked ${ms(tbt)}${failed.length > 0 ? `; ${failed.join(", ")}` : ""}`,
    bar: `100 / 100 / 100 / 100, LCP ${barMs} ms, CLS 0`,
    met: scores.every((score) => score === 100) && lcp < barMs && cls === 0,
  };
}
