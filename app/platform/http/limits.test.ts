import { expect, test } from "vitest";
import { pace } from "./limits.ts";

const second = 1000;

test("a burst goes through, then as much as comes back", () => {
  const own = pace({ burst: 3, perSecond: 2 });
  expect([0, 0, 0].map(() => own.wait("a", 1, 0))).toEqual([0, 0, 0]);
  expect(own.wait("a", 1, 0)).toBe(1);
  expect(own.wait("a", 3, 0)).toBe(2);
  expect(own.wait("a", 1, second / 2)).toBe(0);
  expect(own.wait("a", 1, second / 2)).toBe(1);
  expect(own.wait("a", 3, 2 * second)).toBe(0);
});

test("one user's requests do not slow another's", () => {
  const own = pace({ burst: 1, perSecond: 1 });
  expect(own.wait("a", 1, 0)).toBe(0);
  expect(own.wait("a", 1, 0)).toBe(1);
  expect(own.wait("b", 1, 0)).toBe(0);
});

test("what costs more than a burst takes the whole of it, and is possible", () => {
  const own = pace({ burst: 2, perSecond: 1 });
  expect(own.wait("a", 50, 0)).toBe(0);
  expect(own.wait("a", 50, second)).toBe(1);
  expect(own.wait("a", 50, 2 * second)).toBe(0);
});
