import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { compiledOnce } from "./compiled.ts";

let world: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  world = await openTestServices();
});
afterAll(() => world.close());

test("compiledOnce: one SQL text, with the parameters, dates and constants of each call", async () => {
  const { read, write } = world.services.db;
  const product = { priceCents: 100, active: true, updatedAt: new Date() };
  const made = { early: new Date("2026-01-01T00:00:00Z"), late: new Date("2026-06-01T00:00:00Z") };
  for (const [slug, createdAt] of Object.entries(made))
    await write
      .insertInto("products")
      .values({ id: slug, slug, title: slug, createdAt, ...product })
      .execute();
  let builds = 0;
  const madeSince = compiledOnce((db, { since, not }: { since: Date; not: string }) => {
    builds++;
    return db
      .selectFrom("products")
      .select(["slug", "createdAt"])
      .where("createdAt", ">=", since)
      .where("slug", "!=", not)
      .where("priceCents", "=", 100)
      .orderBy("createdAt");
  });
  const { early, late } = made;
  expect(await madeSince(read, { since: early, not: "" })).toEqual([
    { slug: "early", createdAt: early },
    { slug: "late", createdAt: late },
  ]);
  expect(await madeSince(read, { since: early, not: "early" })).toHaveLength(1);
  expect(await madeSince(read, { since: late, not: "late" })).toEqual([]);
  expect(builds).toBe(1);
});
