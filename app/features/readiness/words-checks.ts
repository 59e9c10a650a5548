import type { Content } from "../../../content/fields.ts";
import { kindOf, pageSubject, placeLabel } from "../pages/rules.ts";
import { check, type Definition, good, goodUnlessAny, missing, worthALook } from "./definition.ts";
import type { Facts, PageWords } from "./facts.ts";
import { counted, exampleIn, fieldPath, isExampleUrl, sameWords, someOf } from "./rules.ts";

const group = "words";

/** Places that have a check of their own. */
const apart = new Set(["site.email", "site.profiles", "home.featured", "coaching.application"]);

export const wordsChecks: readonly Definition[] = [
  check(
    "testimonials",
    { group, title: "Testimonials", href: fieldPath("home", "testimonials") },
    ["words"],
    ({ words: { home, firstHome } }) => {
      const invented = home.testimonials.filter(({ quote }) =>
        firstHome.testimonials.some((first) => sameWords(first.quote, quote)),
      );
      return invented.length === 0
        ? good("None of the quotes on Home is an invented example.")
        : missing(
            `${counted(invented.length, "quote on Home is an invented example", "quotes on Home are invented examples")}. Put in real people’s words, with their consent, or remove them.`,
          );
    },
  ),
  check(
    "names",
    { group, title: "Your name", href: fieldPath("site", "coachName") },
    ["words"],
    ({ words: { site, firstSite, pages } }) => {
      if (sameWords(site.coachName, firstSite.coachName))
        return missing(
          `The site still says ${firstSite.coachName}, which is an invented name. Put in yours.`,
        );
      const first = firstSite.coachFirstName;
      const isHers = site.coachName.includes(first);
      if (!isHers && sameWords(site.coachFirstName, first))
        return {
          ...missing(`Emails are still signed with ${first}, which is an invented name.`),
          href: fieldPath("site", "coachFirstName"),
        };
      const left = new RegExp(`\\b${first}\\b`);
      const found = isHers ? [] : placesWith(pages, (text) => (left.test(text) ? text : null));
      return goodUnlessAny(
        found.map(({ page, label, href }) => ({
          ...missing(`${page} still says ${first} under “${label}”. Put in your name.`),
          href,
        })),
        `The site says ${site.coachName}.`,
      );
    },
  ),
  check(
    "email-address",
    { group, title: "Your email address", href: fieldPath("site", "email") },
    ["words"],
    ({ words: { site } }) =>
      exampleIn(site.email)
        ? missing(
            `${site.email} is an example: what people write to you there reaches no one. Put in your own.`,
          )
        : good(`People write to you at ${site.email}.`),
  ),
  check(
    "postal-address",
    { group, title: "Your postal address", href: fieldPath("site", "postalAddress") },
    ["words"],
    ({ words: { site } }) =>
      site.postalAddress.trim()
        ? good("It stands at the end of newsletters.")
        : missing(
            "Newsletters have no postal address at their end, where the law of many countries asks for one.",
          ),
  ),
  check(
    "social",
    { group, title: "Your profiles elsewhere", href: fieldPath("site", "profiles") },
    ["words"],
    ({ words: { site, firstSite } }) => {
      const invented = site.profiles.filter(({ address }) => isExampleUrl(address));
      if (invented.length > 0)
        return missing(
          `${counted(invented.length, "address is an example and leads", "addresses are examples and lead")} nowhere. Put in your own, or remove ${invented.length === 1 ? "it" : "them"}.`,
        );
      return sameWords(site.socialHandle, firstSite.socialHandle)
        ? {
            ...worthALook(`${site.socialHandle} came with the site. Is it your name there?`),
            href: fieldPath("site", "socialHandle"),
          }
        : good("None of them is an example.");
    },
  ),
  check(
    "application",
    { group, title: "Application form for coaching", href: fieldPath("coaching", "application") },
    ["words"],
    ({ words: { application } }) =>
      isExampleUrl(application)
        ? missing(
            "“Apply” on Coaching leads to an example address, where there is no form. Put in the address of yours.",
          )
        : good("“Apply” on Coaching leads to an address of your own."),
  ),
  check(
    "films",
    { group, title: "Films on Home", href: fieldPath("home", "featured") },
    ["words"],
    ({ words: { home } }) => {
      const invented = home.featured.filter(({ address }) => isExampleUrl(address));
      return invented.length === 0
        ? good("None of them is an example.")
        : missing(
            `${counted(invented.length, "film is an example that does not exist", "films are examples that do not exist")}. Put in your own, or remove ${invented.length === 1 ? "it" : "them"}.`,
          );
    },
  ),
  check(
    "example-addresses",
    { group, title: "Example addresses", href: "/admin/pages" },
    ["words", "courses"],
    ({ words: { site, pages }, courses }) => {
      const withCourses = [...pages, ...courses.flatMap(({ words }) => words ?? [])];
      // The coach's own address stands in many texts, and has a line of its own.
      const found = placesWith(withCourses, (text) => exampleIn(text.replaceAll(site.email, "")));
      return goodUnlessAny(
        found.map(({ page, label, href, found }) => ({
          ...missing(`${page} has ${found} under “${label}”, which is no real address.`),
          href,
        })),
        "There are none on your pages.",
      );
    },
  ),
  ...(["privacy", "terms"] as const).map((kind) => {
    const title = kind === "privacy" ? "Privacy policy" : "Terms of service";
    return check(kind, { group, title, href: `/admin/pages/${kind}` }, ["published"], (facts) =>
      facts.published.includes(pageSubject(kind))
        ? good("You have published it yourself.")
        : missing(
            "It is still as it came with the site. Read it, change the date and whatever does not hold for you, and publish it.",
          ),
    );
  }),
  check(
    "story",
    { group, title: "Your story", href: "/admin/pages/about" },
    ["published"],
    ({ published }) =>
      published.includes(pageSubject("about"))
        ? good("You have published About yourself.")
        : worthALook("About is still as it came with the site. Is every word of it yours?"),
  ),
  check(
    "portrait",
    { group, title: "Your portrait", href: "/admin/settings" },
    ["portrait"],
    ({ portrait }) =>
      portrait
        ? good("There is a picture of you on Home and About.")
        : worthALook("Home and About show a drawing where a picture of you belongs."),
  ),
  check(
    "share-pictures",
    { group, title: "Pictures for sharing", href: "/admin/pages" },
    ["words", "courses", "shareCards"],
    sharePictures,
  ),
];

