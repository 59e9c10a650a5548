import { expect, test } from "vitest";
import { isCanonical, isPersonal } from "./listener.ts";

test.each([
  ["/", true],
  ["/about", true],
  ["/courses/7-days-of-calm", true],
  ["/newsletter/feed.xml", true],
  ["/newsletter/feed.xml/", false],
  ["/.xml", false],
  ["/About", false],
  ["/about/", false],
  ["//", false],
  ["//about", false],
  ["/courses//x", false],
  ["/caf%C3%A9", false],
  ["/a_b", false],
  ["/courses.data", false],
  ["/a b", false],
  ["about", false],
  ["", false],
])("%j is written as our links write it: %s", (path, expected) => {
  expect(isCanonical(path)).toBe(expected);
});

test.each([
  [undefined, false],
  ["", false],
  ["tz=Europe%2FBerlin", false],
  ["blue-dot.session_token=x.y", true],
  ["__Host-blue-dot.session_token=x.y", true],
  ["__Host-tz=UTC; __Host-toast=%7B%7D", true],
  ["__Host-tz=Europe%2FBerlin", false],
  ["tz=UTC; blue-dot.session_token=", true],
  ["tz=UTC;toast=%7B%7D", true],
  ["toast =x", true],
  ["nottoast=x; x.toast=y", false],
  ["other-blue-dot.session_token=x", false],
  ["toasted=x; a=toast=b", false],
])("cookies %j make an answer personal: %s", (cookies, expected) => {
  expect(isPersonal(cookies)).toBe(expected);
});
