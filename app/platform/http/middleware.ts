import path from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import { clientAddressHeader, sessionCookie } from "../auth/constants.ts";
import { withHostPrefix, withoutHostPrefix, withPlainCookies } from "../auth/cookies.ts";
import { logRefusal } from "../log/refusals.ts";
import type { Services } from "../services.ts";
import { clientAddress } from "./client-address.ts";
import { bestEncoding } from "./compress.ts";
import { errorResponse, wantsJson } from "./errors.ts";
import { plainPage } from "./plain-page.ts";
import { loggablePath, requestLine } from "./request-line.ts";
import {
  addCommonHeaders,
  commonHeaders,
  isForPrograms,
  isForSharing,
  isSameOrigin,
} from "./security.ts";
import { isPrefetch } from "./speculation.ts";

export type Env = { Bindings: HttpBindings; Variables: { clientAddress: string } };
export type Middleware = MiddlewareHandler<Env>;

/** A line for each request that is not answered from memory, which has its own. */
export function requestLog({ log }: Services): Middleware {
  const line = requestLine(log);
  return async (c, next) => {
    const start = performance.now();
    await next();
    // As URL has it: whatever was sent, these are printable characters of ASCII.
    const { pathname } = new URL(c.req.url);
    line(c.req.method, pathname, c.res.status, start, isPrefetch(c.req.raw.headers));
  };
}

/** Pages that a browser has made in advance for whoever signs out here. */
const madeInAdvance = '"prefetchCache", "prerenderCache"';
const endsSession = (cookie: string) =>
  cookie.startsWith(`${sessionCookie}=;`) && /; Max-Age=0(;|$)/i.test(cookie);

/**
 * Answers a page that has learned that nobody is signed in any more: the browser forgets the files
 * of this site that it has cached, such as media of lessons. Not with the answer to signing out:
 * Chromium holds that back until it has gone through the cache of all sites, for seconds. Nothing
 * stored goes: drafts wait there that the server does not have.
 */
export function clearCache(): Response {
  return new Response(null, { status: 204, headers: { "Clear-Site-Data": '"cache"' } });
}

/**
 * Headers that every answer carries, the caller's address for whoever needs it, and the names of
 * cookies, which are other ones over https.
 */
export function basics({ config }: Services): Middleware {
  const common = commonHeaders(config.appUrl);
  const isHttps = config.appUrl.startsWith("https:");
  return async (c, next) => {
    const cookies = c.req.header("cookie");
    if (isHttps && cookies) c.req.raw.headers.set("cookie", withoutHostPrefix(cookies));
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    const socket = c.env.incoming.socket.remoteAddress;
    c.set("clientAddress", clientAddress(socket, forwarded, config.trustedProxies));
    await next();
    // What is on its way already has them, and takes no more.
    if (c.res === RESPONSE_ALREADY_SENT) return;
    const { headers } = c.res;
    addCommonHeaders(headers, common);
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
    if (isForPrograms(c.req.path)) headers.set("X-Robots-Tag", "noindex");
    if (isForSharing(c.req.path)) headers.set("Cross-Origin-Resource-Policy", "cross-origin");
    const set = headers.getSetCookie();
    if (set.some(endsSession)) headers.set("Clear-Site-Data", madeInAdvance);
    if (!isHttps || set.length === 0) return;
    headers.delete("Set-Cookie");
    for (const line of set) headers.append("Set-Cookie", withHostPrefix(line));
  };
}

/** What scripts/build/compress.ts compresses, and what it makes of it. */
const compressible = /\.(js|css|svg|json|txt|webmanifest)(\.br|\.gz)?$/;

/**
 * Files of the build: those with a hash in their name may be kept for good, `siteScript` among
 * them. A page of another version, still open while this one starts, gets the script that there is.
 */
