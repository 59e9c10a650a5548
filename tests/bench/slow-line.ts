import type { Browser } from "@playwright/test";
import { openChromium } from "../../scripts/chromium.ts";
import { type Figure, ms, noBar } from "./figure.ts";
import { median } from "./measure.ts";
import { publicPages } from "./public-pages.ts";
import { startSite } from "./server.ts";
import { benchFolder } from "./world.ts";

const runs = 3;
/** The line and the phone that Lighthouse simulates, here really slowed by the browser. */
const line = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const slowerCpu = 4;

/** When the largest words stand on each public page, in a browser that has nothing yet. */
export async function slowLine(): Promise<Figure[]> {
  const site = await startSite(benchFolder());
  const browser = await openChromium();
  const figures: Figure[] = [];
  for (const { path } of publicPages) {
    const times: number[] = [];
    for (let run = 0; run <= runs; run++) times.push(await largestPaint(browser, site.url + path));
    const lcp = median(times.slice(1));
    figures.push(
      noBar(
        `LCP on a line of 150 ms and 1.6 Mbit/s, really slowed, ${path}, median of ${runs}`,
        ms(lcp),
      ),
    );
  }
  await browser.close();
  await site.stop();
  return figures;
}

async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, ...line });
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowerCpu });
  await page.goto(url, { waitUntil: "networkidle" });
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
        ).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return time;
}
