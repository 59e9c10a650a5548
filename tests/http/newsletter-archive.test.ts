import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { requestIssueCard, visitsOfIssue } from "~/features/newsletter-archive/archive.server.ts";
import { headOf } from "../support/head.ts";
import { publishIssue } from "../support/newsletter-issues.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { mainOf, readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { lineAttacks, marked } from "../support/xss.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
const day = (text: string) => new Date(`${text}T12:00:00Z`);

const read = async (path: string) => {
  const answer = await site.ask(path);
  return { answer, html: await answer.text() };
};
const main = async (path: string) => readable(mainOf((await read(path)).html));
/** As after an admin's change: what is cached is looked at again. */
const look = () => site.ask("/nothing-here", { as: admin, form: {} });
const slugsIn = (html: string) =>
  [...mainOf(html).matchAll(/<h2[^>]*><a href="\/newsletter\/([\w-]+)"/g)].map(([, slug]) => slug);

beforeEach(async () => {
  await site.services.db.write.deleteFrom("newsletterIssues").execute();
  await look();
});

describe("GET /newsletter/archive", () => {
  test("while it is empty: says what will come, offers the form, and is not indexed", async () => {
    const { answer, html } = await read("/newsletter/archive");
    expect(answer.status).toBe(200);
    expect(readable(mainOf(html))).toContain("Nothing has been sent yet.");
    expect(html).toContain('id="newsletter-section-form"');
    expect(headOf(html).meta("robots")).toEqual(["noindex"]);
    expect((await read("/sitemap.xml")).html).not.toContain("/newsletter/");
    expect(mainOf((await read("/newsletter")).html)).not.toContain("/newsletter/archive");
  });

  test("lists what was sent, newest first, and nothing else", async () => {
    const { services } = site;
    await publishIssue(services, { slug: "first", startedAt: day("2026-01-05") });
    await publishIssue(services, { slug: "second", startedAt: day("2026-01-12") });
    await publishIssue(services, { slug: "going", startedAt: day("2026-01-19"), state: "sending" });
    await publishIssue(services, {
      slug: "halted",
      startedAt: day("2026-01-18"),
      state: "stopped",
    });
    await publishIssue(services, { slug: "left-out", inArchive: false });
    await publishIssue(services, { slug: "welcome", welcomeDay: 3 });
    await publishIssue(services, { slug: "draft", state: "draft", startedAt: null });
    await publishIssue(services, { slug: "later", state: "scheduled", startedAt: null });
    await look();
    const { html } = await read("/newsletter/archive");
    expect(slugsIn(html)).toEqual(["going", "halted", "second", "first"]);
    expect(readable(html)).toContain("January 12, 2026");
    expect(headOf(html).meta("robots")).toEqual([]);
    for (const slug of ["left-out", "welcome", "draft", "later", "archived"])
      expect([slug, (await site.ask(`/newsletter/${slug}`)).status]).toEqual([slug, 404]);
    const feed = (await read("/newsletter/feed.xml")).html;
    expect(feed).not.toMatch(/left-out|welcome|draft|later/);
    expect(mainOf((await read("/newsletter")).html)).toContain('href="/newsletter/archive"');
  });

  test("shows 20, and all of them on the pages of their years, in the zone of the site", async () => {
    for (let n = 1; n <= 24; n += 1) {
      const startedAt = new Date(day("2026-01-01").getTime() - n * 7 * 86_400_000);
      await publishIssue(site.services, { slug: `issue-${n}`, startedAt });
    }
    // In New York it is still 2025.
    const startedAt = new Date("2026-01-01T03:00:00Z");
    await publishIssue(site.services, { slug: "eve", startedAt });
    await look();
    const { html } = await read("/newsletter/archive");
    expect(slugsIn(html)).toHaveLength(20);
    expect(slugsIn(html)[0]).toBe("eve");
    const years = [...html.matchAll(/href="\/newsletter\/archive\/(\d+)"/g)].map(
      ([, year]) => year,
    );
    expect(years).toEqual(["2025"]);
    const year = (await read("/newsletter/archive/2025")).html;
    expect(slugsIn(year)).toHaveLength(25);
    expect(headOf(year).meta("robots")).toEqual(["noindex"]);
    for (const other of ["2026", "2024", "1999", "99999", "all"])
      expect((await site.ask(`/newsletter/archive/${other}`)).status).toBe(404);
  });

  test("a new issue, a changed and a withdrawn one show at once, here as on a second visit", async () => {
    const title = async () => /<h1[^>]*>([^<]*)/.exec((await read("/newsletter/new")).html)?.[1];
    expect((await site.ask("/newsletter/new")).status).toBe(404);
    expect(slugsIn((await read("/newsletter/archive")).html)).toEqual([]);
    await publishIssue(site.services, { slug: "new", subject: "Before" });
    await look();
    expect(slugsIn((await read("/newsletter/archive")).html)).toEqual(["new"]);
    expect(await title()).toBe("Before");
    expect((await site.ask("/newsletter/new")).headers.get("cache-control")).toContain("s-maxage");
    const change = (values: { subject?: string; inArchive?: boolean; sent?: number }) =>
      site.services.db.write.updateTable("newsletterIssues").set(values).execute();
    await change({ subject: "After" });
    // Without an admin's request: as seen from another machine.
    await vi.waitFor(async () => expect(await title()).toBe("After"), { timeout: 10_000 });
    const tag = async () => (await site.ask("/newsletter/feed.xml")).headers.get("etag");
    const before = await tag();
    await change({ sent: 5 });
    await look();
    expect(await tag()).toBe(before);
    await change({ inArchive: false });
    await look();
    expect((await site.ask("/newsletter/new")).status).toBe(404);
    expect(await tag()).not.toBe(before);
  });
});