type SharingFacts = Pick<Facts, "words" | "courses" | "shareCards">;

function sharePictures({ words: { site, firstSite, pages }, courses, shareCards }: SharingFacts) {
  // A course's own cover is shown where its page is shared.
  const ofCourses = courses.flatMap(({ words, coverId }) => (words && !coverId ? words : []));
  const old: PageWords[] = [];
  const waiting: PageWords[] = [];
  for (const page of [...pages, ...ofCourses]) {
    const { shareTitle, shareLine = "" } = page.shown;
    if (typeof shareTitle !== "string" || typeof shareLine !== "string") continue;
    const isAs = (brand: string, title: unknown, line: unknown) =>
      sameWords(brand, site.name) &&
      sameWords(String(title ?? ""), shareTitle) &&
      sameWords(String(line ?? ""), shareLine);
    if (isAs(firstSite.name, page.first.shareTitle, page.first.shareLine)) continue;
    const card = shareCards.find((one) => one.page === page.name || one.page === page.slug);
    if (!card || !isAs(card.brand, card.title, card.line)) old.push(page);
    else if (card.name !== card.wanted) waiting.push(page);
  }
  const labels = (list: PageWords[]) => someOf(list.map(({ label }) => label));
  const href = (list: PageWords[]) => fieldPath(list[0]?.name ?? "site", "shareTitle");
  if (old.length > 0)
    return {
      ...missing(
        `Where these are shared, the picture still has the words that came with the site: ${labels(old)}.`,
      ),
      href: href(old),
    };
  return waiting.length > 0
    ? { ...worthALook(`These are not drawn yet: ${labels(waiting)}.`), href: href(waiting) }
    : good("Each has the words of its page.");
}

/** Each place of the pages in which something is found, but for those with a check of their own. */
function placesWith(pages: readonly PageWords[], find: (text: string) => string | null) {
  return pages.flatMap(({ name, label: page, shown }) =>
    Object.entries(shown).flatMap(([field, value]) => {
      if (apart.has(`${name}.${field}`)) return [];
      for (const text of textsOf(value)) {
        const found = find(text);
        if (found)
          return [{ page, label: labelOf(name, field), href: fieldPath(name, field), found }];
      }
      return [];
    }),
  );
}

const textsOf = (value: Content[string]): string[] =>
  typeof value === "string" ? [value] : value.flatMap((item) => Object.values(item));

function labelOf(name: string, field: string): string {
  return placeLabel(kindOf(pageSubject(name)), { field });
}
