import path from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { clientAddressHeader } from "../auth/auth.ts";
import type { Services } from "../services.ts";
import { clientAddress } from "./client-address.ts";
import { errorResponse } from "./errors.ts";
import { plainPage } from "./plain-page.ts";
import { commonHeaders, isSameOrigin } from "./security.ts";

export type Env = { Bindings: HttpBindings; Variables: { clientAddress: string } };
type Middleware = MiddlewareHandler<Env>;

/** One line a request: what was asked, what was answered, how long it took. No query, no address. */
export function requestLog({ log }: Services): Middleware {
  return async (c, next) => {
    const start = performance.now();
    await next();
    log.debug({
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - start),
    });
  };
}

/** Headers that every answer carries, and the caller's address for whoever needs it. */
export function basics({ config }: Services): Middleware {
  const common = commonHeaders(config.appUrl);
  return async (c, next) => {
    const forwarded = c.req.header("x-forwarded-for") ?? null;
    const socket = c.env.incoming.socket.remoteAddress;
    c.set("clientAddress", clientAddress(socket, forwarded, config.trustedProxies));
    await next();
    for (const [name, value] of Object.entries(common)) c.header(name, value);
  };
}

/** Files of the build: those with a hash in their name may be kept for good. */
export function staticFiles(clientDir: string): Middleware {
  return serveStatic({
    root: clientDir,
    precompressed: true,
    onFound(file, c) {
      const hashed = file.startsWith(path.join(clientDir, "assets"));
      c.header(
        "Cache-Control",
        hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      );
    },
  }) as Middleware;
}

const wantsJson = (request: Request) =>
  new URL(request.url).pathname.startsWith("/api/") ||
  (request.headers.get("accept") ?? "").includes("application/json");

/** Only our own pages may change anything. */
export function ownPagesOnly({ config }: Services): Middleware {
  return async (c, next) => {
    if (isSameOrigin(c.req.raw, config.appUrl)) return next();
    const message = "This request did not come from a page of this site.";
    return wantsJson(c.req.raw)
      ? errorResponse("forbidden", message)
      : plainPage(403, "That did not work", `${message} Go back, reload the page and try again.`);
  };
}

/** Nothing has a NUL in its address, and PostgreSQL refuses to look for one. */
export function readableAddress(): Middleware {
  return (c, next) =>
    new URL(c.req.url).pathname.includes("%00")
      ? Promise.resolve(plainPage(404, "Page Not Found", "There is nothing at this address."))
      : next();
}

function tooLarge(request: Request): Response {
  return wantsJson(request)
    ? errorResponse("too_large", "That is more than this address accepts.")
    : plainPage(
        413,
        "That is too much at once",
        "What you sent is larger than this page can take. Nothing was deleted: your browser's back button brings back what you wrote.",
      );
}

/** Refuses what is larger than any form of ours, before reading it. */
export function limitBody(bytes: number): Middleware {
  const counting = bodyLimit({ maxSize: bytes, onError: (c) => tooLarge(c.req.raw) });
  return (c, next) => {
    // A body that nobody has touched is read away after the answer, and the connection
    // stays good for the next request; one that was touched takes the connection with it.
    const announced = Number(c.req.header("content-length") ?? 0);
    return announced > bytes ? Promise.resolve(tooLarge(c.req.raw)) : counting(c, next);
  };
}

/** The request as the authentication library wants it: with an address that can be believed. */
export function forAuth(request: Request, address: string, origin: string): Request {
  const headers = new Headers(request.headers);
  headers.set(clientAddressHeader, address);
  if (headers.has("origin")) headers.set("origin", origin);
  return new Request(request, { headers });
}
