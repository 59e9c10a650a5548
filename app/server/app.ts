import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as build from "virtual:react-router/server-build";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { turnOffEmails } from "~/features/accounts/email-preferences.server.ts";
import { withoutPasskeys } from "~/features/auth/components/passkey-browser.ts";
import { mediaUploads } from "~/features/lesson-media/uploads.server.ts";
import { unsubscribe } from "~/features/newsletter/unsubscribe.server.ts";
import { recordingsPath } from "~/features/recordings/messages.ts";
import { limitBody, readBodies } from "~/platform/http/body.ts";
import { healthCheck } from "~/platform/http/health.ts";
import { withoutTrailingSlash } from "~/platform/http/known-routes.ts";
import { answerMedia, answerRecording } from "~/platform/http/media.ts";
import {
  answerInTime,
  basics,
  clearCache,
  type Env,
  forAuth,
  oneClick,
  ownPagesOnly,
  readableAddress,
  requestLog,
  staticFiles,
} from "~/platform/http/middleware.ts";
import { answerPicture } from "~/platform/http/pictures.ts";
import { commonHeaders, scriptHash } from "~/platform/http/security.ts";
import { sendFile, sendStored } from "~/platform/http/send-file.ts";
import type { Services } from "~/platform/http/services.ts";
import { noPrefetchForSavers } from "~/platform/http/speculation.ts";
import { uploadsHandler } from "~/platform/http/uploads.ts";
import { outageAnswer } from "~/platform/pages/outage.ts";
import type { PageCache } from "~/platform/pages/page-cache.ts";
import { failed, pages } from "~/platform/pages/pages.ts";
import { errorResponse, methodNotAllowed } from "~/platform/utils/errors.ts";
import { projectRoot, version } from "~/platform/utils/version.ts";
import type { MissCounter, Visits } from "~/platform/visits/visits.ts";
import { mailWebhook } from "~/routes/api/mail-webhook.ts";
import { createCheckout, stripeWebhook } from "~/routes/api/payments.ts";
import { setPreferences } from "~/routes/api/preferences.ts";
import { receiveRecording } from "~/routes/api/recordings.ts";
import { currentSession, exchangeToken, keySet, verifyAdmin } from "~/routes/api/session.ts";
import { themeScript } from "~/ui/theme.ts";

const tinyBody = 4 * 1024;
const webhookBody = 256 * 1024;

/** The whole site as one handler: from top to bottom, it is the order in which a request is
 * handled. What the page cache holds is answered before (platform/pages/listener.ts). */
