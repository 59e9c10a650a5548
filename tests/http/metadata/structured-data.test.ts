import { beforeAll, describe, expect, test } from "vitest";
import { graphOf } from "../../support/head.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { linesOf } from "../../support/page-text.ts";
import { indexedPages, publicPages } from "../../support/public-pages.ts";
import { type Node, readVocabulary } from "../../support/vocabulary.ts";
import { openMetadataSite, origin } from "./world.ts";

const site = openForTests(openMetadataSite);
const vocabulary = readVocabulary();
const pages = new Map<string, string>();
beforeAll(async () => {
  for (const { path } of publicPages) pages.set(path, await (await site.ask(path)).text());
});

const graph = (path: string) => graphOf(pages.get(path) ?? "");
const ofType = (path: string, type: string) => graph(path).filter((node) => node["@type"] === type);

/** A thing and everything inside it. */
function within(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(within);
  if (typeof value !== "object" || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(within)];
}

test("schema.org's vocabulary: was read whole, and finds mistakes", () => {
  expect(vocabulary.types).toBeGreaterThan(1000);
  const wrong: Node = {
    "@type": "Course",
    name: "Course",
    price: "197.00",
    provider: { "@type": "Place", name: "Here" },
    url: "/courses/course",
    hasCourseInstance: { "@type": "Kourse" },
    offers: { "@type": "Offer", availability: "https://schema.org/Soon", price: true },
  };
  expect(vocabulary.fieldErrors(wrong)).toEqual([
    "Course.price: schema.org has no such property there",
    "Course.provider: Place is not expected there",
    'Course.url: "/courses/course" is not expected there',
    "Course.hasCourseInstance: Kourse is not expected there",
    "Course.hasCourseInstance > : schema.org has no type Kourse",
    'Course.offers > Offer.availability: "https://schema.org/Soon" is not expected there',
    "Course.offers > Offer.price: true is not expected there",
  ]);
});

/** The types that stand on a page, at the top, in order. */
const expectedTypes: Record<string, string[]> = {
  "/": ["WebSite", "Organization", "Person"],
  "/about": ["AboutPage", "BreadcrumbList"],
  "/courses": ["ItemList", "Course", "Course", "Course", "BreadcrumbList"],
  "/courses/blue-dot-method": ["Course", "BreadcrumbList"],
  "/courses/seven-days-of-calm": ["Course", "BreadcrumbList"],
  "/courses/letters": ["Course", "BreadcrumbList"],
  "/coaching": ["Service", "FAQPage", "BreadcrumbList"],
  "/help": ["BreadcrumbList"],
  "/newsletter/archive": ["Blog", "BreadcrumbList"],
  "/newsletter/the-coat": ["BlogPosting", "BreadcrumbList"],
};

test.each(Object.entries(expectedTypes))(
  "structured data of %s: types, properties, whole addresses, what Google requires",
  (path, types) => {
    expect(graph(path).map((node) => node["@type"])).toEqual(types);
    expect(graph(path).flatMap((node) => vocabulary.fieldErrors(node))).toEqual([]);
    const addresses = JSON.stringify(graph(path)).match(/"https?:[^"]*"/g) ?? [];
    expect(addresses.length).toBeGreaterThan(0);
    const starts = ["https://schema.org/", `${origin}/`, "https://social.example/"];
    for (const address of addresses)
      expect(
        starts.some((start) => address.startsWith(`"${start}`)),
        address,
      ).toBe(true);
    for (const node of within(graph(path)))
      for (const property of required[String(node["@type"])] ?? [])
        expect(node, `${node["@type"]}.${property}`).toHaveProperty(property);
  },
);

/** What Google's documentation calls required, where it shows a page with more than a link. */
const required: Record<string, string[]> = {
  // Course list, and Course info as far as a course is sold (below).
  ItemList: ["itemListElement"],
  Course: ["name", "description", "provider"],
  Offer: ["category", "price", "priceCurrency"],
  CourseInstance: ["courseMode"],
  // FAQ
  FAQPage: ["mainEntity"],
  Question: ["name", "acceptedAnswer"],
  Answer: ["text"],
  // Breadcrumb
  BreadcrumbList: ["itemListElement"],
  ListItem: ["position"],
  // Organization, and site name: recommended there, required here.
  WebSite: ["name", "url"],
  Organization: ["name", "url"],
  Person: ["name", "url"],
};

test("structured data: pages that search engines leave out have none", () => {
  for (const { path, image } of publicPages) if (!image) expect(graph(path), path).toEqual([]);
});