export function staticFiles(clientDir: string, siteScript: string): Middleware {
  const serve = serveStatic({
    root: clientDir,
    precompressed: true,
    rewriteRequestPath: (path) => path.replace(/^\/site-[0-9a-f]{10}\.js$/, "/site.js"),
    onFound(file, c) {
      // Also where the file itself is sent: a cache in front must not hand it to everybody.
      if (compressible.test(file)) c.header("Vary", "Accept-Encoding");
      const isForGood =
        file.startsWith(path.join(clientDir, "assets")) || c.req.path === siteScript;
      // Under the name of another version this is not what a cache may have for that name.
      const notForGood = c.req.path.startsWith("/site-") ? "no-cache" : "public, max-age=3600";
      c.header("Cache-Control", isForGood ? "public, max-age=31536000, immutable" : notForGood);
    },
  }) as Middleware;
  return async (c, next) => {
    // Small files go whole, whatever piece is asked for, and compressed for whoever says so in
    // whatever way: the library takes any range of any version, and 'br;q=1' for no encoding.
    const asked = c.req.raw.headers;
    const before = ["range", "accept-encoding"].map((name) => [name, asked.get(name)] as const);
    asked.set("accept-encoding", bestEncoding(asked.get("accept-encoding")));
    asked.delete("range");
    const response: unknown = await serve(c, () => {
      for (const [name, value] of before)
        if (value === null) asked.delete(name);
        else asked.set(name, value);
      return next();
    });
    // What comes back from further on is no Response, whatever the types say.
    if (!(response instanceof Response)) return;
    if (!isUnchanged(c.req.raw, response)) return response;
    await response.body?.cancel();
    const headers = new Headers(response.headers);
    for (const name of ["content-length", "content-type", "content-encoding"]) headers.delete(name);
    return new Response(null, { status: 304, headers });
  };
}

function isUnchanged({ headers }: Request, response: Response): boolean {
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  const changed = Date.parse(response.headers.get("last-modified") ?? "");
  return response.status === 200 && !headers.has("if-none-match") && changed <= since;
}

/** Operations that programs may call with an access token, for which cookies then do not count. */
const forPrograms = new Set(["/api/verify-admin", "/api/create-checkout"]);

/** Only our own pages may change anything, and programs with a token of their own. */
export function ownPagesOnly({ config, log }: Services): Middleware {
  return async (c, next) => {
    if (isSameOrigin(c.req.raw, config.appUrl)) return next();
    if (forPrograms.has(c.req.path) && c.req.header("authorization")) return next();
    logRefusal(log, "origin", loggablePath(c.req.path));
    const message = "This request did not come from a page of this site.";
    return wantsJson(c.req.raw)
      ? errorResponse("forbidden", message)
      : plainPage(403, "That did not work", `${message} Go back, reload the page and try again.`);
  };
}

/**
 * Nothing has a NUL in its address, and PostgreSQL refuses to look for one; what cannot be
 * decoded ('%zz') the router would complain about on standard error. No address of ours has two
 * slashes in a row, and many of them keep the router busy for a second. They all get the 404 page.
 */
export function readableAddress(
  page: (request: Request, address: string) => Promise<Response>,
): Middleware {
  return (c, next) => {
    if (isReadable(new URL(c.req.url).pathname)) return next();
    if (wantsJson(c.req.raw))
      return Promise.resolve(errorResponse("not_found", "There is nothing at this address."));
    const method = c.req.method === "HEAD" ? "HEAD" : "GET";
    const asked = new Request(new URL("/404", c.req.url), { method, headers: c.req.raw.headers });
    return page(asked, c.get("clientAddress"));
  };
}

function isReadable(path: string): boolean {
  try {
    return !path.includes("//") && !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** The request as the authentication library wants it: with an address that can be believed, and cookies that mean one thing. */
export function forAuth(request: Request, address: string, origin: string): Request {
  const headers = withPlainCookies(request.headers);
  headers.set(clientAddressHeader, address);
  if (headers.has("origin")) headers.set("origin", origin);
  return new Request(request, { headers });
}
