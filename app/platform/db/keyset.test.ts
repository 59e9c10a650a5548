import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { countUpTo, keysetPage } from "./keyset.ts";

let world: Awaited<ReturnType<typeof openTestServices>>;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const ids = Array.from({ length: 23 }, (_, n) => `row-${String(n).padStart(2, "0")}`);

beforeAll(async () => {
  world = await openTestServices();
  // Every five rows share their time: ties are what a place in a list is lost by.
  await world.services.db.write
    .insertInto("products")
    .values(
      ids.map((id, n) => ({
        id,
        slug: id,
        title: id,
        priceCents: n,
        active: true,
        createdAt: day(1 + Math.floor(n / 5)),
        updatedAt: day(1),
      })),
    )
    .execute();
});
afterAll(() => world.close());

const order = (direction: "asc" | "desc") =>
  ({ column: "products.createdAt", id: "products.id", direction }) as const;
const page = (cursor: string | null, direction: "asc" | "desc" = "asc", limit = 4) =>
  keysetPage(
    world.services.db.read
      .selectFrom("products")
      .select(["products.id", "products.createdAt as sortValue"]),
    order(direction),
    { cursor, limit },
  );
const named = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

test("a page knows its number by the way that led to it", async () => {
  const numbers: (number | null)[] = [];
  let at = await page(null);
  for (; at.next; at = await page(at.next)) numbers.push(at.page);
  for (; at.previous; at = await page(at.previous)) numbers.push(at.page);
  expect([...numbers, at.page]).toEqual([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
  const place = ["after", day(2).toISOString(), "row-05"];
  for (const made of [place, [...place, "a"], [...place, -1], [...place, 1e99]]) {
    const cursor = Buffer.from(JSON.stringify(made)).toString("base64url");
    expect((await page(cursor)).page).toBeNull();
  }
});

test("countUpTo: counts, and stops one beyond a thousand", async () => {
  const { db } = world.services;
  const products = db.read.selectFrom("products").select("products.id");
  expect(await countUpTo(db.read, products)).toBe(23);
  expect(await countUpTo(db.read, products.where("priceCents", "<", 4))).toBe(4);
  const cubed = products.innerJoin("products as a", (on) => on.onTrue());
  const many = cubed.innerJoin("products as b", (on) => on.onTrue());
  expect(await countUpTo(db.read, many)).toBe(1001);
});

describe.each(["asc", "desc"] as const)("%s", (direction) => {
  const expected = direction === "asc" ? ids : ids.toReversed();

  test.each([1, 4, 5, 22, 23, 24])("%i at a time: all rows once, there and back", async (limit) => {
    const there: string[][] = [];
    let at = await page(null, direction, limit);
    expect(at.previous).toBeNull();
    for (;;) {
      there.push(named(at));
      if (!at.next) break;
      at = await page(at.next, direction, limit);
    }
    expect(there.flat()).toEqual(expected);
    const back = [there.at(-1) ?? []];
    while (at.previous) {
      at = await page(at.previous, direction, limit);
      back.unshift(named(at));
    }
    expect(back.flat()).toEqual(expected);
    expect(at.next === null).toBe(limit >= ids.length);
  });
});

test("of the same value the older comes first, whatever its id, there and back", async () => {
  // Three to each price, their times against their ids, two of them alike.
  const rows = ids.map((id, n) => ({ id, price: n % 8, at: day(20 - Math.floor(n / 4)) }));
  const { db } = world.services;
  for (const { id, price, at } of rows)
    await db.write
      .updateTable("products")
      .set({ priceCents: price, updatedAt: at })
      .where("id", "=", id)
      .execute();
  const expected = rows
    .toSorted((a, b) => a.price - b.price || +a.at - +b.at || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  const by = (cursor: string | null, direction: "asc" | "desc") =>
    keysetPage(
      db.read
        .selectFrom("products")
        .select(["products.id", "products.priceCents as sortValue"])
        .select("products.updatedAt as timeValue"),
      {
        column: "products.priceCents",
        time: "products.updatedAt",
        id: "products.id",
        direction,
        kind: "number",
      },
      { cursor, limit: 2 },
    );
  for (const direction of ["asc", "desc"] as const) {
    const whole = direction === "asc" ? expected : expected.toReversed();
    let at = await by(null, direction);
    const there = named(at);
    while (at.next) {
      at = await by(at.next, direction);
      there.push(...named(at));
    }
    expect(there).toEqual(whole);
    const back = named(at);
    while (at.previous) {
      at = await by(at.previous, direction);
      back.unshift(...named(at));
    }
    expect(back).toEqual(whole);
  }
  for (const time of [undefined, null, 7, "soon", "2026-02-31T00:00:00.000Z", ["x"]]) {
    const damaged = written(["after", 3, "row-01", time].filter((part) => part !== undefined));
    expect(named(await by(damaged, "asc"))).toEqual(expected.slice(0, 2));
  }
});

test("rows that go or come meanwhile move no other row", async () => {
  const { db } = world.services;
  const first = await page(null);
  await db.write.deleteFrom("products").where("id", "=", "row-03").execute();
  await db.write
    .insertInto("products")
    .values({
      id: "row-00-a",
      slug: "row-00-a",
      title: "New",
      priceCents: 1,
      active: true,
      createdAt: day(1),
      updatedAt: day(1),
    })
    .execute();
  expect(named(await page(first.next))).toEqual(ids.slice(4, 8));
});

const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
test.each([
  "",
  "none",
  "%",
  written(null),
  written([]),
  written(["after"]),
  written(["between", "2026-01-01T00:00:00.000Z", "row-01"]),
  written(["after", { toString: "x" }, "row-01"]),
  written(["after", ["x"], "row-01"]),
  written(["after", null, "row-01"]),
  written(["after", "2026-01-01T00:00:00.000Z", 7]),
  written(["after", "a\0b", "row-01"]),
  written(["after", "2026-01-01T00:00:00.000Z", "\0"]),
  written(["after", "no time at all", "row-01"]),
  written(["after", "2026-02-31T00:00:00.000Z", "row-01"]),
  written(["after", "0000-01-01T00:00:00.000Z", "row-01"]),
  written(["after", 7, "row-01"]),
  written(["after", "2026-01-02T00:00:00.000Z", "row-01", "2026-01-02T00:00:00.000Z"]),
  "ÿ".repeat(5000),
])("a damaged place is the beginning of the list or an empty rest: %j", async (cursor) => {
  const { rows } = await page(cursor);
  expect(rows.length).toBeLessThanOrEqual(4);
});

test.each(["7", 1.5, 2 ** 31, 2 ** 60])(
  "a place by a number that is none (%j) is the beginning",
  async (value) => {
    const { rows } = await keysetPage(
      world.services.db.read
        .selectFrom("products")
        .select(["products.id", "products.priceCents as sortValue"]),
      { column: "products.priceCents", id: "products.id", direction: "asc", kind: "number" },
      { cursor: written(["after", value, "row-01"]), limit: 1 },
    );
    expect(rows[0]?.id).toBe("row-00");
  },
);
