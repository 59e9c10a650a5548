import { expect, test } from "vitest";
import { growth, inProportion } from "../../../tests/support/growth.ts";
import { readCookie, withoutHostPrefix, withPlainCookies } from "./cookies.ts";

const headersOf = (cookie: string) => new Headers({ cookie });

test.each([
  ["pairs", "a=b; "],
  ["pairs with a name each", ""],
  ["separators", ";"],
  ["blanks", " ;"],
  ["equals signs", "="],
  ["quotation marks", 'a="b"; '],
  ["signs that encode nothing", "a=%; "],
  ["encoded signs", "a=%41%41; "],
  ["our prefix", "__Host-a=b; "],
])("the time for %s in a Cookie header grows with their number", (_, piece) => {
  const prepare = (size: number) =>
    piece
      ? piece.repeat(size / piece.length)
      : Array.from({ length: size / 8 }, (_, n) => `n${n}=v`).join("; ");
  const work = (cookie: string) => {
    withoutHostPrefix(cookie);
    readCookie(headersOf(cookie), "z");
    withPlainCookies(headersOf(cookie));
  };
  expect(growth(prepare, work, 2_000)).toBeLessThan(inProportion);
});
