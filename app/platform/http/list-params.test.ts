import { expect, test } from "vitest";
import { readListParams } from "./list-params.ts";

const sorts = { created: "desc", title: "asc" } as const;
const read = (query: string) => readListParams(new URL(`http://x/list${query}`), sorts);
const plain = { search: "", courseId: null, sort: "created", direction: "desc", cursor: null };

test.each([
  ["", {}],
  ["?q=ann", { search: "ann" }],
  ["?q=%20ann%20%20lee%20", { search: "ann  lee" }],
  [`?q=${"a".repeat(300)}`, { search: "a".repeat(100) }],
  ["?q=a%00b", { search: "ab" }],
  ["?course=c1", { courseId: "c1" }],
  ["?course=", {}],
  ["?at=abc", { cursor: "abc" }],
  ["?sort=title", { sort: "title", direction: "asc" }],
  ["?sort=-title", { sort: "title", direction: "desc" }],
  ["?sort=created", { sort: "created", direction: "asc" }],
  ["?sort=-created", {}],
  ["?sort=--title", {}],
  ["?sort=price", {}],
  ["?sort=-price", {}],
  ["?sort=constructor", {}],
  ["?sort=__proto__", {}],
  ["?sort=title&sort=created", { sort: "title", direction: "asc" }],
  ["?q=a&q=b&unknown=1", { search: "a" }],
])("%s", (query, difference) => {
  expect(read(query)).toEqual({ ...plain, ...difference });
});
