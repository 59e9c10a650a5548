import path from "node:path";
import type { LentFile } from "../storage/open-files.ts";
import { readStored } from "../storage/storage.ts";
import { matchesTag } from "./send-file.ts";
import type { Services } from "./services.ts";

const address = /^\/pictures\/([\da-f]{32}-(?:\d{1,4}\.webp|(?:card|email)\.(?:jpg|png)))$/;
const types = { webp: "image/webp", jpg: "image/jpeg", png: "image/png" };

export type PictureAnswer = {
  status: number;
  headers: Record<string, string>;
  /** The sender must call `giveBack` on a file. */
  body: { file: LentFile; size: number } | Uint8Array<ArrayBuffer> | null;
};

/** A public picture, cached for good, since another one has another hash. Null for an address that is
 * none, as of the drawings in public/pictures. From S3 it comes through this server: pages in caches
 * can hold no address that expires. */
export async function answerPicture(
  { storage }: Services,
  request: Request,
): Promise<PictureAnswer | null> {
  const [, name] = address.exec(new URL(request.url).pathname) ?? [];
  if (!name) return null;
  const type = types[path.extname(name).slice(1) as keyof typeof types];
  const tag = `"${name}"`;
  const headers = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Type": type,
    // Messengers and networks show a card on pages of their own.
    ...(type !== types.webp && { "Cross-Origin-Resource-Policy": "cross-origin" }),
    ETag: tag,
  };
  const missing = { status: 404, headers: { "Cache-Control": "no-store" }, body: null };
  const key = `public/${name}`;
  const isHead = request.method === "HEAD";
  const isKnown = matchesTag(request.headers.get("if-none-match"), tag);
  if (isHead || isKnown) {
    const found = await storage.find("pictures", key);
    if (!found) return missing;
    if (isKnown) return { status: 304, headers, body: null };
    return { status: 200, headers: { ...headers, "Content-Length": `${found.size}` }, body: null };
  }
  const file = storage.kind === "local" ? await storage.lend("pictures", key) : null;
  const bytes = storage.kind === "local" ? null : await readStored(storage, "pictures", key);
  const size = file?.size ?? bytes?.length;
  if (size === undefined) return missing;
  const all = { ...headers, "Content-Length": `${size}` };
  return { status: 200, headers: all, body: file ? { file, size } : bytes };
}
