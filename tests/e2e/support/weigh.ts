import { expect, type Page } from "@playwright/test";

/** Bytes that came over the wire for a page, compressed as they were, by kind. */
export async function weigh(page: Page, path: string) {
  const sizes = { script: 0, font: 0 };
  const uncompressed: string[] = [];
  const weighing: Promise<void>[] = [];
  page.on("requestfinished", (request) => {
    const kind = request.resourceType();
    // Modules that are preloaded come under other names.
    const isScript = kind === "script" || /\.js(\?|$)/.test(request.url());
    if (!isScript && kind !== "font") return;
    weighing.push(
      (async () => {
        const { responseBodySize } = await request.sizes();
        sizes[isScript ? "script" : "font"] += responseBodySize;
        const encoding = (await request.response())?.headers()["content-encoding"];
        if (isScript && encoding !== "br") uncompressed.push(request.url());
      })(),
    );
  });
  await page.goto(path, { waitUntil: "networkidle" });
  await Promise.all(weighing);
  expect(uncompressed).toEqual([]);
  expect(sizes.script, `scripts of ${path}`).toBeGreaterThan(0);
  return sizes;
}