describe("GET /newsletter/:slug", () => {
  test("shows its text, the issues beside it, and the form", async () => {
    const html = "<p>By the <strong>water</strong>.</p>";
    await publishIssue(site.services, { slug: "one", startedAt: day("2026-02-02") });
    await publishIssue(site.services, { slug: "two", startedAt: day("2026-02-09"), html });
    await publishIssue(site.services, { slug: "three", startedAt: day("2026-02-16") });
    await look();
    const page = (await read("/newsletter/two")).html;
    expect(page).toContain("By the <strong>water</strong>");
    expect(page).toContain('class="dot end-mark"');
    expect(page).toMatch(/href="\/newsletter\/one" rel="prev"/);
    expect(page).toMatch(/href="\/newsletter\/three" rel="next"/);
    expect(page).toContain('id="newsletter-section-form"');
    expect(headOf(page).link("alternate")).toEqual([
      `${site.services.config.appUrl}/newsletter/feed.xml`,
    ]);
    expect((await read("/newsletter/one")).html).not.toContain('rel="prev"');
    expect((await read("/newsletter/three")).html).not.toContain('rel="next"');
  });

  test("has a share picture with its subject once that is drawn", async () => {
    const { services } = site;
    const subject = "The coat in the hallway";
    const id = await publishIssue(services, { slug: "coat", subject });
    await services.db.transaction((trx) => requestIssueCard(trx, services, { id, subject }));
    services.wakeWorker();
    await vi.waitFor(
      async () => {
        const { meta } = headOf((await read("/newsletter/coat")).html);
        expect(meta("og:image")[0]).toMatch(/\/pictures\/[^/]+-card\.png$/);
        expect(meta("og:image:alt")[0]).toContain(subject);
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  test("is counted as any public page, and its visits can be read", async () => {
    await publishIssue(site.services, { slug: "seen" });
    const browser = {
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    };
    for (const path of ["/newsletter/seen", "/newsletter/seen", "/newsletter/feed.xml"])
      await site.ask(path, { headers: browser });
    await site.visits.flush();
    expect(await visitsOfIssue(site.services, "seen")).toEqual({ arrivals: 2, openings: 2 });
    expect(await visitsOfIssue(site.services, "none")).toEqual({ arrivals: 0, openings: 0 });
    const { db } = site.services;
    const feeds = db.read.selectFrom("visits").select("page").where("page", "like", "%.xml");
    expect(await feeds.execute()).toEqual([]);
  });
});

type Entry = Record<string, unknown> & { link: { "@href": string }; content?: { "#text": string } };

/** The feed as a program reads it; fails where it is not well-formed. */
async function feed() {
  const { answer, html: xml } = await read("/newsletter/feed.xml");
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    isArray: (name) => name === "entry",
  });
  const { entry = [], ...head } = parser.parse(xml).feed as Record<string, unknown> & {
    entry?: Entry[];
  };
  return { answer, xml, head, entries: entry };
}

describe("GET /newsletter/feed.xml", () => {
  test("has what Atom requires, whole texts, and addresses that work elsewhere (RFC 4287)", async () => {
    const { appUrl } = site.services.config;
    const html =
      '<p><a href="/courses?a=1&#x26;b=2">one</a> <a href="#user-content-fn-1">2</a> ]]> and ]]> <a href="https://example.com/">x</a> <code>href="/left"</code></p><p><img src="/pictures/a.jpg" alt="a > b" srcset="/pictures/a.jpg 1x" sizes="9px"></p>';
    const id = await publishIssue(site.services, {
      ...{ slug: "one", subject: "Salt & <sugar> ]]> ]]>\u0007", preview: "1 < 2 & 3", html },
      startedAt: day("2026-03-02"),
    });
    await look();
    const { answer, head, entries } = await feed();
    expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    const tag = answer.headers.get("etag") ?? "";
    const again = await site.ask("/newsletter/feed.xml", { headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
    expect(head).toMatchObject({
      "@xmlns": "http://www.w3.org/2005/Atom",
      id: `${appUrl}/newsletter/feed.xml`,
      title: expect.stringMatching(/\S/),
      updated: "2026-03-02T12:00:00.000Z",
      author: { name: expect.stringMatching(/\S/) },
    });
    expect(head.link).toEqual([
      { "@rel": "alternate", "@href": `${appUrl}/newsletter/archive` },
      { "@rel": "self", "@href": `${appUrl}/newsletter/feed.xml` },
    ]);
    expect(head).not.toHaveProperty("rights");
    expect(entries).toEqual([
      {
        id: `urn:uuid:${id}`,
        title: { "@type": "html", "#text": "Salt &amp; &lt;sugar&gt; ]]&gt; ]]&gt;" },
        link: { "@href": `${appUrl}/newsletter/one` },
        updated: "2026-03-02T12:00:00.000Z",
        published: "2026-03-02T12:00:00.000Z",
        summary: { "@type": "html", "#text": "1 &lt; 2 &amp; 3" },
        content: { "@type": "html", "#text": expect.any(String) },
      },
    ]);
    expect(entries[0]?.content?.["#text"]).toBe(
      `<p><a href="${appUrl}/courses?a=1&#x26;b=2">one</a> <a href="${appUrl}/newsletter/one#user-content-fn-1">2</a> ]]&gt; and ]]&gt; <a href="https://example.com/">x</a> <code>href="/left"</code></p><p><img src="${appUrl}/pictures/a.jpg" alt="a > b"></p>`,
    );
  });

  test("without an issue is a feed as well; of many it has 20, and no more text than it can carry", async () => {
    expect((await feed()).entries).toEqual([]);
    const html = `<p>${"words ".repeat(10_000)}</p>`;
    for (let n = 1; n <= 22; n += 1)
      await publishIssue(site.services, {
        ...{ slug: `issue-${n}`, html },
        startedAt: new Date(day("2026-03-02").getTime() + n * 86_400_000),
      });
    await look();
    const { entries, xml } = await feed();
    expect(entries).toHaveLength(20);
    expect(entries[0]?.link["@href"]).toMatch(/issue-22$/);
    expect(entries.filter(({ content }) => content)).toHaveLength(6);
    expect(xml.length).toBeLessThan(450_000);
  });
});

describe("whatever stands in subjects and previews", () => {
  test("nothing of it becomes an element, in the archive, on a page or in the feed", async () => {
    const attacks = lineAttacks.slice(0, 60);
    for (const [at, attack] of attacks.entries())
      await publishIssue(site.services, {
        ...{ slug: `attack-${at}`, subject: marked(attack, at), preview: marked(attack, at) },
        startedAt: new Date(day("2025-05-01").getTime() + at * 3600_000),
      });
    await look();
    for (const path of [
      "/newsletter/archive/2025",
      "/newsletter/attack-0",
      "/newsletter/attack-30",
    ]) {
      const { html } = await read(path);
      const rest = html.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/gi, "");
      expect(rest).toContain("xss(");
      expect(rest).not.toMatch(
        /<script|<[^<>]*\son[a-z]+\s*=\s*["']?xss|<(svg|math|iframe|base)\b[^>]*xss/i,
      );
      expect(rest).not.toMatch(/href="(javascript|data|vbscript):/i);
    }
    for (const { title } of (await feed()).entries)
      expect((title as { "#text": string })["#text"]).not.toMatch(/[<>]/);
    expect(await main("/newsletter/archive/2025")).toContain("xss(59)");
  });
});
