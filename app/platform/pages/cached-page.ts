import { createHash } from "node:crypto";
import { bestEncoding, compressedForGood, type Encoding } from "../http/compress.ts";
import { matchesTag } from "../http/send-file.ts";

// Browsers revalidate each time; a CDN after four seconds, five with the second of the watcher.
const cacheControl = "public, max-age=0, s-maxage=4, must-revalidate";

type Bytes = Buffer<ArrayBuffer>;

/** `headers` alternates names and values, as `writeHead` takes them fastest. */
type CachedResponse = { status: 200 | 304; headers: string[]; body: Bytes | null };
type Variant = { tag: string; whole: CachedResponse; unchanged: CachedResponse };

export type CachedPage = { variants: Record<Encoding, Variant>; bytes: number };

export async function cachePage(
  html: Bytes,
  headers: Iterable<[string, string]>,
): Promise<CachedPage> {
  const { br, gzip } = await compressedForGood(html);
  const common = [...headers].flat();
  return {
    variants: {
      br: variantOf(br, common, ["content-encoding", "br"]),
      gzip: variantOf(gzip, common, ["content-encoding", "gzip"]),
      identity: variantOf(html, common, []),
    },
    bytes: html.length + br.length + gzip.length,
  };
}

function variantOf(body: Bytes, common: string[], coding: string[]): Variant {
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const always = [...common, "cache-control", cacheControl, "etag", tag];
  always.push("vary", "Accept-Encoding, Cookie");
  const length = ["content-length", String(body.length)];
  return {
    tag,
    whole: { status: 200, headers: [...always, ...coding, ...length], body },
    // All headers: a cache replaces those it has with these (RFC 9111, 4.3.4).
    unchanged: { status: 304, headers: always, body: null },
  };
}

/** The whole page, or that it has not changed, by the request's Accept-Encoding and If-None-Match. */
export function answerOf(
  page: CachedPage,
  accepted: string | null | undefined,
  ifNoneMatch: string | null | undefined,
): CachedResponse {
  const { tag, whole, unchanged } = page.variants[encodingFor(accepted ?? "")];
  return matchesTag(ifNoneMatch, tag) ? unchanged : whole;
}

export function responseOf(page: CachedPage, request: Headers): Response {
  const asked = (name: string) => request.get(name);
  const answer = answerOf(page, asked("accept-encoding"), asked("if-none-match"));
  const headers = new Headers();
  for (let at = 0; at < answer.headers.length; at += 2)
    headers.set(answer.headers[at] ?? "", answer.headers[at + 1] ?? "");
  return new Response(answer.body, { status: answer.status, headers });
}

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
