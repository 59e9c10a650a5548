import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { authMessages } from "~/features/auth/messages.ts";
import { playerMessages } from "~/features/player/messages.ts";
import { site } from "../../content/site.ts";
import { checkSite, readPage } from "../../scripts/build/content.ts";
import { temporaryFolder } from "../support/config.ts";

const front = `---
title: About
description: Who writes these courses, and why she does, in a sentence or two.
heading: About
---
`;

describe("content/site.ts", () => {
  test("is right as it is", () => {
    expect(() => checkSite(site)).not.toThrow();
  });

  const { "blue-dot-method": blueDot } = site.comingSoon;
  test.each([
    [
      {
        email: "nora at bluedot",
        social: { ...site.social, handle: "bluedot" },
        coachingApplicationUrl: "forms.example/apply",
        testimonials: site.testimonials.slice(1),
      },
      `content/site.ts: email must be an email address
content/site.ts: social.handle must be like @name
content/site.ts: testimonials must have two quotes
content/site.ts: coachingApplicationUrl must be an address like https://…`,
    ],
    [
      { comingSoon: { "blue-dot-method": blueDot, "seven-days": true } },
      /content\/site\.ts: comingSoon\.seven-days-of-calm .*\ncontent\/site\.ts: comingSoon Unrecognized key: "seven-days"/,
    ],
    [
      { coach: { ...site.coach, photo: "/photos/gone.jpg" } },
      "content/site.ts: there is no file public/photos/gone.jpg",
    ],
  ])("has a line for every mistake (%#)", (mistakes, message) => {
    expect(() => checkSite({ ...site, ...mistakes } as unknown as typeof site)).toThrow(message);
  });
});

describe("a file of content/pages", () => {
  test("becomes a text with sections, as safe HTML, with the names of content/site.ts", async () => {
    const page = await readPage(
      "about",
      `${front.replace("heading: About", "heading: I am {coach}")}
My brother <script>alert(1)</script>died. Write to {email}.

## What I'd *keep* of {brand} & why

The compass.
`,
    );
    expect(page).toEqual({
      title: "About",
      description: "Who writes these courses, and why she does, in a sentence or two.",
      heading: `I am ${site.coach.name}`,
      html: `<p>My brother alert(1)died. Write to <a href="mailto:${site.email}" rel="noopener noreferrer">${site.email}</a>.</p>`,
      sections: [
        {
          id: expect.stringMatching(/^what-id-keep-of-.*why$/),
          title: `What I’d keep of ${site.name} & why`,
          html: "<p>The compass.</p>",
        },
      ],
    });
  });

  test("has parts, where the page shows them apart: what stands under a ###", async () => {
    const { sections } = await readPage(
      "blue-dot-method",
      `${front}\n## Week by week\n\nSix.\n\n### Week 1: Where you are\n\nHere.\n\n### Week 2\n\n## The end\n`,
    );
    expect(sections).toEqual([
      {
        id: "week-by-week",
        title: "Week by week",
        html: "<p>Six.</p>",
        parts: [
          { id: "week-1-where-you-are", title: "Week 1: Where you are", html: "<p>Here.</p>" },
          { id: "week-2", title: "Week 2", html: "" },
        ],
      },
      { id: "the-end", title: "The end", html: "", parts: [] },
    ]);
  });

  test.each([
    ["about", "Text.", "does not begin with front matter"],
    [
      "about",
      front.replace("title: About", "titel: About"),
      "title Invalid input: expected string, received undefined",
    ],
    [
      "about",
      front.replace("Who writes", `${"Who ".repeat(40)}writes`),
      "description is longer than the 160 characters",
    ],
    [
      "about",
      front.replace("title: About", "title: About: Nora"),
      "Nested mappings are not allowed",
    ],
    ["about", `${front}\n## One\n\n## One\n`, "two headings are 'One'"],
    [
      "about",
      `${front}\nI am {couch}.\n`,
      "'{couch}' stands for nothing; there are {brand}, {coach}, {email}",
    ],
    ["abuot", front, "no page of the site"],
    [
      "coaching-faq",
      `${front}\n## One\n\n## Two\n\n## Three\n`,
      "has 3 sections ('## …'), and the page shows 4",
    ],
  ])("fails with its name and what is wrong (%#)", async (name, source, message) => {
    await expect(readPage(name, source)).rejects.toThrow(`content/pages/${name}.md: ${message}`);
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
  change("site.ts", site.email, "hello at bluedot");
  change("pages/terms.md", "{coach}", "{couch}");

  const building = spawn(process.execPath, [path.join(copy, "scripts", "build.ts")]);
  const [err, [code]] = await Promise.all([text(building.stderr), once(building, "close")]);
  expect(err.trim().split("\n")).toEqual([
    "content/site.ts: email must be an email address",
    expect.stringMatching(/^content\/pages\/terms\.md: '{couch}' stands for nothing/),
  ]);
  expect(code).toBe(1);
  expect(readFileSync(last, "utf8")).toBe("the last build");
});

describe("the coach's texts", () => {
  const folder = new URL("../../content/pages/", import.meta.url);
  const read = (file: string) => readFile(new URL(file, folder), "utf8");

  test("have the coach's name and address from content/site.ts alone", async () => {
    for (const file of await readdir(folder)) {
      const source = await read(file);
      expect(source, file).not.toContain(site.coach.firstName);
      expect(source, file).not.toMatch(/[\w.+-]+@[\w-]+(\.[\w-]+)+/);
    }
  });

  test("have no 'we' that stands behind the site, nor have its messages", () => {
    const said = JSON.stringify([authMessages, playerMessages]);
    expect(said.match(/\b(we|us|ours?)\b[^"]*/gi)).toBeNull();
  });

  test.each(["terms", "blue-dot-method", "seven-days-of-calm"])(
    "have the refund rule of spec 9 in %s",
    async (name) => {
      expect(await read(`${name}.md`)).toMatch(
        /14 days[\s\S]*25%[\s\S]*non-refundable|non-refundable after 14 days or after 25%/,
      );
    },
  );
});
