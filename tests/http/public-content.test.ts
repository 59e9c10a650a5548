import { brotliCompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { site as content, firstPage } from "../support/first-edition.ts";
import { elements } from "../support/head.ts";
import { linesOf, partOf } from "../support/page-text.ts";
import { createPublicContent, publicPages } from "../support/public-pages.ts";
import { mainOf } from "../support/responses.ts";
import { siteOfFile, startSite } from "../support/site.ts";

const { featured, testimonials } = await firstPage("home");
const { application } = await firstPage("coaching");

const site = siteOfFile({ SAMPLE_CONTENT: "on" });
beforeAll(async () => {
  await createPublicContent(site.services);
});

const read = async (path: string, from = site) => (await from.ask(path)).text();

/** Lines of a page that must be there in this order; what else is there does not matter. */
function expectInOrder(lines: string[], expected: (string | RegExp)[]) {
  let rest = lines;
  for (const line of expected) {
    const at = rest.findIndex((one) =>
      line instanceof RegExp ? line.test(one) : one.includes(line),
    );
    expect(at, `'${line}' in ${JSON.stringify(rest, null, 1)}`).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at + 1);
  }
}

const ways = "[Explore Courses](/courses)[Learn About Coaching](/coaching)";
const form = ["First name", "Email address", "Subscribe"];
const crisis = ["## Who it is not for", "[call 988](tel:988) or [text 988](sms:988)"];
const price = (dollars: string) => `${dollars} One-time payment`;

/** What spec 2 says of each page, in its order. */
const pages: Record<string, (string | RegExp)[]> = {
  "/": [
    ways,
    "## Join Our Community",
    ...form,
    "## Who I Am",
    "[More about me](/about)",
    "## What I Offer",
    ...["### Courses", "](/courses)", "### Coaching", "](/coaching)"],
    ...["### Newsletter", "](/#newsletter)", "## Featured Content"],
    ...featured.map(
      ({ title, length, address }) =>
        `### [${title} (film, ${length}, opens on another site)](${address})`,
    ),
    ...testimonials.flatMap(({ quote, who }) => [`“${quote}”`, who]),
  ],
  "/about": [
    "brother",
    "## The Blue Dot",
    "compass",
    "## What I believe",
    "### No timelines",
    "### Practical over theoretical",
    "### Honest language",
    "### Permission to struggle",
    ways,
    "## A letter once a week",
    ...form,
  ],
  "/courses": [
    "# Courses",
    "## The Blue Dot Method",
    "[Learn more about The Blue Dot Method](/courses/blue-dot-method)",
    "## 7 Days of Calm",
    "[Learn more about 7 Days of Calm](/courses/seven-days-of-calm)",
    "More courses coming soon",
  ],
  "/courses/blue-dot-method": [
    "# The Blue Dot Method",
    "Coming Soon",
    price("$197.00"),
    ...["6-week course", "Daily practices of 10 minutes or less", "Downloadable worksheets"],
    "Lifetime access",
    "## What it is",
    "### Week 1: Where you are",
    "### Week 6: The next small direction",
    "## What you get",
    ...crisis,
    "Can I get my money back?",
    "Yes, if you ask within 14 days of buying",
  ],
  "/courses/seven-days-of-calm": [
    "# 7 Days of Calm",
    "A Grief Reset Kit",
    "Coming Soon",
    price("$47.00"),
    ...["7 daily lessons by email", "10-minute practices", "Audio guides", "Workbook PDF"],
    "## What it is",
    "### Day 1: Put your weight down",
    "### Day 7: One thing to steer by",
    "## What you get",
    ...crisis,
    "Can I get my money back?",
    "Yes, if you ask within 14 days of buying",
  ],
  "/courses/letters": [
    "# Letters & <unsent> “words”",
    "Enroll Now",
    price("$197.00"),
    "## What is inside",
    "### Module 1",
    "One",
  ],
  "/coaching": [
    `[Apply](${application})`,
    "The application form is on another site, forms.example.",
    "[these people answer](#when-coaching-is-not-the-right-help)",
    ...["60 minutes", "Weekly, biweekly or monthly", "By video call or phone"],
    "Email access between sessions",
    `[Apply](${application})`,
    "## When coaching is not the right help",
    "not for an acute crisis, and it is not clinical therapy",
    "[call 988](tel:988) or [text 988](sms:988)",
    "[911](tel:911)",
    ...["different from therapy?", "I am not a therapist", "How long", "a few months"],
    ...["I don’t know what I need?", "Hardly anyone does", "What does it cost?"],
    "individual sessions, or take a monthly package at a reduced rate",
  ],
  "/privacy": [
    "# Privacy policy",
    "## What is collected",
    /tells Stripe the name of the course, its price and your email address.*of the card the site keeps nothing/,
    "## What it is used for",
    "## Who else sees it",
    "## Your rights",
    /\[download everything\]\(\/account\/data\).*\(\/mail-preferences\).*\[delete your account\]/,
    "## Security",
    "## Contact",
    `[${content.email}](mailto:${content.email})`,
  ],
  "/terms": [
    "# Terms of service",
    "## Coaching is not therapy",
    "## Courses and letters are for learning",
    "## Your account",
    "You can delete your account yourself, under [your data](/account/data).",
    "## Refunds for courses",
    "after 14 days or after 25% of the content, whichever comes first",
    "it stays in [your journal](/my-courses/journal)",
    "## Lifetime access",
    "## Coaching sessions",
    "at least 24 hours",
    "## The newsletter",
    "once a week",
    ...["## What I write", "## What I am liable for", "## Changes"],
  ],
  "/thank-you": [
    "# You're All Set",
    "## Check your email",
    "## Click the confirmation link",
    "## Get weekly reflections",
    `${ways}[Go Home](/)`,
  ],
  "/enrollment-success": [
    "# Welcome to Your Course!",
    "## Check your email for access details",
    "## Log in",
    "## Lifetime access, at your own pace",
    "## Join the community",
    "[Log In](/auth)[Browse Courses](/courses)[Go Home](/)",
  ],
  "/nowhere": [
    "404",
    "# Page Not Found",
    "The page you're looking for doesn't exist or has been moved.",
    "[Go Home](/)[View Courses](/courses)[Learn About Coaching](/coaching)",
  ],
};

