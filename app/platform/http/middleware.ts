import path from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import { clientAddressHeader, sessionCookie } from "../auth/constants.ts";
import { withHostPrefix, withoutHostPrefix, withPlainCookies } from "../auth/cookies.ts";
import { logRefusal } from "../log/log.ts";
import { withTimeout } from "../utils/clock.ts";
import { errorResponse, wantsJson } from "../utils/errors.ts";
import { clientAddress, watchProxies } from "./client-address.ts";
import { bestEncoding } from "./compress.ts";
import { plainPage } from "./plain-page.ts";
import { loggablePath, requestLine } from "./request-line.ts";
import {
  addCommonHeaders,
  commonHeaders,
  isForPrograms,
  isForSharing,
  isSameOrigin,
} from "./security.ts";
import type { Services } from "./services.ts";
import { isPrefetch } from "./speculation.ts";

export type Env = { Bindings: HttpBindings; Variables: { clientAddress: string } };
export type Middleware = MiddlewareHandler<Env>;

export function requestLog({ log }: Services): Middleware {
  const line = requestLine(log);
  return async (c, next) => {
    const start = performance.now();
    await next();
    const { pathname } = new URL(c.req.url);
    line(c.req.method, pathname, c.res.status, start, isPrefetch(c.req.raw.headers));
  };
}

const madeInAdvance = '"prefetchCache", "prerenderCache"';
const endsSession = (cookie: string) =>
  cookie.startsWith(`${sessionCookie}=;`) && /; Max-Age=0(;|$)/i.test(cookie);

/** Drops the browser's cached files, such as lesson media, once a session has ended. Not with the
 * sign-out answer: Chromium delays it for seconds while it searches the cache of all sites. Storage
 * stays: it may hold drafts that the server lacks. */
export function clearCache(): Response {
  return new Response(null, { status: 204, headers: { "Clear-Site-Data": '"cache"' } });
}

export function basics(services: Services): Middleware {
  const { config } = services;
  const look = watchProxies(services);
  const common = commonHeaders(config);
  const isHttps = config.appUrl.startsWith("https:");
  return async (c, next) => {
    const cookies = c.req.header("cookie");
    if (isHttps && cookies) c.req.raw.headers.set("cookie", withoutHostPrefix(cookies));
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    const socket = c.env.incoming.socket.remoteAddress;
    const arrived = { socketAddress: socket, forwardedFor: forwarded };
    c.set("clientAddress", clientAddress(arrived, config.trustedProxies));
    // Containers and monitors ask for it without the proxy.
    if (c.req.path !== "/healthz") look(arrived);
    await next();
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

const compressible = /\.(js|css|svg|json|txt|webmanifest)(\.br|\.gz)?$/;

/** Serves the build. A page of another version that is still open gets the current site script. */
export function staticFiles(clientDir: string, siteScript: string): Middleware {
  const serve = serveStatic({
    root: clientDir,
    precompressed: true,
    rewriteRequestPath: (path) => path.replace(/^\/site-[0-9a-f]{10}\.js$/, "/site.js"),
    onFound(file, c) {
      // Also on the uncompressed file: a shared cache must not serve it to everyone.
      if (compressible.test(file)) c.header("Vary", "Accept-Encoding");
      const isForGood =
        file.startsWith(path.join(clientDir, "assets")) || c.req.path === siteScript;
      // A cache must not reuse this script under the name of another version.
      const notForGood = c.req.path.startsWith("/site-") ? "no-cache" : "public, max-age=3600";
      c.header("Cache-Control", isForGood ? "public, max-age=31536000, immutable" : notForGood);
    },
  }) as Middleware;
  return async (c, next) => {
    // Every file of the build has an extension: no look on the disk for a page.
    if (!/\.\w+$/.test(c.req.path)) return next();
    // Small files are sent whole and in an encoding that we choose: the library serves any range of
    // any version, and reads 'br;q=1' as no encoding.
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
    // Despite its type, this is no Response when a later handler has answered.
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

const forPrograms = new Set(["/api/verify-admin", "/api/create-checkout"]);

export function ownPagesOnly({ config, log }: Services): Middleware {
  return async (c, next) => {
    if (isSameOrigin(c.req.raw, config.appUrl)) return next();
    if (forPrograms.has(c.req.path) && c.req.header("authorization")) return next();
    logRefusal(log, "origin", loggablePath(c.req.path));
    const message = "This request did not come from a page of this site.";
    return wantsJson(c.req.raw)
      ? errorResponse("forbidden", message)
      : plainPage(
          403,
          "That did not work",
          `${message} Go back, copy what you wrote, open ${config.appUrl} and try again.`,
        );
  };
}

/** Answers 404: PostgreSQL refuses NUL, the router reports what it cannot decode ('%zz') on
 * standard error, and many slashes in a row keep it busy for a second. */
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

/** RFC 8058: a cross-site POST of the pair that List-Unsubscribe-Post names. Reads the body. */
async function isOneClick(request: Request, appUrl: string): Promise<boolean> {
  if (isSameOrigin(request, appUrl)) return false;
  try {
    const [pair, ...more] = await request.formData();
    return pair?.[0] === "List-Unsubscribe" && pair[1] === "One-Click" && more.length === 0;
  } catch {
    return false;
  }
}

/** Unsubscribes what an email program asks for; a press on the page itself goes on to the page. */
export function oneClick(
  { config }: Services,
  unsubscribe: (query: Record<string, string>) => Promise<boolean>,
): Middleware {
  return async (c, next) => {
    if (!(await isOneClick(c.req.raw, config.appUrl))) return next();
    return (await unsubscribe(c.req.query()))
      ? new Response("You are unsubscribed.")
      : new Response("This link is not one of ours.", { status: 400 });
  };
}

/** A silent database or Stripe must not hold a request: its work then goes on unobserved. */
export function answerInTime(
  { config, log }: Services,
  late: (request: Request) => Promise<Response>,
): Middleware {
  return async (c, next) => {
    const answered = await withTimeout(
      config.answerWithinMs,
      next().then(() => true),
      false,
    );
    if (answered) return;
    log.error({ where: loggablePath(c.req.path) }, "a request took too long");
    return late(c.req.raw);
  };
}

/** Gives the authentication library a trusted address and unambiguous cookies. */
export function forAuth(request: Request, address: string, origin: string): Request {
  const headers = withPlainCookies(request.headers);
  headers.set(clientAddressHeader, address);
  if (headers.has("origin")) headers.set("origin", origin);
  return new Request(request, { headers });
}
