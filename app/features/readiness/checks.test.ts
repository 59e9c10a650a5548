import { expect, test } from "vitest";
import type { Content, PageContent } from "~content/fields.ts";
import { firstEdition } from "../pages/first-edition.server.ts";
import type { CourseFacts, Facts, PageWords } from "./facts.ts";
import { definitions, listReadiness } from "./readiness.server.ts";

const hourMs = 3600_000;
const source = (name: string) => firstEdition[name]?.source ?? {};
const firstSite = source("site") as PageContent<"site">;
const firstHome = source("home") as PageContent<"home">;

const ownSite = {
  ...firstSite,
  ...{ coachName: "Ada Byron", coachFirstName: "Ada", email: "ada@calm.org", profiles: [] },
  ...{ socialHandle: "@ada", postalAddress: "1 Main Street, Springfield" },
};
const ownHome = { ...firstHome, testimonials: [], featured: [] };

const pageOf = (name: string, shown: Content, first = shown): PageWords => ({
  ...{ name, label: name, shown, first },
});
const course: CourseFacts = {
  ...{ id: "c1", slug: "calm", title: "Calm", priceCents: 4900, comingSoon: false, coverId: null },
  ...{ lessons: 7, parts: { prompts: 7, files: 0, audio: 1 }, samples: 0 },
  words: pageOf("course:c1", {
    facts: [{ fact: "Audio guides" }, { fact: "Workbook PDF" }],
    get: "<p>Downloadable worksheets.</p>",
    description: "Seven days.",
  }),
};

/** A site that can open. */
const ready: Facts = {
  words: {
    ...{ site: ownSite, firstSite, home: ownHome, firstHome },
    application: "https://forms.calm.org/coaching",
    pages: [pageOf("site", ownSite), pageOf("home", ownHome), pageOf("privacy", { text: "Mine." })],
  },
  published: ["page:about", "page:privacy", "page:terms"],
  courses: [course],
  shareCards: [],
  portrait: true,
  stripe: { key: "live", heardMs: hourMs, paidMs: hourMs },
  mail: {
    ...{ hasServer: true, domain: "calm.org", failed: 0, outage: null },
    test: { result: "sent", ageMs: hourMs },
  },
  address: "https://calm.org",
  backup: 3 * hourMs,
  admins: { all: 2, without: 0 },
  disk: { free: 30e9, all: 40e9 },
  folder: { path: "/var/lib/blue-dot", isOpen: false },
};

const words = (more: Partial<Facts["words"]>) => ({ words: { ...ready.words, ...more } });
const site = (more: Partial<PageContent<"site">>) => words({ site: { ...ownSite, ...more } });
const home = (more: Partial<PageContent<"home">>) => words({ home: { ...ownHome, ...more } });
const pages = (...more: PageWords[]) => words({ pages: [...ready.words.pages, ...more] });
const courses = (more: Partial<CourseFacts>) => ({ courses: [{ ...course, ...more }] });
const stripe = (more: Partial<Facts["stripe"]>) => ({ stripe: { ...ready.stripe, ...more } });
const mail = (more: Partial<Facts["mail"]>) => ({ mail: { ...ready.mail, ...more } });

const [quote] = firstHome.testimonials;
const typeset = { ...quote, quote: quote?.quote.replaceAll("’", "'").replaceAll(" ", "\u00a0") };
const about = (shown: Content) => pageOf("about", shown, { shareTitle: "Old", shareLine: "" });
const card = { page: "about", brand: ownSite.name, title: "New", line: "", name: "1", wanted: "1" };

