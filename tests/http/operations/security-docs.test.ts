import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "~/platform/utils/version.ts";

const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");
const answers = ["met", "not met", "does not apply", "not verified", "in the making"];

/** Requirements of OWASP ASVS 5.0.0 at levels 1 and 2, by their numbers alone. */
const required = read("tests/support/asvs-5.0.0-ids.txt")
  .split(/\s+/)
  .filter(Boolean)
  .map((entry) => entry.split(":")[0] ?? "");

type Row = { ids: string[]; answer: string; how: string; tests: string };
const document = read("docs/security.md");
const rows = [...document.matchAll(/^\| (V\d[^|]*?) \| ([^|]*?) \| ([^|]*?) \|([^|]*)\|$/gm)].map(
  ([, ids = "", answer = "", how = "", tests = ""]): Row => ({
    ids: ids.split(", "),
    answer,
    how,
    tests,
  }),
);
const idsOf = (...wanted: string[]) =>
  rows.flatMap(({ ids, answer }) => (wanted.includes(answer) ? ids : []));

describe("docs/security.md", () => {
  test("answers each requirement of levels 1 and 2 once", () => {
    expect(required).toHaveLength(253);
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(required.toSorted());
  });

  test("answers in one of a few ways, and says how", () => {
    expect(rows.filter(({ answer }) => !answers.includes(answer))).toEqual([]);
    expect(rows.filter(({ how }) => how.trim() === "")).toEqual([]);
  });

  test("names tests where it speaks of tests", () => {
    const named = rows.flatMap(({ tests }) => [...tests.matchAll(/`([^`]+)`/g)]);
    expect(named.length).toBeGreaterThan(100);
    expect(
      named.map(([, file]) => file).filter((file) => !/\.(test|spec)\.ts$/.test(file ?? "")),
    ).toEqual([]);
  });

  test("says of each that is not met why", () => {
    const [, list = ""] = /## What is not met, and why\n([\s\S]*?)\n## /.exec(document) ?? [];
    const explained = [...list.matchAll(/\*\*(V[\d.]+)\*\*/g)].map(([, id]) => id);
    expect(explained.toSorted()).toEqual(idsOf("not met", "not verified").toSorted());
  });
});

describe.each(["SECURITY.md", "docs/security.md"])("%s", (name) => {
  const text = read(name);

  test("names files that are there", () => {
    const named = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.+:-]+)+\/?|[\w-]+\.json)`/g)];
    const missing = named.filter(([, file = ""]) => !existsSync(path.join(projectRoot, file)));
    expect(missing.map(([, file]) => file)).toEqual([]);
  });

  test("leads to pages and headings that are there", () => {
    for (const [, target = "", heading] of text.matchAll(/\]\((?!http)([^)#]*)(?:#([^)]+))?\)/g)) {
      const file = target ? path.join(path.dirname(name), target) : name;
      expect(existsSync(path.join(projectRoot, file)), file).toBe(true);
      if (heading) expect(headingsOf(read(file)), file).toContain(heading);
    }
  });
});

/** Names of headings as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
