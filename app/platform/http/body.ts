import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { readingOf } from "../auth/session.ts";
import { findSession } from "../auth/session-row.ts";
import { isUnreachable } from "../db/errors.ts";
import type { Role } from "../db/tables.ts";
import { logRefusal } from "../log/log.ts";
import { errorResponse, wantsJson } from "../utils/errors.ts";
import { limitConcurrency } from "./limits.ts";
import type { Env, Middleware } from "./middleware.ts";
import { plainPage } from "./plain-page.ts";
import { hasBody } from "./request-guard.ts";
import { loggablePath } from "./request-line.ts";
import type { Services } from "./services.ts";

const kib = 1024;

const bodiless = new Set(["GET", "HEAD", "TRACE"]);

const smallBody = 64 * kib;

const journalPath = /^\/(courses\/[^/]+\/learn|my-courses\/journal)(\/|\.data|$)/;
const lessonPath = /^\/admin\/lessons(\/|\.data|$)/;

const filePath = /^\/admin\/(pictures|newsletter\/import)(\.data)?$/;
// A picture or a list of subscribers of 20 MB with its form.
const fileBody = 20 * kib * kib + smallBody;

// In bytes. A journal form takes nine bytes a character; leaves room to say that it is too long.
const longText = 4 * kib * kib;
// A photograph of a handwritten page, of 10 MB and a little more, to say that it is too large.
const photograph = 10 * kib * kib;

function roomFor(path: string, type: string, role: Role | null): number {
  if (role === null) return smallBody;
  if (journalPath.test(path)) return longText + (isMultipart(type) ? photograph : 0);
  if (role === "admin" && lessonPath.test(path)) return longText;
  if (role === "admin" && filePath.test(path)) return fileBody;
  return role === "admin" ? 256 * kib : smallBody;
}

const isUrlEncoded = (type: string) => /^\s*application\/x-www-form-urlencoded/i.test(type);
const isMultipart = (type: string) => /^\s*multipart\/form-data/i.test(type);

// Bodies over `smallBody`, and over `longText`, in memory at once: one user's tabs take turns.
const largeAtOnce = { each: 2, all: 8 };
const photographsAtOnce = { each: 1, all: 4 };

// Fields of a form: a journal sends 100 answers, each with its question, and their drafts.
const maxPairs = 240;

// Brackets, commas and colons outside the strings of a JSON body: a draft has six an answer.
const maxTokens = 2_000;

/** Reads bodies, except uploads, and refuses large ones before any parser sees them:
 * `URLSearchParams` of Node 24.21 takes time in the square of the number of pairs without '='
 * (`parseParams` searches to the end each time; Node 20 does not), and parsed data is held several
 * times over. */