type Case = [id: string, facts: Partial<Facts>, state: string, says: string, href: string];
const cases: Case[] = [
  [
    ...(["testimonials", home({ testimonials: firstHome.testimonials }), "missing"] as const),
    ...(["Two quotes on Home are invented", "/admin/pages/home?field=testimonials#testi"] as const),
  ],
  [
    ...([
      "testimonials",
      home({ testimonials: [typeset] as typeof firstHome.testimonials }),
    ] as const),
    ...(["missing", "One quote on Home is an invented", "/admin/pages/home"] as const),
  ],
  ["names", site({ coachName: "Nora Hale" }), "missing", "still says Nora Hale", "=coachName"],
  ["names", site({ coachFirstName: "Nora" }), "missing", "signed with Nora", "=coachFirstName"],
  [
    ...(["names", pages(pageOf("about", { shareLine: "About Nora Hale" })), "missing"] as const),
    ...(["about still says Nora under “Line below it”", "/admin/pages/about?field=share"] as const),
  ],
  [
    "email-address",
    site({ email: "hello@bluedot.example" }),
    "missing",
    "reaches no one",
    "=email",
  ],
  [
    "postal-address",
    site({ postalAddress: " " }),
    "missing",
    "no postal address",
    "=postalAddress",
  ],
  ["social", site({ profiles: firstSite.profiles }), "missing", "One address is an", "=profiles"],
  [
    "social",
    site({ socialHandle: "@bluedotgrief" }),
    "look",
    "came with the site",
    "=socialHandle",
  ],
  [
    ...(["application", words({ application: "https://forms.example/x" }), "missing"] as const),
    ...(["“Apply” on Coaching leads to an example", "/admin/pages/coaching?field=app"] as const),
  ],
  ["films", home({ featured: firstHome.featured }), "missing", "Three films are", "=featured"],
  [
    ...([
      "example-addresses",
      pages(pageOf("terms", { lead: "See www.house.example/x." })),
    ] as const),
    ...(["missing", "terms has www.house.example under “First", "/terms?field=lead"] as const),
  ],
  [
    ...([
      "example-addresses",
      courses({ words: pageOf("course:c1", { get: "a@example.com" }) }),
    ] as const),
    ...(["missing", "has a@example.com under “What you get”", "/course:c1?field=get"] as const),
  ],
  ["privacy", { published: ["page:terms"] }, "missing", "still as it came", "/admin/pages/privacy"],
  ["terms", { published: ["page:privacy"] }, "missing", "still as it came", "/admin/pages/terms"],
  ["story", { published: [] }, "look", "Is every word of it yours?", "/admin/pages/about"],
  ["portrait", { portrait: false }, "look", "show a drawing", "/admin/settings"],
  [
    ...(["share-pictures", pages(about({ shareTitle: "New", shareLine: "" })), "missing"] as const),
    ...(["words that came with the site: about.", "/admin/pages/about?field=shareTitle"] as const),
  ],
  [
    ...(["share-pictures", words({ firstSite: { ...firstSite, name: "Old name" } })] as const),
    ...(["missing", "came with the site: site and home.", "/admin/pages/site"] as const),
  ],
  [
    "share-pictures",
    {
      ...pages(about({ shareTitle: "New", shareLine: "" })),
      shareCards: [{ ...card, name: null }],
    },
    ...(["look", "not drawn yet: about.", "/admin/pages/about?field=shareTitle"] as const),
  ],
  ["open-course", { courses: [] }, "missing", "No course is active", "/admin/courses"],
  ["open-course", courses({ comingSoon: true }), "look", "no one can enroll", "/admin/courses"],
  ["lessons", courses({ lessons: 0 }), "missing", "“Calm” is open and has no", "/courses/c1"],
  [
    ...(["promises", courses({ parts: { prompts: 7, files: 1, audio: 0 } }), "missing"] as const),
    ...(["promises audio, and no lesson has any", "/admin/lessons?course=c1"] as const),
  ],
  [
    ...(["promises", courses({ parts: { prompts: 0, files: 0, audio: 1 } }), "missing"] as const),
    ...(["promises worksheets, and no lesson has questions", "/course:c1?field=facts"] as const),
  ],
  [
    "sample-recordings",
    courses({ samples: 2 }),
    "look",
    "Two lessons of “Calm” play",
    "?course=c1",
  ],
  ["stripe-key", stripe({ key: "test" }), "missing", "test mode", "#server"],
  ["stripe-key", stripe({ key: "none" }), "missing", "no one can buy it", "#server"],
  [
    ...(["stripe-key", { ...stripe({ key: "test" }), ...courses({ priceCents: 0 }) }] as const),
    ...(["look", "test mode", "#server"] as const),
  ],
  ["stripe-webhook", stripe({ heardMs: null }), "missing", "has never sent word", "#server"],
  [
    ...(["stripe-webhook", stripe({ heardMs: 50 * hourMs }), "missing"] as const),
    ...(["only when the site asked", "#server"] as const),
  ],
  [
    "stripe-webhook",
    { ...stripe({ heardMs: null, paidMs: null }), ...courses({ comingSoon: true }) },
    ...(["look", "has never sent word", "#server"] as const),
  ],
  ["mail-server", mail({ hasServer: false }), "missing", "becomes a file", "/admin/mail"],
  ["mail-server", mail({ outage: "421 busy" }), "missing", "says: 421 busy", "/admin/mail"],
  ["mail-from", mail({ domain: "example.com" }), "missing", "at example.com", "#server"],
  ["mail-from", mail({ domain: "localhost" }), "missing", "at localhost", "#server"],
  ["test-email", mail({ test: null }), "missing", "None was ever sent", "/admin/mail"],
  [
    ...(["test-email", mail({ test: { result: "file", ageMs: hourMs } }), "missing"] as const),
    ...(["an hour ago, became a file", "/admin/mail"] as const),
  ],
  [
    ...(["test-email", mail({ test: { result: "failed", ageMs: 1 } }), "missing"] as const),
    ...(["just now, was not sent", "/admin/mail"] as const),
  ],
  ["failed-emails", mail({ failed: 2 }), "look", "Two emails were not sent", "?state=failed"],
  ["failed-emails", mail({ failed: 10 }), "look", "Ten or more emails", "?state=failed"],
  ["address", { address: "http://calm.org" }, "missing", "is not encrypted", "#server"],
  ["address", { address: "http://localhost:3000" }, "missing", "on one machine alone", "#server"],
  ["backup", { backup: null }, "missing", "None was made yet", "#server"],
  ["backup", { backup: 27 * hourMs }, "missing", "was made 27 hours ago", "#server"],
  ["two-factor", { admins: { all: 0, without: 0 } }, "missing", "no administrator", "/account/sec"],
  ["two-factor", { admins: { all: 1, without: 1 } }, "look", "You sign in with a", "/account/sec"],
  ["two-factor", { admins: { all: 3, without: 2 } }, "look", "Two administrators", "/account/sec"],
  ["disk", { disk: { free: 4e9, all: 40e9 } }, "look", "4.0 GB of 40.0 GB", "#server"],
  ["disk", { disk: { free: 2e8, all: 40e9 } }, "missing", "200 MB of 40.0 GB", "#server"],
  ["data-folder", { folder: { path: "/d", isOpen: true } }, "look", "chmod 700 /d", "#server"],
];

