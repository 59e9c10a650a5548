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
import { startSite } from "../support/site.ts";

const front = `---
title: About
description: Who writes these courses, and why she does, in a sentence or two.
heading: About
---
`;

describe("content/site.ts is checked at build", () => {
  test("as it is, it is right", () => {
    expect(() => checkSite(site)).not.toThrow();
  });

  test("every mistake has a line that says where and what", () => {
    const wrong = {
      ...site,
      email: "nora at bluedot",
      social: { ...site.social, handle: "bluedot" },
      coachingApplicationUrl: "forms.example/apply",
      testimonials: site.testimonials.slice(1),
    };
    expect(() => checkSite(wrong)).toThrow(
      [
        "content/site.ts: email must be an e-mail address",
        "content/site.ts: social.handle must be like @name",
        "content/site.ts: testimonials must have two quotes",
        "content/site.ts: coachingApplicationUrl must be an address like https://…",
      ].join("\n"),
    );
  });

  test("the switch knows the two courses that have pages of their own", () => {
    const { "blue-dot-method": blueDot } = site.comingSoon;
    const wrong = { ...site, comingSoon: { "blue-dot-method": blueDot, "seven-days": true } };
    expect(() => checkSite(wrong as unknown as typeof site)).toThrow(
      /content\/site\.ts: comingSoon\.seven-days-of-calm .*\ncontent\/site\.ts: comingSoon Unrecognized key: "seven-days"/,
    );
  });

  test("a picture that is not there is named", () => {
    const coach = { ...site.coach, photo: "/photos/gone.jpg" };
    expect(() => checkSite({ ...site, coach })).toThrow(
      "content/site.ts: there is no file public/photos/gone.jpg",
    );
  });
});

test("a mistake stops the build in a line each, and the last build stays", {
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
  change("site.ts", site.social.handle, "bluedot");
  change("pages/terms.md", "{coach}", "{couch}");

  const building = spawn(process.execPath, [path.join(copy, "scripts", "build.ts")]);
  const [err, [code]] = await Promise.all([text(building.stderr), once(building, "close")]);
  expect(err.trim().split("\n")).toEqual([
    "content/site.ts: email must be an e-mail address",
    "content/site.ts: social.handle must be like @name",
    expect.stringMatching(/^content\/pages\/terms\.md: '{couch}' stands for nothing/),
  ]);
  expect(code).toBe(1);
  expect(readFileSync(last, "utf8")).toBe("the last build");
});

describe("a file of content/pages is checked at build", () => {
  test("it becomes a text with sections, as safe HTML", async () => {
    const page = await readPage(
      "about",
      `${front}\nMy brother <script>alert(1)</script>died.\n\n## What I'd *keep* & why\n\nThe compass.\n`,
    );
    expect(page).toEqual({
      title: "About",
      description: "Who writes these courses, and why she does, in a sentence or two.",
      heading: "About",
      html: "<p>My brother alert(1)died.</p>",
      sections: [
        { id: "what-id-keep-why", title: "What I’d keep & why", html: "<p>The compass.</p>" },
      ],
    });
  });

  test("where the page shows them apart, what stands under a ### is a part", async () => {
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

  test("names in braces are those of content/site.ts, in the front matter too", async () => {
    const page = await readPage(
      "about",
      `${front.replace("heading: About", "heading: I am {coach}")}\n## Of {brand}\n\nWrite to {email}.\n`,
    );
    expect(page.heading).toBe(`I am ${site.coach.name}`);
    expect(page.sections).toEqual([
      expect.objectContaining({
        title: `Of ${site.name}`,
        html: `<p>Write to <a href="mailto:${site.email}" rel="noopener noreferrer">${site.email}</a>.</p>`,
      }),
    ]);
  });

  test.each([
    [
      "no front matter",
      "about",
      "Text.",
      "content/pages/about.md: does not begin with front matter",
    ],
    [
      "no title",
      "about",
      front.replace("title: About", "titel: About"),
      "content/pages/about.md: title Invalid input: expected string, received undefined",
    ],
    [
      "a description that search engines would cut",
      "about",
      front.replace("Who writes", `${"Who ".repeat(40)}writes`),
      "content/pages/about.md: description is longer than the 160 characters",
    ],
    [
      "a colon that YAML takes for another entry",
      "about",
      front.replace("title: About", "title: About: Nora"),
      "content/pages/about.md: Nested mappings are not allowed",
    ],
    [
      "the same heading twice",
      "about",
      `${front}\n## One\n\n## One\n`,
      "content/pages/about.md: two headings are 'One'",
    ],
    [
      "a name that is none",
      "about",
      `${front}\nI am {couch}.\n`,
      "content/pages/about.md: '{couch}' stands for nothing; there are {brand}, {coach}, {email}",
    ],
    ["a name that no page shows", "abuot", front, "content/pages/abuot.md: no page of the site"],
    [
      "three questions",
      "coaching-faq",
      `${front}\n## One\n\n## Two\n\n## Three\n`,
      "content/pages/coaching-faq.md: has 3 sections ('## …'), and the page shows 4",
    ],
  ])("%s", async (_, name, source, message) => {
    await expect(readPage(name, source)).rejects.toThrow(message);
  });
});

const folder = new URL("../../content/pages/", import.meta.url);
const read = (file: string) => readFile(new URL(file, folder), "utf8");

test("the coach's name and address stand in content/site.ts alone", async () => {
  for (const file of await readdir(folder)) {
    const text = await read(file);
    expect(text, file).not.toContain(site.coach.firstName);
    expect(text, file).not.toMatch(/[\w.+-]+@[\w-]+(\.[\w-]+)+/);
  }
});

test("the site speaks as the coach or as nobody, and no 'we' stands behind it", () => {
  const said = JSON.stringify([authMessages, playerMessages]);
  expect(said.match(/\b(we|us|ours?)\b[^"]*/gi)).toBeNull();
});

describe("what is said in two places is the same", () => {
  test.each(["terms", "blue-dot-method", "seven-days-of-calm"])(
    "%s has the refund rule of spec 9",
    async (name) => {
      expect(await read(`${name}.md`)).toMatch(
        /14 days[\s\S]*25%[\s\S]*non-refundable|non-refundable after 14 days or after 25%/,
      );
    },
  );
});

test.each(["/privacy", "/terms", "/about"])(
  "in %s no tag is broken by what keeps words together",
  async (path) => {
    const site = await startSite();
    const html = await (await site.ask(path)).text();
    await site.close();
    expect(html.match(/<[a-z][^>]*\u00a0[^>]*>/g)).toBeNull();
  },
);