test("structured data: each @id is described somewhere, as one thing", () => {
  const nodes = indexedPages.flatMap(({ path }) => within(graph(path)));
  const described = nodes.filter((node) => node["@id"] && node["@type"]);
  const types = new Map<unknown, Set<unknown>>();
  for (const node of described)
    types.set(node["@id"], (types.get(node["@id"]) ?? new Set()).add(node["@type"]));
  for (const [id, kinds] of types) expect([...kinds], String(id)).toHaveLength(1);
  for (const node of nodes) if (node["@id"]) expect([...types.keys()]).toContain(node["@id"]);
});

describe("structured data of courses", () => {
  const list = () => (ofType("/courses", "ItemList")[0]?.itemListElement ?? []) as Node[];
  const courses = () => ofType("/courses", "Course");

  test("are listed in the order of the page, as their own pages describe them", () => {
    // Google: a list whose things have pages of their own has their addresses, and nothing else.
    expect(list()).toEqual(
      courses().map(({ url }, index) => ({ "@type": "ListItem", position: index + 1, url })),
    );
    const links = [...(pages.get("/courses") ?? "").matchAll(/href="(\/courses\/[\w-]+)"/g)];
    const shown = [...new Set(links.map(([, href]) => `${origin}${href}`))];
    expect(courses().map(({ url }) => url)).toEqual(shown);
    for (const course of courses()) {
      const [own] = ofType(String(course.url).slice(origin.length), "Course");
      expect(own).toEqual(course);
    }
  });

  test("that are only announced have no offer; the others have their price in dollars", () => {
    const offers = Object.fromEntries(courses().map(({ url, offers }) => [url, offers]));
    expect(offers[`${origin}/courses/blue-dot-method`]).toBeUndefined();
    expect(offers[`${origin}/courses/letters`]).toEqual({
      "@type": "Offer",
      url: `${origin}/courses/letters`,
      category: "Paid",
      price: "197.00",
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
    });
  });

  test("that are sold have it in the list and on their own pages", async () => {
    const open = await openMetadataSite({ COMING_SOON: "seven-days-of-calm" });
    const read = async (path: string) =>
      graphOf(await (await open.ask(path)).text()).filter((node) => node["@type"] === "Course");
    const [own] = await read("/courses/blue-dot-method");
    expect(own?.offers).toMatchObject({ price: "197.00", category: "Paid" });
    expect(vocabulary.fieldErrors(own ?? {})).toEqual([]);
    const listed = await read("/courses");
    expect(listed.map(({ offers }) => offers)).toEqual([own?.offers, undefined, expect.anything()]);
    await open.close();
  });

  test("with a fixed number of days say how much of them they take", () => {
    const days = Object.fromEntries(
      courses().map(({ url, hasCourseInstance }) => [
        String(url).split("/").at(-1),
        ((hasCourseInstance as Node).courseSchedule as Node | undefined)?.repeatCount,
      ]),
    );
    expect(days).toEqual({ "blue-dot-method": 42, "seven-days-of-calm": 7 });
  });

  test("a title cannot end the element it stands in", () => {
    const [course] = ofType("/courses/letters", "Course");
    expect(course?.name).toBe("Letters & <unsent> “words”");
    expect(pages.get("/courses/letters")).toContain("\\u003cunsent>");
  });
});

test("structured data of /coaching: the four questions of the page, with its answers", () => {
  const [faq] = ofType("/coaching", "FAQPage");
  const page = words(pages.get("/coaching") ?? "");
  const questions = faq?.mainEntity as Node[];
  expect(questions).toHaveLength(4);
  for (const { name, acceptedAnswer } of questions)
    expect(page).toContain(`${name} ${words(String((acceptedAnswer as Node).text))}`);
});

test("structured data: breadcrumbs lead to pages, the last to its own", async () => {
  for (const { path } of indexedPages) {
    const [trail] = ofType(path, "BreadcrumbList");
    if (!trail) continue;
    const steps = trail.itemListElement as Node[];
    expect(steps.map(({ position }) => position)).toEqual(steps.map((_, index) => index + 1));
    expect(steps[0]).toMatchObject({ name: "Home", item: `${origin}/` });
    expect(steps.at(-1)?.item, path).toBe(origin + path);
    for (const { item } of steps)
      expect((await site.ask(String(item).slice(origin.length))).status).toBe(200);
  }
});

/** The words of a piece of HTML, as one line. */
const words = (html: string) => linesOf(html).join(" ");
