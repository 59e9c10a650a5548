import { expect, type Page } from "@playwright/test";

/** Bytes that come over the wire for what is loaded from now on, compressed as they are, by kind. */
export function startWeighing(page: Page) {
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
  return async () => {
    await Promise.all(weighing);
    expect(uncompressed).toEqual([]);
    expect(sizes.script, `scripts of ${page.url()}`).toBeGreaterThan(0);
    return { ...sizes };
  };
}

/** {@link startWeighing} for one page. */
export async function weigh(page: Page, path: string) {
  const weighed = startWeighing(page);
  await page.goto(path, { waitUntil: "networkidle" });
  return weighed();
}
