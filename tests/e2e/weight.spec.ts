import { blueDot } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";
import { weigh } from "./support/weigh.ts";

test.use({ siteKind: "shared" });

test("what a student must download for the player", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  const { script, font } = await weigh(page, blueDot);
  expect(script).toBeLessThanOrEqual(140 * 1024);
  expect(font).toBeLessThanOrEqual(90_000);
});