export function createApp(
  services: Services,
  pageCache: PageCache | null = null,
  visits: Visits | null = null,
  misses: MissCounter | null = null,
): Hono<Env> {
  const { config } = services;
  const clientDir = path.join(projectRoot, "build", "client");
  const siteScript = config.production ? siteScriptAddress(clientDir) : "/app/site.ts";
  const page = pages(services, {
    build,
    mode: config.production ? "production" : "development",
    siteScript,
    scriptHashes: [scriptHash(themeScript), scriptHash(withoutPasskeys)],
    ...{ pageCache, visits, misses },
  });

  const common = commonHeaders(config);
  const app = new Hono<Env>();
  app.onError((error, c) => failed(services, error, c.req.raw));
  app.use(requestLog(services));
  app.use(basics(services));
  app.use(noPrefetchForSavers());
  app.get("/healthz", healthCheck(services, version));
  app.all("/healthz", () => methodNotAllowed("GET", "HEAD"));
  // Players request many small ranges: a look-up among the build's files would slow each of them.
  app.get("/media/*", async (c) => {
    const { status, headers, body } = await answerMedia(services, c.req.raw);
    if (!body) return new Response(null, { status, headers });
    // Bypasses the rest of the middleware, so the common headers are set here.
    c.env.outgoing.writeHead(status, { ...common, ...headers });
    await sendFile(c.env.outgoing, body.file, body.range);
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/pictures/*", async (c, next) => {
    const answer = await answerPicture(services, c.req.raw);
    if (!answer) return next();
    const { status, headers, body } = answer;
    c.env.outgoing.writeHead(status, { ...common, ...headers });
    if (body && "file" in body)
      await sendFile(c.env.outgoing, body.file, { start: 0, end: body.size - 1 });
    else c.env.outgoing.end(body);
    return RESPONSE_ALREADY_SENT;
  });
  app.get("/recordings/*", async (c, next) => {
    const answer = await answerRecording(services, c.req.raw);
    if (!answer) return next();
    const { status, headers, body } = answer;
    const { outgoing } = c.env;
    outgoing.writeHead(status, { ...common, ...headers });
    if (!body) outgoing.end();
    else if ("close" in body.file) await sendStored(outgoing, body.file, body.range);
    else await sendFile(outgoing, body.file, body.range);
    return RESPONSE_ALREADY_SENT;
  });
  if (config.production) app.use(staticFiles(clientDir, siteScript));
  // Email programs unsubscribe from other origins, with only the email's link (RFC 8058).
  app.post(
    "/newsletter/unsubscribe",
    limitBody(tinyBody),
    oneClick(services, ({ token = "", issue = "" }) => unsubscribe(services, { token, issue })),
  );
  app.post(
    "/mail-preferences/off",
    limitBody(tinyBody),
    oneClick(services, async ({ token = "", kind = "" }) => {
      return (await turnOffEmails(services, { token, kind })) !== null;
    }),
  );
  // Stripe and mail providers authenticate themselves by a signature or a secret.
  app.post("/api/webhooks/stripe", limitBody(webhookBody), (c) => stripeWebhook(services, c));
  const mailReports = "/api/webhooks/mail/:provider";
  app.post(mailReports, limitBody(webhookBody), (c) => mailWebhook(services, c));
  // The caller shows a refresh token: no cookie counts here, so no page can do it for a user.
  app.post("/api/auth/token", limitBody(tinyBody), (c) => exchangeToken(services, c));
  app.get("/.well-known/jwks.json", () => keySet(services));
  app.all("/.well-known/jwks.json", () => methodNotAllowed("GET", "HEAD"));
  app.use(ownPagesOnly(services));

  // Before the limits of forms: videos and recordings have size limits of their own.
  const uploads = uploadsHandler(services, mediaUploads(services));
  app.all("/uploads", (c) => uploads(c.req.raw));
  app.all("/uploads/*", (c) => uploads(c.req.raw));

  app.post(recordingsPath, (c) => receiveRecording(services, c.req.raw));
  app.all(recordingsPath, () => methodNotAllowed("POST"));

  app.use(readBodies(services));
  app.use(answerInTime(services, outageAnswer));

  app.all("/media/*", () => methodNotAllowed("GET", "HEAD"));
  app.use(readableAddress(page));

  // The auth library closes paths by their literal text, and this one contains a token.
  app.all("/api/auth/reset-password/:token", nothingHere);
  // Links in emails lead to our own pages, which ask for a press: an email program that opens every
  // link confirms nothing, and no one is signed in by a URL that someone else sent them.
  for (const address of ["verify-email", "error", "ok"])
    app.all(`/api/auth/${address}`, nothingHere);
  app.all("/api/auth/*", async (c) => {
    const asked = forAuth(c.req.raw, c.get("clientAddress"), config.appUrl);
    const answer = await services.auth.handler(asked);
    // The auth library has no JSON body for what it does not know.
    const isJson = answer.headers.get("content-type")?.includes("json");
    return answer.status === 404 && !isJson ? nothingHere() : answer;
  });
  app.get("/api/session", (c) => currentSession(services, c));
  app.all("/api/session", () => methodNotAllowed("GET", "HEAD"));
  app.post("/api/clear-cache", () => clearCache());
  app.post("/api/preferences", limitBody(tinyBody), (c) => setPreferences(c));
  app.post("/api/verify-admin", (c) => verifyAdmin(services, c));
  app.post("/api/create-checkout", (c) => createCheckout(services, c));
  for (const name of ["clear-cache", "preferences", "verify-admin", "create-checkout"])
    app.all(`/api/${name}`, () => methodNotAllowed("POST"));
  for (const address of ["/api/webhooks/stripe", mailReports])
    app.all(address, () => methodNotAllowed("POST"));
  app.all("/api/*", nothingHere);

  app.use(withoutTrailingSlash());
  app.all("*", (c) => page(c.req.raw, c.get("clientAddress")));
  return app;
}

const nothingHere = () => errorResponse("not_found", "There is nothing at this address.");

// The hash of the content is in the path, as caches may drop queries.
function siteScriptAddress(folder: string): string {
  const hash = createHash("sha256").update(readFileSync(path.join(folder, "site.js")));
  return `/site-${hash.digest("hex").slice(0, 10)}.js`;
}
