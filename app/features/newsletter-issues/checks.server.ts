import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";
import pLimit from "p-limit";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { MarkdownRefused } from "~/platform/markdown/refusal.ts";
import { renderEmailTree } from "~/platform/markdown/renderer.ts";
import type { Issue } from "./issues.server.ts";
import { issueMessages } from "./messages.ts";
import { previewIssue } from "./render-issue.server.ts";
import { type IssueCheck, wordChecks } from "./rules.ts";

/** Gmail cuts an email off after 102 KB of HTML, and hides the way out with what follows. */
const longestHtml = 100_000;

/** What a coach may want to change before an issue goes out. Nothing of it stands in the way, but a text
 * that cannot be made into an email. */
export async function checkIssue(services: Services, issue: Issue): Promise<IssueCheck[]> {
  const noAddress: IssueCheck[] = services.content.site.postalAddress.trim()
    ? []
    : [
        {
          title: "There is no postal address",
          text: "Many countries ask for one in every newsletter. It stands at its end once you have written it under Pages, 'On every page'.",
          href: "/admin/pages/site#postalAddress",
        },
      ];
  return [...wordChecks(issue), ...noAddress, ...(await sizeChecks(services, issue))];
}

async function sizeChecks(services: Services, issue: Issue): Promise<IssueCheck[]> {
  const preview = await unlessRefused(() => previewIssue(services, issue, ""));
  if (!preview) return [{ title: "It cannot be sent", text: issueMessages.textRefused }];
  const bytes = Buffer.byteLength(preview.html);
  if (bytes <= longestHtml) return [];
  const text = `The email has ${Math.round(bytes / 1000)} KB. Gmail cuts off what is after 100 KB, with the link to unsubscribe.`;
  return [{ title: "It is very long", text }];
}

async function unlessRefused<T>(render: () => Promise<T>): Promise<T | null> {
  try {
    return await render();
  } catch (error) {
    if (error instanceof MarkdownRefused) return null;
    throw error;
  }
}

const checksAnHour = 60;
const mostLinks = 30;
const linkMs = 4_000;

type Tree = { tagName?: string; properties?: { href?: string }; children?: Tree[] };

function hrefsIn(node: Tree): string[] {
  const own = node.tagName === "a" && node.properties?.href ? [node.properties.href] : [];
  return [...own, ...(node.children ?? []).flatMap(hrefsIn)];
}

/** The links of a text that lead nowhere, of its first 30: asked for one by one. What does not answer, or
 * wants to know who asks, is not called broken. @returns null where they were not asked */
export async function findBrokenLinks(
  services: Services,
  body: string,
  adminId: string,
): Promise<string[] | null> {
  const { appUrl } = services.config;
  const limit = { what: "link check", whose: adminId, max: checksAnHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit))) return null;
  const tree = await unlessRefused(() => renderEmailTree(body, appUrl));
  if (!tree) return null;
  const urls = [...new Set(hrefsIn(tree))].filter((href) => /^https?:/.test(href));
  const turns = pLimit(5);
  const broken = await Promise.all(
    urls.slice(0, mostLinks).map((url) => turns(() => isBroken(url, appUrl))),
  );
  return urls.filter((_, index) => broken[index]);
}

async function isBroken(href: string, appUrl: string): Promise<boolean> {
  const url = new URL(href);
  try {
    if (url.origin !== new URL(appUrl).origin && (await isInside(url.hostname))) return false;
    const signal = AbortSignal.timeout(linkMs);
    const response = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    return response.status === 404 || response.status === 410;
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return code === "ENOTFOUND";
  }
}

const inside = new BlockList();
for (const [net, bits] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const),
  ...([
    ["100.64.0.0", 10],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ] as const),
])
  inside.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  inside.addSubnet(net, bits, "ipv6");

/** Whether a name leads into this machine's own network, which no text may look into. */
async function isInside(hostname: string): Promise<boolean> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
  return found.some(({ address, family }) => inside.check(address, family === 6 ? "ipv6" : "ipv4"));
}
