import { describe, expect, test } from "vitest";
import {
  isCountable,
  leadOn,
  longestPath,
  placesOf,
  readAddress,
  reservedPart,
  shownPath,
} from "./rules.ts";

const origin = "https://site.example";

describe("leadOn", () => {
  const found = [
    { fromPath: "/courses/old", target: "/courses/new" },
    { fromPath: "/courses/away", target: "/coaching" },
    { fromPath: "/old-page", target: "https://other.example/x" },
    { fromPath: "/courses/old/learn/workbook", target: "/help" },
  ];
  test.each([
    ["/courses/old", "/courses/new"],
    ["/courses/OLD/", "/courses/new"],
    ["/courses/old/learn", "/courses/new/learn"],
    ["/courses/old/learn/Worksheet", "/courses/new/learn/Worksheet"],
    ["/courses/old/learn/workbook", "/help"],
    ["/courses/away", "/coaching"],
    ["/courses/away/learn", null],
    ["/Old-Page/", "https://other.example/x"],
    ["/old-page/below", null],
    ["/courses/older", null],
    ["/", null],
  ])("%s: leads to %s", (path, to) => {
    const { exact, course } = placesOf(path);
    const there = found.filter(({ fromPath }) => [exact, course].includes(fromPath));
    expect(leadOn(path, there)).toBe(to);
  });
});

describe("readAddress", () => {
  test.each([
    ["/Old-Page/", { path: "/old-page" }],
    ["old-page", { path: "/old-page" }],
    [" /caf\u00e9 ", { path: "/caf%c3%a9" }],
    ["/a/../b", { path: "/b" }],
    ["/", { path: "/" }],
    [`${origin}/old.html`, { path: "/old.html" }],
    ["https://other.example/A?b=c#d", { url: "https://other.example/A?b=c#d" }],
    ["", { problem: "missing" }],
    ["  ", { problem: "missing" }],
    ["//other.example/x", { problem: "unreadable" }],
    ["/\\other.example/x", { problem: "unreadable" }],
    ["http://other.example/", { problem: "unreadable" }],
    ["https://ada:secret@other.example/", { problem: "unreadable" }],
    ["javascript:alert(1)", { problem: "unreadable" }],
    ["mailto:ada@site.example", { problem: "unreadable" }],
    ["/a//b", { problem: "unreadable" }],
    ["/%zz", { problem: "unreadable" }],
    ["/a%00b", { problem: "unreadable" }],
    ["/about.data", { problem: "unreadable" }],
    ["/old?page=2", { problem: "extra" }],
    ["/old#part", { problem: "extra" }],
    [`/${"a".repeat(longestPath)}`, { problem: "long" }],
    [`https://other.example/${"a".repeat(500)}`, { problem: "long" }],
  ])("%j", (typed, read) => expect(readAddress(typed, origin)).toEqual(read));
});

describe("isCountable", () => {
  test.each([
    "/old-page",
    "/old-page.html",
    "/blog/2019/05/12/my-brother-died",
    "/courses/none",
    "/courses/none/learn",
    "/leaflet.pdf",
    "/caf%c3%a9",
    "/login",
    "/it's-over",
  ])("%s: yes", (path) => expect(isCountable(path)).toBe(true));

  test.each([
    "/404",
    "/xmlrpc.php",
    "/wp-login.php",
    "/wp-content/uploads",
    "/.env",
    "/.git/config",
    "/cgi-bin/luci",
    "/vendor/phpunit",
    "/favicon-32.png",
    "/app.js",
    "/apple-touch-icon.png",
    "/sitemap_index.xml",
    "/admin/none",
    "/auth/none",
    "/account.data",
    "/courses/none/learn/media",
    "/ada@example.com",
    "/mailto:ada%40example.com",
    "/ada%2540example.com",
    "/newsletter/confirm%3ftoken=abc",
    "/invite/0197f6e2-1c7a-7d3e-9c1a-2b3c4d5e6f70",
    "/reset/eyjhbgcioijiuzi1niisinr5cci6ikpxvcj9",
    "/call/+1-202-555-0147",
    "/a//b",
    "/a%00b",
    "/%zz",
    "/%e2%80%aegnp",
    "/%3cscript%3ealert(1)",
    `/${"a-".repeat(longestPath)}`,
  ])("%s: no", (path) => expect(isCountable(path)).toBe(false));
});

test("reservedPart: what is the site's own", () => {
  expect(reservedPart("/admin/x")).toBe("/admin");
  expect(reservedPart("/admin.data")).toBe("/admin");
  expect(reservedPart("/administration")).toBeNull();
});

test("shownPath: as a person reads it, and nothing that turns the letters around", () => {
  expect(shownPath("/caf%c3%a9")).toBe("/caf\u00e9");
  expect(shownPath("/%e2%80%aegnp")).toBe("/%e2%80%aegnp");
  expect(shownPath("/a%20b")).toBe("/a%20b");
  expect(shownPath("/%zz")).toBe("/%zz");
  expect(shownPath("/a%25b")).toBe("/a%25b");
});
