import { Feed } from "feed";
import rehypeParse from "rehype-parse";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import type { Services } from "~/platform/http/services.ts";
import { walk } from "~/platform/markdown/render.ts";
import { escapeHtml } from "~/platform/utils/html.ts";
import { listNewestIssues } from "./archive.server.ts";
import { archivePath, feedPath, issuePath, withoutControls } from "./rules.ts";

const newest = 20;
/** Characters of HTML in all: beyond it, an issue has its preview and a link. */
const mostText = 400_000;

const reader = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify).freeze();

/** For a reader elsewhere: addresses are absolute, those within the page lead to it, and pictures have
 * one size. */
export function absoluteAddresses(html: string, page: string): string {
  const tree = reader.parse(html);
  walk(tree as Parameters<typeof walk>[0], ({ properties = {} }) => {
    const found = properties as Record<string, unknown>;
    for (const name of ["srcSet", "sizes", "loading", "decoding"]) delete found[name];
    for (const name of ["href", "src"]) {
      const url = typeof found[name] === "string" ? URL.parse(found[name], page) : null;
      if (url) found[name] = url.href;
    }
  });
  return reader.stringify(tree);
}

/** The newest issues as Atom (RFC 4287). What it gets is HTML without a bare '>': of several ']]>' in a
 * text, the library takes only the first apart. */
export async function archiveFeed(services: Services): Promise<string> {
  const { config, content } = services;
  const { site } = content;
  const rows = await listNewestIssues(services, newest);
  const times = rows.map(({ updatedAt }) => updatedAt.getTime());
  const feed = new Feed({
    id: config.appUrl + feedPath,
    title: withoutControls(`${site.newsletterTitle}: ${site.name}`),
    description: withoutControls(site.newsletterSubtitle),
    link: config.appUrl + archivePath,
    feedLinks: { atom: config.appUrl + feedPath },
    author: { name: withoutControls(site.coachName) },
    // The day of the first commit, for a feed without issues: it stays the same.
    updated: new Date(times.length > 0 ? Math.max(...times) : Date.UTC(2026, 10, 1)),
    copyright: "",
    generator: withoutControls(site.name),
    language: "en",
  });
  let room = mostText;
  for (const { id, slug, subject, preview, html, startedAt, updatedAt } of rows) {
    const link = config.appUrl + issuePath(slug ?? "");
    room -= html.length;
    feed.addItem({
      // Stays the same where the slug changes, and where the site moves.
      id: `urn:uuid:${id}`,
      title: escapeHtml(withoutControls(subject)),
      description: escapeHtml(withoutControls(preview)),
      ...(room >= 0 && { content: textOf(html, link) }),
      link,
      date: updatedAt,
      published: startedAt ?? updatedAt,
    });
  }
  return feed.atom1();
}

const textOf = (html: string, page: string) =>
  withoutControls(absoluteAddresses(html, page)).replaceAll("]]>", "]]&gt;");
