import { randomBytes } from "node:crypto";
import { RouterContextProvider, type ServerBuild } from "react-router";
import { readSession } from "../auth/session.ts";
import { isUnreachable } from "../db/errors.ts";
import { compressed, compressedAsItComes } from "../http/compress.ts";
import {
  clientAddressContext,
  htmlContext,
  incompleteContext,
  type Miss,
  missContext,
  nonceContext,
  outageContext,
  routePatternContext,
  servicesContext,
  sessionContext,
  siteScriptContext,
  streamedContext,
  timeZoneContext,
} from "../http/context.ts";
import { addQuery, handlerOfRoutes, knownRoutes, pagePath } from "../http/known-routes.ts";
import { plainPage } from "../http/plain-page.ts";
import { renewedPreferences } from "../http/preferences.ts";
import { contentSecurityPolicy } from "../http/security.ts";
import type { Services } from "../http/services.ts";
import { withStreamed } from "../http/stream.ts";
import { rememberTimeZone, sentTimeZone, timeZoneOf } from "../http/time-zone.ts";
import { checkoutOrigin } from "../stripe/stripe.ts";
import { methodNotAllowed, wantsJson } from "../utils/errors.ts";
import type { MissCounter, VisitHeaders, Visits } from "../visits/visits.ts";
import { responseOf } from "./cached-page.ts";
import { isCanonical, isPersonal } from "./listener.ts";
import { outageAnswer, retryAfter } from "./outage.ts";
import type { PageCache, Rendering } from "./page-cache.ts";

export type PageOptions = {
  build: ServerBuild;
  mode: "production" | "development";
  siteScript: string;
  scriptHashes: string[];
  pageCache: PageCache | null;
  visits: Visits | null;
  misses: MissCounter | null;
};

/** Answers requests for pages: from the page cache, or rendered for the user who asks. */
export function pages(services: Services, options: PageOptions) {
  const { pageCache, mode, siteScript, scriptHashes, build, visits, misses } = options;
  const { config, db } = services;
  const { appUrl } = config;
  const mediaOrigin = services.storage.kind === "s3" ? services.storage.origin : null;
  const paidAt = checkoutOrigin(services.config);
  // Behind a proxy the router sees another host than the visitor's, and would refuse every form.
  const known = knownRoutes(build);
  const route = handlerOfRoutes(
    { ...build, allowedActionOrigins: [new URL(appUrl).host] },
    mode,
    known,
  );

  /** A form that stays after a failed save answers 500: not its doing where nothing can be saved. */
  function outageOr(response: Response, isLost: boolean): Response {
    const isOutage = isLost || db.trouble.current() !== null;
    if (!isOutage || (response.status !== 500 && response.status !== 503)) return response;
    const headers = new Headers(response.headers);
    if (!headers.has("Retry-After")) headers.set("Retry-After", retryAfter);
    return new Response(response.body, { status: 503, headers });
  }

  const methodsAt = ({ url }: Request) => known(pagePath(url)).methods;

  function newContext(nonce: string): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(siteScriptContext, siteScript);
    context.set(nonceContext, nonce);
    context.set(routePatternContext, (path) => known(path).pattern);
    return context;
  }

  function withPageHeaders(
    response: Response,
    { path, cacheControl, nonce }: { path: string; cacheControl: string; nonce: string },
  ): Response {
    const { headers } = response;
    const policy = { media: mediaOrigin, formsTo: known(path).checkout ? paidAt : null };
    // A cookie is personal, even with a file that a shared cache might store.
    if (headers.has("Set-Cookie")) headers.set("Cache-Control", "private, no-store");
    else if (!headers.has("Cache-Control")) headers.set("Cache-Control", cacheControl);
    const scripts = nonce ? [...scriptHashes, `'nonce-${nonce}'`] : scriptHashes;
    // The preview of an email has a policy of its own.
    if (mode === "production" && !headers.has("Content-Security-Policy"))
      headers.set("Content-Security-Policy", contentSecurityPolicy(scripts, policy));
    return response;
  }

  async function forPerson(request: Request, address: string): Promise<Response> {
    // Without a policy there is nothing to allow, and React would miss the nonce in the browser.
    const nonce = mode === "production" ? randomBytes(18).toString("base64url") : "";
    const context = newContext(nonce);
    context.set(clientAddressContext, address);
    const session = await readSession(services, request.headers);
    context.set(sessionContext, session);
    context.set(timeZoneContext, timeZoneOf(session, request.headers));
    const { viewer } = session;
    if (viewer?.role === "admin")
      context.set(servicesContext, { ...services, actor: { id: viewer.id, name: viewer.name } });
    await rememberTimeZone(services, session, request.headers);
    const lostBefore = db.trouble.lost;
    const answer = await route(request, context);
    const isLost = context.get(outageContext) || db.trouble.lost > lostBefore;
    // Whatever the form made of it: its own page may not come without a database.
    if (isLost && changes(request) && answer.status >= 400 && !wantsJson(request))
      return outageAnswer(request);
    const response = outageOr(answer, isLost);
    if (response.status === 405) response.headers.set("Allow", methodsAt(request).join(", "));
    const { setCookies } = session;
    if (setCookies.length > 0) setCookies.push(...renewedPreferences(request.headers));
    for (const cookie of setCookies) response.headers.append("Set-Cookie", cookie);
    // An admin's change is visible to every request after this one.
    if (viewer?.role === "admin" && changes(request))
      await (pageCache ? pageCache.look() : services.content.refresh());
    const path = new URL(request.url).pathname;
    if (viewer?.role !== "admin") {
      countVisit(request, path, response);
      countMiss(request, context.get(missContext));
    }
    withPageHeaders(response, { path, cacheControl: cacheControl(request), nonce });
    const part = context.get(streamedContext);
    const page = context.get(htmlContext);
    if (part && page !== null)
      return compressedAsItComes(request, withStreamed(page, part, response));
    return compressed(request, response, page);
  }

  function countVisit({ method, headers }: Request, path: string, { status }: Response): void {
    const isPage = method === "GET" && status === 200 && isCanonical(path);
    // Who looks for help is not even a number.
    if (!isPage || !known(path).shared || known(path).byZone) return;
    visits?.count(path, visitHeaders(headers));
  }

  function countMiss({ method, url, headers }: Request, miss: Miss | null): void {
    if (miss && method === "GET") misses?.count(pagePath(url), miss, visitHeaders(headers));
  }

  // From its path alone: no data of the first visitor can get into it.
  async function forEverybody(path: string): Promise<Rendering> {
    const context = newContext("");
    const response = outageOr(
      await route(new Request(appUrl + path), context),
      context.get(outageContext),
    );
    withPageHeaders(response, { path, cacheControl: "private, no-cache", nonce: "" });
    const { status, headers } = response;
    return {
      response: new Response(context.get(htmlContext) ?? response.body, { status, headers }),
      complete: !context.get(incompleteContext),
    };
  }

  async function shared(request: Request, path: string): Promise<Response> {
    const render = () => forEverybody(path);
    // The listener, which does not look for zones, finds no page under this key.
    const key = known(path).byZone ? `${path}#` : path;
    const page = pageCache ? await pageCache.page(key, render) : (await render()).response;
    if (page instanceof Response) {
      countMiss(request, sharedMisses[page.status] ?? null);
      return compressed(request, page.status === 301 ? withQuery(page, request) : page);
    }
    countVisit(request, path, new Response());
    return responseOf(page, request.headers);
  }

  return async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (!usualMethods.has(request.method) && !methodsAt(request).includes(request.method))
      return methodNotAllowed(...methodsAt(request));
    const isZoned = known(pathname).byZone && sentTimeZone(request.headers) !== null;
    const anybody = !changes(request) && !isPersonal(request.headers.get("cookie")) && !isZoned;
    try {
      return anybody && isCanonical(pathname) && known(pathname).shared
        ? await shared(request, pathname)
        : await forPerson(request, address);
    } catch (error) {
      return failed(services, error, request);
    }
  };
}

