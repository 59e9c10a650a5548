import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as build from "virtual:react-router/server-build";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { switchOff } from "./features/accounts/letters/commands.server.ts";
import { mediaUploads } from "./features/courses/media/hooks.server.ts";
import { unsubscribe } from "./features/newsletter/list/commands.server.ts";
import { createCheckout, stripeWebhook } from "./payments-api.ts";
import { limitBody, readBodies } from "./platform/http/body.ts";
import { errorResponse, methodNotAllowed } from "./platform/http/errors.ts";
import { health } from "./platform/http/health.ts";
import { answerMedia } from "./platform/http/media.ts";
import type { PageMemory } from "./platform/http/memory/memory.ts";
import {
  basics,
  clearCache,
  type Env,
  forAuth,
  ownPagesOnly,
  readableAddress,
  requestLog,
  staticFiles,
} from "./platform/http/middleware.ts";
import { isOneClick, oneClickAnswer } from "./platform/http/one-click.ts";
import { failed, pages } from "./platform/http/pages.ts";
import { commonHeaders, scriptHash } from "./platform/http/security.ts";
import { sendFile } from "./platform/http/send-file.ts";
import { noPrefetchForSavers } from "./platform/http/speculation.ts";
import { withoutTrailingSlash } from "./platform/http/trailing-slash.ts";
import { projectRoot } from "./platform/root.ts";
import type { Services } from "./platform/services.ts";
import { uploadsHandler } from "./platform/uploads/handler.ts";
import { version } from "./platform/version.ts";
import { currentSession, exchangeToken, keySet, verifyAdmin } from "./session-api.ts";
import { themeScript } from "./ui/shell/theme-script.ts";

/** A body of one word. */
const tinyBody = 4 * 1024;
/** An event as Stripe sends it. */
const eventBody = 256 * 1024;

/**
 * The whole site as one handler. Read top to bottom, it is the order in which a request is
 * treated; what `memory` holds is answered before it (process.ts).
 */
export function createApp(services: Services, memory: PageMemory | null = null): Hono<Env> {
  const { config } = services;
  const clientDir = path.join(projectRoot, "build", "client");
  const siteScript = config.production ? siteScriptAddress(clientDir) : "/app/site.ts";
  const page = pages(services, {
    build,
    mode: config.production ? "production" : "development",
    siteScript,
    scriptHashes: [scriptHash(themeScript)],
    memory,
  });

  const common = commonHeaders(config.appUrl);
  const app = new Hono<Env>();
  app.onError((error) => failed(services, error));
  app.use(requestLog(services));
  app.use(basics(services));
  app.use(noPrefetchForSavers());
  app.get("/healthz", () => health(services, version));
  app.all("/healthz", () => methodNotAllowed("GET", "HEAD"));
  // Players ask for many small pieces: looking among the files of the build would cost each of them.
  app.get("/media/*", async (c) => {
    const { status, headers, body } = await answerMedia(services, c.req.raw);
    if (!body) return new Response(null, { status, headers });
    // Written past the rest of the middleware, which has its headers from here.
    c.env.outgoing.writeHead(status, { ...common, ...headers });
    await sendFile(c.env.outgoing, body.file, body.range);
    return RESPONSE_ALREADY_SENT;
  });
  if (config.production) app.use(staticFiles(clientDir, siteScript));
  // A mail program unsubscribes from elsewhere, with nothing but its letter's link (RFC 8058).
  app.post("/newsletter/unsubscribe", limitBody(tinyBody), async (c, next) => {
    if (!(await isOneClick(c.req.raw, config.appUrl))) return next();
    return oneClickAnswer(await unsubscribe(services, c.req.query("token") ?? ""));
  });
  app.post("/mail-preferences/off", limitBody(tinyBody), async (c, next) => {
    if (!(await isOneClick(c.req.raw, config.appUrl))) return next();
    const { token = "", letter = "" } = c.req.query();
    return oneClickAnswer((await switchOff(services, { token, letter })) !== null);
  });
  // Stripe has its own way to say who it is: it signs what it sends.
  app.post("/api/webhooks/stripe", limitBody(eventBody), (c) => stripeWebhook(services, c));
  // Whoever holds a refresh token shows it: no cookie counts here, so no page can do it for her.
  app.post("/api/auth/token", limitBody(tinyBody), (c) => exchangeToken(services, c));
  app.get("/.well-known/jwks.json", () => keySet(services));
  app.all("/.well-known/jwks.json", () => methodNotAllowed("GET", "HEAD"));
  app.use(ownPagesOnly(services));

  // Before the limits of forms: a video's size has one of its own.
  const uploads = uploadsHandler(services, mediaUploads(services));
  app.all("/uploads", (c) => uploads(c.req.raw));
  app.all("/uploads/*", (c) => uploads(c.req.raw));

  app.use(readBodies(services));

  app.all("/media/*", () => methodNotAllowed("GET", "HEAD"));
  app.use(readableAddress(page));

  // The library closes addresses by their text, and this one has a token in it.
  app.all("/api/auth/reset-password/:token", nothingHere);
  // Links of letters lead to pages of ours, where a press does it: a mail program that opens every
  // link confirms nothing, and nobody is signed in by an address that somebody else has sent her.
  for (const address of ["verify-email", "error", "ok"])
    app.all(`/api/auth/${address}`, nothingHere);
  app.all("/api/auth/*", async (c) => {
    const asked = forAuth(c.req.raw, c.get("clientAddress"), config.appUrl);
    const answer = await services.auth.handler(asked);
    // The library has no words for what it does not know.
    const isJson = answer.headers.get("content-type")?.includes("json");
    return answer.status === 404 && !isJson ? nothingHere() : answer;
  });
  app.get("/api/session", (c) => currentSession(services, c));
  app.all("/api/session", () => methodNotAllowed("GET", "HEAD"));
  app.post("/api/clear-cache", () => clearCache());
  app.post("/api/verify-admin", (c) => verifyAdmin(services, c));
  app.post("/api/create-checkout", (c) => createCheckout(services, c));
  for (const address of ["clear-cache", "verify-admin", "create-checkout", "webhooks/stripe"])
    app.all(`/api/${address}`, () => methodNotAllowed("POST"));
  app.all("/api/*", nothingHere);

  app.use(withoutTrailingSlash());
  app.all("*", (c) => page(c.req.raw, c.get("clientAddress")));
  return app;
}

const nothingHere = () => errorResponse("not_found", "There is nothing at this address.");

/** The script's address, which changes with its content: in the path, as caches may drop queries. */
function siteScriptAddress(folder: string): string {
  const hash = createHash("sha256").update(readFileSync(path.join(folder, "site.js")));
  return `/site-${hash.digest("hex").slice(0, 10)}.js`;
}
