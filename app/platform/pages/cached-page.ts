import { createHash } from "node:crypto";
import { bestEncoding, compressedForGood, type Encoding } from "../http/compress.ts";
import { matchesTag } from "../http/send-file.ts";

// Browsers revalidate each time; a CDN after four seconds, five with the second of the watcher.
const cacheControl = "public, max-age=0, s-maxage=4, must-revalidate";
type Bytes = Buffer<ArrayBuffer>;

const vary = "Accept-Encoding, Cookie";

/** `headers` alternates names and values, as `writeHead` takes them fastest. */
export type CachedResponse = { status: 200 | 304; headers: string[]; body: Bytes | null };

type Variant = { tag: string; whole: CachedResponse; unchanged: CachedResponse };

export type CachedPage = { variants: Record<Encoding, Variant>; bytes: number };

export async function cachePage(html: Bytes, headers: Iterable<[string, string]>) {
  const bodies = { identity: html, ...(await compressedForGood(html)) };
  const common = [...headers].flat();
  const variant = (encoding: Encoding) => variantOf(encoding, bodies[encoding], common);
  const page: CachedPage = {
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
    // All headers: a cache replaces those it has with these (RFC 9111, 4.3.4).
    unchanged: { status: 304, headers: always, body: null },
  };
}

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