const sharedMisses: Record<number, Miss> = { 301: "led", 404: "lost" };

function visitHeaders(headers: Headers): VisitHeaders {
  const of = (name: string) => headers.get(name) ?? undefined;
  return {
    ...{ "user-agent": of("user-agent"), referer: of("referer") },
    ...{ "sec-purpose": of("sec-purpose"), "sec-fetch-site": of("sec-fetch-site") },
  };
}

// What is rendered for everybody does not know the visitor's query.
function withQuery({ status, headers }: Response, { url }: Request): Response {
  const answer = new Response(null, { status, headers });
  const location = addQuery(headers.get("location") ?? "/", new URL(url).search);
  answer.headers.set("Location", location);
  return answer;
}

const changes = ({ method }: Request) => method !== "GET" && method !== "HEAD";

// After sign-out, neither Back nor the disk cache may show what a user wrote.
function cacheControl({ method, url, headers }: Request): string {
  const isForScripts = new URL(url).pathname.endsWith(".data");
  const mayHoldWords = method === "GET" ? isPersonal(headers.get("cookie")) : !isForScripts;
  return mayHoldWords ? "private, no-store" : "private, no-cache";
}

// Left to the router, which has a page for a form that was sent where none is taken.
const usualMethods = new Set(["GET", "HEAD", "POST"]);

export async function failed(
  { log }: Services,
  error: unknown,
  request: Request,
): Promise<Response> {
  // The client left in the middle of its request: nothing is wrong.
  if ((error as Error)?.message === "aborted")
    return plainPage(400, "That could not be read", "It was broken off on its way here.");
  log.error({ err: error }, "a request failed");
  if (isUnreachable(error)) return outageAnswer(request);
  return plainPage(
    500,
    "Something went wrong",
    "It is not your doing. Please try again in a minute.",
  );
}
