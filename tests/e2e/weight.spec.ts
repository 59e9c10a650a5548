import type { Page } from "@playwright/test";
import { blueDot } from "./support/player.ts";
import { publicPages } from "./support/public-pages.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

const kib = 1024;

/** Bytes that came over the wire for a page, compressed as they were, by kind. */
async function weigh(page: Page, path: string) {
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

/** Every page that React does not take over. */
const light = publicPages.filter(({ pattern }) => !pattern.startsWith("/auth"));

test.describe("what a visitor must download for", () => {
  test.use({ readsOnly: true });
  for (const { pattern, path, status } of light)
    test(pattern, async ({ device, watch }) => {
      if (status) watch.expect(new RegExp(`^answer ${status}: GET /`));
      const { script, font } = await weigh(await device(), path);
      expect(script).toBeLessThanOrEqual(6 * kib);
      expect(font).toBeGreaterThan(0);
      expect(font).toBeLessThanOrEqual(90_000);
    });
});

test("what a student must download for the player", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  const { script, font } = await weigh(page, blueDot);
  expect(script).toBeLessThanOrEqual(140 * kib);
  expect(font).toBeLessThanOrEqual(90_000);
});
