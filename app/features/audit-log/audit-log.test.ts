import { describe, expect, test } from "vitest";
import { detailsInWords, readAuditFilter } from "./audit-log.server.ts";

describe("what an address asks of the list", () => {
  test.each([
    ["", { kind: null, by: null }],
    ["?kind=course&by=somebody", { kind: "course", by: "somebody" }],
    ["?kind=weather", { kind: null, by: null }],
    ["?kind=constructor", { kind: null, by: null }],
    ["?by=", { kind: null, by: null }],
    ["?by=a%00b", { kind: null, by: "ab" }],
  ])("%s", (query, filter) => {
    expect(readAuditFilter(new URL(`http://localhost/admin/audit${query}`))).toEqual(filter);
  });
});

test.each([
  [{}, null],
  [{ media: "video" }, "video"],
  [{ count: 1200 }, "1,200 at once"],
  [{ cents: 19700 }, "$197.00"],
  [{ money: "€197.00" }, "€197.00"],
])("details %j in words", (details, words) => {
  expect(detailsInWords(details)).toBe(words);
});
