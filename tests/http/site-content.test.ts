import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { authMessages } from "~/features/auth/messages.ts";
import { contentFileName, writeContentFile } from "~/features/pages/content-files.server.ts";
import { withNames } from "~/features/pages/names.server.ts";
import { playerMessages } from "~/features/player/messages.ts";
import { type PageKind, pageFields } from "~content/fields.ts";
import { readPage } from "../../scripts/build/content.ts";
import { temporaryFolder } from "../support/config.ts";
import { site } from "../support/first-edition.ts";

const folder = new URL("../../content/pages/", import.meta.url);
const read = (file: string) => readFile(new URL(file, folder), "utf8");
const about = await read("about.md");

describe("a file of content/pages", () => {
  test("becomes words as they are written and as they are shown, which is safe HTML", async () => {
    const [front = ""] = about.split(/\n---\n/);
    const file = `${front.replace(/heading: .*/, 'heading: I am "{coach}"')}
---

My brother <script>alert(1)</script>died. Write to {email}.

## What I'd *keep* & why

### The compass.
`;
    const { source, shown } = await readPage("about", file);
    expect(source).toMatchObject({ heading: 'I am "{coach}"' });
    expect(shown).toMatchObject({
      heading: "I am “{coach}”",
      text: "<p>My brother alert(1)died. Write to {email}.</p>",
      sections: [{ title: "What I’d *keep* & why", text: "<p><strong>The compass.</strong></p>" }],
    });
    const named = withNames("about", shown, { ...site, coachName: "<b>Nora" });
    expect(named).toMatchObject({
      heading: "I am “<b>Nora”",
      text: `<p>My brother alert(1)died. Write to <a href="mailto:${site.email}" rel="noopener noreferrer">${site.email}</a>.</p>`,
    });
  });

  test.each(Object.keys(pageFields))(
    "is the same after it was read and written: %s",
    async (kind) => {
      const name = kind === "course" ? "blue-dot-method" : kind;
      const file = contentFileName(kind as PageKind, name);
      const { source } = await readPage(name, await read(file));
      const written = writeContentFile(kind as PageKind, source);
      expect((await readPage(name, written)).source).toEqual(source);
    },
  );

  const change = (from: string | RegExp, to: string) => about.replace(from, to);
  test.each([
    ["about", "Text.", "does not begin with front matter"],
    ["about", change("title: About", "titel: About"), "title: Please write something here."],
    ["about", change("title: About", "titel: About"), 'Unrecognized key: "titel"'],
    [
      "about",
      change(/description: .*/, `description: ${"Who ".repeat(45)}`),
      "description: This is 19 characters too long for its place.",
    ],
    ["about", change("title: About", "title: About: Nora"), "Nested mappings are not allowed"],
    [
      "about",
      change("## What I couldn't find", "I am {couch}.\n\n## What I couldn't find"),
      "text: {couch} stands for nothing. There are {coach}, {brand} and {email}.",
    ],
    [
      "about",
      change("  - title: No timelines", "  - title: One\n    text: Two\n  - title: No timelines"),
      "beliefs: There is room for 4 here: please remove a belief.",
    ],
    ["abuot", about, "no page of the site"],
  ])("fails with its name and what is wrong (%#)", async (name, source, message) => {
    await expect(readPage(name, source)).rejects.toThrow(message);
    await expect(readPage(name, source)).rejects.toThrow(`content/pages/${name}.md: `);
  });

  test("must name pictures that are there", async () => {
    const home = (await read("home.md")).replace(/picture: .*/, "picture: /featured/gone.svg");
    await expect(readPage("home", home)).rejects.toThrow(
      "content/pages/home.md: there is no file public/featured/gone.svg",
    );
  });
});

test("a mistake: stops the build in a line each, and the last build stays", {
  timeout: 60_000,
}, async () => {
  const copy = temporaryFolder();
  for (const name of ["app", "content", "public", "scripts", "package.json"])
    cpSync(name, path.join(copy, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  mkdirSync(path.join(copy, "build", "server"), { recursive: true });
  const last = path.join(copy, "build", "server", "index.js");
  writeFileSync(last, "the last build");
  const change = (name: string, from: string, to: string) => {
    const file = path.join(copy, "content", name);
    const before = readFileSync(file, "utf8");
    expect(before).toContain(from);
    writeFileSync(file, before.replace(from, to));
  };
  change("pages/site.yaml", site.email, "hello at bluedot");
  change("pages/terms.md", "{coach}", "{couch}");

  const building = spawn(process.execPath, [path.join(copy, "scripts", "build.ts")]);
  const [err, [code]] = await Promise.all([text(building.stderr), once(building, "close")]);
  expect(err.trim().split("\n")).toEqual([
    "content/pages/site.yaml: email: This is not an email address like you@example.com.",
    expect.stringMatching(/^content\/pages\/terms\.md: .*{couch} stands for nothing/),
  ]);
  expect(code).toBe(1);
  expect(readFileSync(last, "utf8")).toBe("the last build");
});

describe("the coach's texts", () => {
  test("have the coach's name and address from site.yaml alone", async () => {
    for (const file of await readdir(folder)) {
      if (file === "site.yaml") continue;
      // What others have said is in their own words.
      const source = (await read(file)).replaceAll(/^ +- quote: .*$/gm, "");
      expect(source, file).not.toContain(site.coachFirstName);
      expect(source, file).not.toMatch(/[\w.+-]+@[\w-]+(\.[\w-]+)+/);
    }
  });

  test("have no 'we' that stands behind the site, nor have its messages", () => {
    const said = JSON.stringify([authMessages, playerMessages]);
    expect(said.match(/\b(we|us|ours?)\b[^"]*/gi)).toBeNull();
  });

  test.each(["terms.md", "blue-dot-method.yaml", "seven-days-of-calm.yaml"])(
    "have the refund rule of spec 9 in %s",
    async (name) => {
      expect(await read(name)).toMatch(
        /14 days[\s\S]*25%[\s\S]*non-refundable|non-refundable after 14 days or after 25%/,
      );
    },
  );
});