describe("GET", () => {
  test.each(Object.entries(pages))(
    "%s: says what the spec says, in its order",
    async (path, lines) => {
      const html = await read(path);
      expectInOrder(linesOf(mainOf(html)), lines);
      // What keeps words together breaks no tag.
      expect(html.replaceAll(/"[^"]*"/g, "").match(/<[a-z][^>]*\u00a0[^>]*>/g)).toBeNull();
    },
  );

  test.each([
    ["/", ["Home"]],
    ["/about", ["About"]],
    ["/courses", ["Courses"]],
    ["/courses/blue-dot-method", ["Courses"]],
    ["/coaching", ["Coaching"]],
    ["/auth?redirect=/courses", ["Log In"]],
    ["/auth/forgot", ["Log In"]],
    ["/privacy", []],
    ["/coursesx", []],
  ])("%s: header, footer and dialog; the active link is %j", async (path, active) => {
    const html = await read(path);
    const header = partOf(html, /<header/);
    const current = header.matchAll(/<a [^>]*aria-current="page"[^>]*>([^<]*)/g);
    expect([...current].map(([, name]) => name)).toEqual(active);
    const links = ["[Home](/)", "[About](/about)", "[Courses](/courses)", "[Coaching](/coaching)"];
    expectInOrder(linesOf(header), [
      ...[content.name, ...links],
      ...["[Log In](/auth)", "[My Courses](/my-courses)", "Subscribe"],
    ]);
    expectInOrder(linesOf(partOf(html, /<footer/)), [
      content.blurb,
      ...links.slice(1),
      ...["[Privacy](/privacy)", "[Terms](/terms)"],
      "## Stay Connected",
      ...form,
      `© ${new Date().getUTCFullYear()} ${content.name}`,
    ]);
    expectInOrder(linesOf(partOf(html, /<dialog/)), [
      "## Join my weekly newsletter",
      "Reflections, tools, and insights for living with loss.",
      ...form,
      "Unsubscribe at any time.",
    ]);
  });

  test.each(["/", "/about", "/newsletter"])(
    "%s: its newsletter form, and those of footer and dialog, ask for the same",
    async (path) => {
      const forms = (await read(path)).match(/<form [^>]*data-newsletter[\s\S]*?<\/form>/g) ?? [];
      expect(forms).toHaveLength(3);
      for (const html of forms) {
        const shown = elements(html, "input").filter(({ type }) => type !== "hidden");
        const [firstName, email, trap] = shown;
        expect(firstName).toMatchObject({ placeholder: "Your first name", required: "" });
        expect(email).toMatchObject({
          placeholder: "you@example.com",
          type: "email",
          required: "",
        });
        // Only robots find it.
        expect(trap).toMatchObject({ tabindex: "-1", autoComplete: "off" });
        expect(html).toMatch(/<div [^>]*aria-hidden="true"><label[^>]*>Leave this empty/);
      }
    },
  );

  test.each(["/", "/about"])("%s: its HTML fits into the first ten packets", async (path) => {
    expect(brotliCompressSync(await read(path)).length).toBeLessThan(10 * 1460);
  });

  test.each(publicPages.filter(({ path }) => !/^\/(auth|account|mail-preferences)/.test(path)))(
    "$path: only a sheet and two fonts come before the first paint, each in ten packets",
    async ({ path }) => {
      const html = await read(path);
      const links = elements(html, "link").filter(({ rel = "" }) => /preload|stylesheet/.test(rel));
      expect(links.map(({ rel, as }) => as ?? rel).sort()).toEqual(["font", "font", "stylesheet"]);
      for (const { href = "" } of links) {
        const { headers } = await site.ask(href, { headers: { "accept-encoding": "br" } });
        expect(Number(headers.get("content-length")), href).toBeGreaterThan(0);
        expect(Number(headers.get("content-length")), href).toBeLessThan(13.6 * 1024);
      }
      // A module waits for the page; JSON for search engines is not run.
      const scripts = elements(html, "script").filter(({ src, type }) => src && type !== "module");
      expect(scripts).toEqual([]);
    },
  );

  test("/: the pictures of the films come late, with their words", async () => {
    const films = partOf(await read("/"), /<section [^>]*aria-labelledby="featured"/);
    const pictures = elements(films, "img").map(({ alt, loading }) => ({ alt, loading }));
    for (const { picture } of featured) expect(picture).toMatch(/\.svg$/);
    // A drawing by day and the same at night.
    const expected = featured.map(({ alt }) => ({ alt, loading: "lazy" }));
    expect(pictures).toEqual(expected.flatMap((picture) => [picture, picture]));
  });

  test.each([undefined, "https://apply.example.org/form?id=7&lang=en"])(
    "/coaching: both 'Apply' lead to COACHING_APPLICATION_URL (%s), in the same tab, and say where",
    async (url) => {
      const own = url ? await startSite({ COACHING_APPLICATION_URL: url }) : site;
      const html = await read("/coaching", own);
      if (url) await own.close();
      const links = elements(html, "a").filter((link) => link["aria-describedby"]);
      expect(links).toHaveLength(2);
      for (const link of links) {
        expect(link).toMatchObject({
          href: url ?? application,
          rel: "noopener noreferrer",
        });
        expect(link).not.toHaveProperty("target");
        expect(html).toContain(`<p id="${link["aria-describedby"]}"`);
      }
      const notes = linesOf(html).filter((line) => /is on another site/.test(line));
      const host = url ? "apply.example.org" : "forms.example";
      expect(notes).toEqual(Array(2).fill(`The application form is on another site, ${host}.`));
    },
  );
});

test("public pages: everything that they lead to or bring along is there", async () => {
  const found = new Map<string, string>();
  const bad: string[] = [];
  for (const { path } of publicPages) {
    const html = await read(path);
    const brought = [...elements(html, "link"), ...elements(html, "img")];
    const pictures = elements(html, "meta").filter(({ property }) => property === "og:image");
    for (const { href, rel = "" } of elements(html, "a")) {
      if (!href) bad.push(`${path}: a link to nowhere`);
      else if (/^[/#]/.test(href)) found.set(new URL(href, site.url + path).href, path);
      else if (!/^(mailto|tel|sms):./.test(href) && !/^https:.* .*noopener/.test(`${href} ${rel}`))
        bad.push(`${path}: ${href} (${rel})`);
    }
    for (const { href, src } of brought) found.set(new URL(href ?? src ?? "", site.url).href, path);
    for (const { content: url = "" } of pictures)
      found.set(url.replace(site.services.config.appUrl, site.url), path);
  }
  expect(found.size).toBeGreaterThan(40);
  for (const [address, path] of found) {
    const { pathname, search, hash } = new URL(address);
    const response = await site.ask(pathname + search);
    const text = await response.text();
    if (hash ? !text.includes(` id="${hash.slice(1)}"`) : response.status >= 400)
      bad.push(`${path}: ${address} answers ${response.status}`);
  }
  expect(bad).toEqual([]);
});
