import type { Page } from "@playwright/test";
import { openChromium } from "../../scripts/chromium.ts";
import { type Figure, kb } from "./figure.ts";
import { publicPages } from "./public-pages.ts";
import { startSite } from "./server.ts";
import { benchFolder } from "./world.ts";

const scriptBar = 6 * 1024;
const fontBar = 22_000;
const kinds = { document: "HTML", script: "scripts", stylesheet: "styles", font: "fonts" };

/** What comes over the wire for each public page, compressed as it is, in a browser that has nothing yet. */
export async function weighPages(): Promise<Figure[]> {
  const site = await startSite(benchFolder());
  const browser = await openChromium();
  const figures: Figure[] = [];
  for (const { path } of publicPages) {
    const context = await browser.newContext();
    const bytes = await weigh(await context.newPage(), site.url + path);
    await context.close();
    const parts = Object.entries(kinds).map(
      ([kind, name]) => `${name} ${kb(bytes.get(kind) ?? 0)}`,
    );
    figures.push({
      what: `bytes over the wire, ${path}`,
      measured: parts.join(", "),
      bar: `scripts ${kb(scriptBar)}, fonts ${kb(fontBar)}`,
      met: (bytes.get("script") ?? 0) <= scriptBar && (bytes.get("font") ?? 0) <= fontBar,
    });
  }
  await browser.close();
  await site.stop();
  return figures;
}

async function weigh(page: Page, url: string): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  const weighing: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    weighing.push(
      request.sizes().then(({ responseBodySize }) => {
        const kind = /\.js(\?|$)/.test(request.url()) ? "script" : request.resourceType();
        bytes.set(kind, (bytes.get(kind) ?? 0) + responseBodySize);
      }),
    );
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await Promise.all(weighing);
  return bytes;
}
