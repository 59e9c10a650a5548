import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import {
  deleteOldRateLimits,
  limitsOfPlace,
  networkOf,
  uncount,
  withinLimit,
  withinPlace,
} from "./rate-limit.ts";

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

  test("counts each name and each purpose by itself, and stores no name", async () => {
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
    await deleteOldRateLimits.run(test$.services);
    expect(await rows()).toHaveLength(1);
  });
});

describe("a limit of one place", () => {
  const limit = { what: "place", max: 3, windowSeconds: 60 };
  const ask = (address: string) => withinPlace(test$.services, limit, address);
  const askOften = async (count: number, addressOf: (n: number) => string) => {
    const answers: boolean[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await ask(addressOf(n)));
    return answers.filter(Boolean).length;
  };

  test("counts an IPv6 network of 64 bits, and four times as many in the 56 bits around it", async () => {
    expect(await askOften(5, (n) => `2001:db8:0:100::${n}`)).toBe(3);
    // 256 networks that one household may have: 9 are left of 12.
    expect(await askOften(40, (n) => `2001:db8:0:1${(n + 16).toString(16)}::1`)).toBe(9);
    expect(await ask("2001:db8:0:200::1")).toBe(true);
  });

  test("one network that asks on and on takes no more than its part from its neighbours", async () => {
    await askOften(50, () => "2001:db8:1:100::1");
    expect(await askOften(3, () => "2001:db8:1:101::1")).toBe(3);
  });

  test("counts an IPv4 address by itself, however it is written", async () => {
    expect(await askOften(5, (n) => (n % 2 ? "203.0.113.9" : "::ffff:203.0.113.9"))).toBe(3);
    expect(await ask("203.0.113.10")).toBe(true);
  });

  test("is counted by account where it says so, and given back in both networks", async () => {
    const counts = limitsOfPlace(limit, "2001:db8:2:100::1", "ada");
    for (const count of counts) await withinLimit(test$.services, count);
    expect(await askOften(3, () => "2001:db8:2:100::1")).toBe(3);
    for (const count of counts) await uncount(test$.services, count);
    const counted = await rows();
    expect(counted.filter(({ count }) => count === 0)).toHaveLength(counts.length);
    expect(counts).toHaveLength(2);
  });
});

describe("networkOf", () => {
  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:0::/56"],
    ["2001:db8:1:ff02::1", "2001:db8:1:ff00::/56"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
  ])("the 56 bits around %s are %s", (address, network) =>
    expect(networkOf(address, 56)).toBe(network),
  );

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
