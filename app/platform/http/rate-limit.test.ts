import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { forgetCounts } from "./forget-counts.ts";
import { networkOf, withinLimit } from "./rate-limit.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());

const ask = (whose: string, { max = 3, windowSeconds = 60, what = "test" } = {}) =>
  withinLimit(test$.services, { what, whose, max, windowSeconds });
const rows = () => test$.services.db.read.selectFrom("rateLimits").selectAll().execute();

describe("a limit", () => {
  test("lets so many through in its window, and as many in the next", async () => {
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await ask("ada"));
    expect(answers).toEqual([true, true, true, false, false]);
    test$.clock.forward(61_000);
    expect(await ask("ada")).toBe(true);
  });

  test("is exact for many at once", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask("many", { max: 7 })));
    expect(answers.filter(Boolean)).toHaveLength(7);
  });

  test("counts each name and each purpose by itself, and keeps no name", async () => {
    expect(await ask("grace", { max: 1 })).toBe(true);
    expect(await ask("alan", { max: 1 })).toBe(true);
    expect(await ask("grace", { max: 1, what: "other" })).toBe(true);
    expect(await ask("grace", { max: 1 })).toBe(false);
    expect(JSON.stringify(await rows())).not.toMatch(/grace|alan/);
  });

  test("counts nothing any more once it is reached", async () => {
    const counts = async () => (await rows()).map(({ key, count }) => [key, count]);
    for (let n = 0; n < 3; n += 1) await ask("flood", { max: 2 });
    const before = await counts();
    for (let n = 0; n < 5; n += 1) expect(await ask("flood", { max: 2 })).toBe(false);
    expect(await counts()).toEqual(before);
    test$.clock.forward(60_000);
    expect(await ask("flood", { max: 2 })).toBe(true);
  });

  test("does not outlast a clock that was wrong and is put right", async () => {
    test$.clock.forwardDays(400);
    expect([await ask("time", { max: 1 }), await ask("time", { max: 1 })]).toEqual([true, false]);
    test$.clock.forwardDays(-400);
    expect([await ask("time", { max: 1 }), await ask("time", { max: 1 })]).toEqual([true, false]);
  });

  test("leaves nothing behind for longer than a day", async () => {
    await ask("yesterday");
    test$.clock.forwardDays(1.1);
    await ask("today");
    await forgetCounts.run(test$.services);
    expect(await rows()).toHaveLength(1);
  });
});

describe("networkOf", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["unknown", "unknown"],
    ["", ""],
    ["not:an:address", "not:an:address"],
  ])("%s is %s", (address, network) => expect(networkOf(address)).toBe(network));
});