/** The checklist of these facts. @param log what is logged as an error */
function listed(facts: Facts, log: unknown[] = [], fail: (keyof Facts)[] = []) {
  const readers = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      async () => {
        if (fail.includes(name as keyof Facts)) throw new Error(`no ${name}`);
        return fact;
      },
    ]),
  );
  const services = { log: { error: (...said: unknown[]) => log.push(said) } };
  return listReadiness(services as never, readers as never);
}

test("the checklist: a site that can open has nothing to do, and says what was looked at", async () => {
  const checks = await listed(ready);
  expect(checks.filter(({ state }) => state !== "good")).toEqual([]);
  expect(checks.map(({ id }) => id)).toEqual(definitions.map(({ id }) => id));
  for (const { text, title, href } of checks) {
    expect(text).toMatch(/^\S.*\.$/);
    expect(title.length).toBeGreaterThan(3);
    expect(href).toMatch(/^\/a/);
  }
});

test.each(cases)("the checklist: %s is not fit, case %#", async (id, facts, state, says, href) => {
  const checks = await listed({ ...ready, ...facts });
  const line = checks.find((check) => check.id === id);
  expect(line).toMatchObject({ state, text: expect.stringContaining(says) });
  expect(line?.href).toContain(href);
});

test("the checklist: each check has a case in which it is not fit", () => {
  const failing = new Set(cases.map(([id]) => id));
  expect(definitions.map(({ id }) => id).filter((id) => !failing.has(id))).toEqual([]);
});

test.each<[string, string, Partial<Facts>]>([
  [
    "a course that is coming soon promises nothing yet",
    "promises",
    courses({ comingSoon: true, parts: { prompts: 0, files: 0, audio: 0 } }),
  ],
  ["files are worksheets too", "promises", courses({ parts: { prompts: 0, files: 1, audio: 1 } })],
  [
    "a course with a cover needs no drawn picture",
    "share-pictures",
    courses({ coverId: "p1", words: pageOf("course:c1", { shareTitle: "New" }, {}) }),
  ],
  [
    "a picture with the present words is drawn",
    "share-pictures",
    { ...pages(about({ shareTitle: "New", shareLine: "" })), shareCards: [card] },
  ],
  [
    "the coach’s own address is no leftover in a text",
    "example-addresses",
    {
      ...words({
        site: { ...ownSite, email: "a@b.example" },
        pages: [pageOf("privacy", { text: "Write to a@b.example." })],
      }),
    },
  ],
  [
    "a coach may be called Nora",
    "names",
    words({
      site: { ...ownSite, coachName: "Nora Smith", coachFirstName: "Nora" },
      pages: [pageOf("about", { lead: "I am Nora." })],
    }),
  ],
  [
    "a free course needs no Stripe",
    "stripe-key",
    { ...courses({ priceCents: 0 }), ...stripe({ key: "none" }) },
  ],
])("the checklist: %s", async (_, id, facts) => {
  const checks = await listed({ ...ready, ...facts });
  expect(checks.find((check) => check.id === id)).toMatchObject({ state: "good" });
});

test("the checklist: what cannot be read is said, logged, and hides nothing else", async () => {
  const log: unknown[] = [];
  const checks = await listed(ready, log, ["mail", "backup"]);
  const unseen = checks.filter(({ text }) => text === "This could not be looked at just now.");
  expect(unseen.map(({ id, state }) => [id, state])).toEqual(
    ["mail-server", "mail-from", "test-email", "failed-emails", "backup"].map((id) => [id, "look"]),
  );
  expect(checks).toHaveLength(definitions.length);
  expect(log).toHaveLength(2);
  const broken = await listed({ ...ready, disk: null as never }, log);
  expect(broken.find(({ id }) => id === "disk")?.text).toContain("could not be looked at");
  expect(log).toHaveLength(3);
});

test("the checklist: a check has five lines at most, and says how many more there are", async () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ ...course, id: `c${at}`, lessons: 0 }));
  const checks = await listed({ ...ready, courses: many });
  const lines = checks.filter(({ id }) => /^lessons(-\d)?$/.test(id));
  expect(lines).toHaveLength(5);
  expect(lines[4]?.text).toMatch(/There are 4 more of these\.$/);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(5);
});
