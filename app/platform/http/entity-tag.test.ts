import { expect, test } from "vitest";
import { matchesTag } from "./entity-tag.ts";

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['"x",W/"abc" , "y"', true],
  ["*", true],
  [" * ", true],
  ['"ab"', false],
  ['"abcd"', false],
  ["abc", false],
  ['W/"x", "y"', false],
  ['"x, "abc"', false],
  ['"*"', false],
  ["", false],
])("If-None-Match: %s names the tag: %s", (header, matches) => {
  expect(matchesTag(header, '"abc"')).toBe(matches);
});
