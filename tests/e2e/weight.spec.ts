import { blueDot } from "./support/player.ts";
import { publicPages } from "./support/public-pages.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";
import { weigh } from "./support/weigh.ts";

const kib = 1024;

/** Every page that React does not take over. */
const light = publicPages.filter(({ pattern }) => !pattern.startsWith("/auth"));

test.describe("what a visitor must download for", () => {
  test.use({ siteKind: "read" });
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
