import { createHash } from "node:crypto";
import { bestEncoding, compressedForGood, type Encoding } from "../compress.ts";
import { matchesTag } from "../entity-tag.ts";

/**
 * Anybody may keep it, nobody may use it unasked: a browser asks each time and gets a 304; a
 * CDN asks every four seconds, which with the second of the watcher makes five.
 */
const cacheControl = "public, max-age=0, s-maxage=4, must-revalidate";
type Bytes = Buffer<ArrayBuffer>;

const vary = "Accept-Encoding, Cookie";

/** What is sent: header names and values in turns, as `writeHead` takes them quickest; no body with 304. */
export type KeptAnswer = { status: 200 | 304; headers: string[]; body: Bytes | null };

type Variant = { tag: string; whole: KeptAnswer; unchanged: KeptAnswer };

/** A page as it is kept: every encoding of it, with its headers. */
export type KeptPage = { variants: Record<Encoding, Variant>; bytes: number };

/** Answers ready to be sent, from a page's HTML and its headers other than those about caching. */
export async function keptPage(html: Bytes, headers: Iterable<[string, string]>) {
  const bodies = { identity: html, ...(await compressedForGood(html)) };
  const common = [...headers].flat();
  const variant = (encoding: Encoding) => variantOf(encoding, bodies[encoding], common);
  const page: KeptPage = {
    variants: { br: variant("br"), gzip: variant("gzip"), identity: variant("identity") },
    bytes: html.length + bodies.br.length + bodies.gzip.length,
  };
  return page;
}

function variantOf(encoding: Encoding, body: Bytes, common: string[]): Variant {
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const always = [...common, "cache-control", cacheControl, "vary", vary, "etag", tag];
  const coding = encoding === "identity" ? [] : ["content-encoding", encoding];
  const length = ["content-length", String(body.length)];
  return {
    tag,
    whole: { status: 200, headers: [...always, ...coding, ...length], body },
    // With all headers: a cache puts them in the place of those it has (RFC 9111, 4.3.4).
    unchanged: { status: 304, headers: always, body: null },
  };
}

/** The answer for a request with these headers. */
export function answerOf(
  page: KeptPage,
  accepted: string | null | undefined,
  ifNoneMatch: string | null | undefined,
): KeptAnswer {
  const { tag, whole, unchanged } = page.variants[encodingFor(accepted ?? "")];
  return matchesTag(ifNoneMatch, tag) ? unchanged : whole;
}

/** The same for the rest of the server, which speaks Request and Response. */
export function responseOf(page: KeptPage, request: Headers): Response {
  const asked = (name: string) => request.get(name);
  const answer = answerOf(page, asked("accept-encoding"), asked("if-none-match"));
  const headers = new Headers();
  for (let at = 0; at < answer.headers.length; at += 2)
    headers.set(answer.headers[at] ?? "", answer.headers[at + 1] ?? "");
  return new Response(answer.body, { status: answer.status, headers });
}

// Browsers send a handful of different ones.
const known = new Map<string, Encoding>();

function encodingFor(accepted: string): Encoding {
  let encoding = known.get(accepted);
  if (!encoding) {
    encoding = bestEncoding(accepted);
    if (known.size >= 100) known.clear();
    known.set(accepted, encoding);
  }
  return encoding;
}
