import { beforeAll, expect, test } from "vitest";
import { dedicatedPages } from "~/features/courses/rules.ts";
import { type Field, type PageKind, pageFields } from "~content/fields.ts";
import { contentSchema } from "~content/page-schema.ts";
import { elements } from "../../support/head.ts";
import { filledPage, publishWords } from "../../support/marked-pages.ts";
import { publicPages } from "../../support/public-pages.ts";
import { decode } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

/*
 * Every word that a visitor can read is the coach's to change, or stands on this list: words of the
 * interface, most of them the spec's to the letter, and what the site says of itself.
 */
const exceptions: Record<string, string[]> = {
  "header and frame (spec 2, Shared header)": [
    ...["Skip to content", "Main", "Log In", "My Courses", "Subscribe", "Menu", "Footer", "Pages"],
    ...["Theme: same as this device", "Theme: light", "Theme: night", "Notifications", "Close"],
  ],
  "buttons (spec 2, Home, Thank-you, 404)": [
    ...["Explore Courses", "Learn About Coaching", "Go Home", "View Courses", "Browse Courses"],
    ...["Apply", "Learn more", "Subscribe again"],
  ],
  "the newsletter form (spec 2, Newsletter dialog)": [
    ...["First name", "Your first name", "Email address", "you@example.com", "Subscribing..."],
    "Leave this empty",
  ],
  "buying (spec 2, course pages; spec 9)": [
    ...["Coming Soon", "One-time payment", "Not open yet"],
    "Not open yet. The weekly newsletter will say when it is.",
  ],
  "how parts of a page are read out": ["On this page", "At a glance", "Courses", "Breadcrumb"],
  "what the archive of the newsletter is": [
    "The newsletter so far",
    "Nothing has been sent yet. Each newsletter will be here from the day it goes out, to be read at any time and in any order.",
    "What has written in the weekly newsletter, to be read at any time and in any order.",
  ],
  "the way to numbers for people in danger": ["Help now", "404"],
};

/** Exceptions that were seen. */
const met = new Set<string>();
const known = new Set(Object.values(exceptions).flat());
const patterns = [
  /^© \d{4}$/,
  /^\$\d+\.\d\d$/,
  /^The application form is on another site, \S+\.$/,
  /^“?”?, beside a drawing: .+\.$/,
  /^\(film, , opens on another site\)$/,
  /^about$/,
  /^\d+$/,
  /^Portrait of$/,
];

const site = siteOfFile({ SAMPLE_CONTENT: "on" });
const mark = /§[\w.-]+§/g;

function fill({ kind }: Field, at: string): string {
  const own: Partial<Record<Field["kind"], string>> = {
    address: `https://${at.replaceAll(".", "-").toLowerCase()}.example/`,
    email: "coach@marked.example",
    handle: "@marked",
    zone: "Europe/Dublin",
    picture: "/featured/the-coat-on-the-hook.svg",
  };
  return own[kind] ?? `§${at.replaceAll(/[a-z]{3,}/g, (word) => word.slice(0, 3))}§`;
}

beforeAll(async () => {
  const { db } = site.services;
  await db.write
    .updateTable("products")
    .set(({ ref }) => ({ title: ref("id"), description: "§course§" }))
    .execute();
  const courses = await db.read
    .selectFrom("products")
    .select("id")
    .where("slug", "in", dedicatedPages)
    .execute();
  await db.write.updateTable("products").set({ title: "§title§" }).execute();
  const kinds = (Object.keys(pageFields) as PageKind[]).filter((kind) => kind !== "course");
  await publishWords(site.services, [
    ...kinds.map((kind) => [kind, kind, filledPage(kind, fill)] as const),
    ...courses.map(({ id }) => [`course:${id}`, "course", filledPage("course", fill)] as const),
  ]);
});

test.each(Object.keys(pageFields) as PageKind[])(
  "the words of %s that this test uses could be published",
  (kind) => {
    const problems = contentSchema(kind).safeParse(filledPage(kind, fill)).error?.issues ?? [];
    expect(problems.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([]);
  },
);

/** What is read, heard or found of a page, without the words that are the coach's. */
function otherWords(html: string): string[] {
  const body = html.replaceAll(/<(script|style|svg)[\s>][\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, "");
  const texts = body.split(/<[^>]*>/).map(decode);
  const read = ["alt", "aria-label", "placeholder", "title"];
  const attributes = [
    "img",
    "input",
    "button",
    "a",
    "nav",
    "ul",
    "section",
    "textarea",
    "div",
  ].flatMap((name) =>
    elements(body, name).flatMap((one) => read.map((attribute) => one[attribute] ?? "")),
  );
  const metas = elements(html, "meta")
    .filter(({ name, property }) => /description|title|site_name|alt$/.test(name ?? property ?? ""))
    .map(({ content = "" }) => content);
  return [...texts, ...attributes, ...metas]
    .map((text) =>
      text
        .replaceAll(mark, "")
        .replaceAll(/[|\s\u00a0\u2060]+/g, " ")
        .trim(),
    )
    .filter((text) => /\p{L}|\p{N}/u.test(text))
    .filter((text) => !known.has(text) || !met.add(text))
    .filter((text) => !patterns.some((pattern) => pattern.test(text)));
}

// The forms for accounts are the product's own; help has numbers that a coach must not change by hand.
const apart =
  /^\/(auth|mail-preferences|account|help|newsletter\/(confirm|unsubscribe|frequency)\?|courses\/letters)/;

test.each(publicPages.filter(({ path }) => !apart.test(path)))(
  "GET $path: says nothing that the coach cannot change, but for the words of the interface",
  async ({ path }) => {
    const html = await (await site.ask(path)).text();
    expect(html.match(mark)?.length ?? 0).toBeGreaterThan(5);
    expect([...new Set(otherWords(html))]).toEqual([]);
  },
);

test("the list of exceptions has none that no page needs", () => {
  expect([...known].filter((text) => !met.has(text))).toEqual([]);
});