export function readBodies(services: Services): Middleware {
  const large = limitConcurrency(largeAtOnce);
  const photographs = limitConcurrency(photographsAtOnce);
  return async (c, next) => {
    const refusal = await take(c, next);
    // Where a later handler has answered, this is the context and not a Response.
    if (refusal instanceof Response) logRefusal(services.log, "body", loggablePath(c.req.path));
    return refusal;
  };

  async function take(c: Context<Env>, next: () => Promise<void>): ReturnType<Middleware> {
    const { raw } = c.req;
    if (!hasBody(c.env.incoming) || bodiless.has(raw.method)) return next();
    const length = Number(raw.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
    if (length <= smallBody) return readAndGoOn(c, next, smallBody);
    const viewer = await findSession(services, raw.headers).then(
      (row) => row && readingOf(row).viewer,
      unlessUnreachable,
    );
    const type = raw.headers.get("content-type") ?? "";
    const room = roomFor(c.req.path, type, viewer?.role ?? null);
    if (Number.isFinite(length) && length > room) return tooLarge(raw, viewer === null);
    if (!viewer) return readAndGoOn(c, next, room);
    const end = (Math.min(length, room) > longText ? photographs : large).begin(viewer.id);
    if (!end) return tooManyAtOnce(raw);
    try {
      return await readAndGoOn(c, next, room);
    } finally {
      end();
    }
  }
}

// The text is read all the same: the page that says so has it, to be sent again.
function unlessUnreachable(error: unknown): { id: string; role: Role } {
  if (isUnreachable(error)) return { id: "", role: "admin" };
  throw error;
}

export function limitBody(bytes: number): Middleware {
  const counting = bodyLimit({ maxSize: bytes, onError: (c) => tooLarge(c.req.raw) });
  return (c, next) => {
    // An untouched body is drained after the answer, and the connection stays usable for the next
    // request; reading a part of it would end the connection.
    const announced = Number(c.req.header("content-length") ?? 0);
    return announced > bytes ? Promise.resolve(tooLarge(c.req.raw)) : counting(c, next);
  };
}

async function readAndGoOn(c: Context<Env>, next: () => Promise<void>, room: number) {
  const { raw } = c.req;
  const bytes = await readUpTo(raw, room);
  if (!bytes) return tooLarge(raw, false);
  const type = raw.headers.get("content-type") ?? "";
  if (hasTooManyParts(bytes, type)) return tooManyParts(raw);
  if (isUrlEncoded(type)) plusesToSpaces(bytes);
  const { method, headers, signal } = raw;
  c.req.raw = new Request(raw.url, { method, headers, signal, body: bytes });
  bodies.set(c.req.raw, bytes);
  return next();
}

const bodies = new WeakMap<Request, Uint8Array<ArrayBuffer>>();

/** The fields of a form that was read before, without its files; none for anything else. */
export async function sentFields(request: Request): Promise<[string, string][]> {
  const body = bodies.get(request);
  const type = request.headers.get("content-type") ?? "";
  if (!body || markBetween(type) === null) return [];
  const form = await new Response(body, { headers: { "content-type": type } })
    .formData()
    .catch(() => new FormData());
  return [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
}

async function readUpTo(request: Request, room: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > room) return null;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

export function hasTooManyParts(body: Uint8Array<ArrayBuffer>, contentType: string): boolean {
  const mark = markBetween(contentType);
  if (mark === null) return hasTooManyTokens(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let found = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    found += 1;
    if (found > maxPairs) return true;
  }
  return false;
}

const [quote, backslash, plus, space] = [0x22, 0x5c, 0x2b, 0x20];
const tokens = new Set([..."[]{},:"].map((token) => token.charCodeAt(0)));

function hasTooManyTokens(body: Uint8Array): boolean {
  let found = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === quote) inText = !inText;
    else if (inText && byte === backslash) at += 1;
    else if (!inText && tokens.has(byte)) {
      found += 1;
      if (found > maxTokens) return true;
    }
  }
  return false;
}

/** In place. Means the same, and `URLSearchParams` of Node 24 takes 60 ms for a MiB of pluses. */
function plusesToSpaces(body: Uint8Array): void {
  for (let at = 0; at < body.length; at += 1) if (body[at] === plus) body[at] = space;
}

function markBetween(contentType: string): string | null {
  if (isUrlEncoded(contentType)) return "&";
  if (!isMultipart(contentType)) return null;
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return `--${quoted ?? plain ?? ""}`;
}

const wordsStay = "Nothing was deleted: your browser’s back button brings back what you wrote.";

function tooMuch(request: Request, json: string, text: string): Response {
  return wantsJson(request)
    ? errorResponse("too_large", json)
    : plainPage(413, "That is too much at once", text);
}

function tooLarge(request: Request, isSignedOut = false): Response {
  const path = new URL(request.url).pathname;
  const isText = journalPath.test(path) || lessonPath.test(path);
  // A program would take the size for the reason.
  if (isSignedOut && isText && wantsJson(request))
    return errorResponse("unauthenticated", "You are not signed in any more.");
  const advice =
    isSignedOut && isText
      ? " You are not signed in any more: sign in again in another tab, then go back and send it again."
      : "";
  return tooMuch(
    request,
    "That is more than this address accepts.",
    `What you sent is larger than this page can take. ${wordsStay}${advice}`,
  );
}

function tooManyParts(request: Request): Response {
  return tooMuch(
    request,
    "That has more parts than this address accepts.",
    `What you sent has more fields than any page of this site. ${wordsStay}`,
  );
}

function tooManyAtOnce(request: Request): Response {
  const message = "Too many long texts are arriving at once. Please send it again in a minute.";
  const response = wantsJson(request)
    ? errorResponse("unavailable", message)
    : plainPage(503, "Please try again in a minute", `${message} ${wordsStay}`);
  response.headers.set("Retry-After", "10");
  return response;
}
