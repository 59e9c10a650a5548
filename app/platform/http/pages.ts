import { randomBytes } from "node:crypto";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { readSession } from "../auth/session.ts";
import { isUnreachable } from "../db/errors.ts";
import type { Services } from "../services.ts";
import { checkoutOrigin } from "../stripe.ts";
import { compressed, compressedAsItComes } from "./compress.ts";
import {
  clientAddressContext,
  incompleteContext,
  nonceContext,
  outageContext,
  servicesContext,
  sessionContext,
  siteScriptContext,
  streamedContext,
  timeZoneContext,
} from "./context.ts";
import { methodNotAllowed } from "./errors.ts";
import { knownRoutes } from "./known-routes.ts";
import { responseOf } from "./memory/kept-page.ts";
import type { PageMemory, Rendering } from "./memory/memory.ts";
import { isCanonical, isPersonal } from "./memory/shareable.ts";
import { plainPage } from "./plain-page.ts";
import { contentSecurityPolicy } from "./security.ts";
import { keepTimeZone, timeZoneOf } from "./time-zone.ts";

export type PageOptions = {
  build: ServerBuild;
  mode: "production" | "development";
  /** Address of app/site.ts as built. */
  siteScript: string;
  /** Hashes of the inline scripts that stand in every page. */
  scriptHashes: string[];
  /** Where pages that are the same for everybody are kept; nowhere while they are being written. */
  memory: PageMemory | null;
};

type Headed = { path: string; cacheControl: string; nonce: string };

/** Answers everything that is a page: session, context, router, headers. */
export function pages(services: Services, options: PageOptions) {
  const { memory, mode, siteScript, scriptHashes, build } = options;
  const { appUrl } = services.config;
  const mediaOrigin = services.storage.kind === "s3" ? services.storage.origin : null;
  const paidAt = checkoutOrigin(services.config);
  // The router compares Origin with the address it was asked at, which behind a proxy is
  // another one than the reader's; without this it refuses every form there.
  const route = createRequestHandler(
    { ...build, allowedActionOrigins: [new URL(appUrl).host] },
    mode,
  );
  const known = knownRoutes(build);

  /** What the page at this address takes; its data for scripts takes the same. */
  const methodsAt = ({ url }: Request) =>
    known(new URL(url).pathname.replace(/\.data$/, "")).methods;

  function newContext(nonce: string): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(siteScriptContext, siteScript);
    context.set(nonceContext, nonce);
    return context;
  }

  /** The one place where pages get their headers, those from memory too. */
  function withPageHeaders(response: Response, { path, cacheControl, nonce }: Headed): Response {
    const { headers } = response;
    const policy = { media: mediaOrigin, formsTo: known(path).checkout ? paidAt : null };
    // A cookie is one person's, also with a file that a cache in between might keep for all.
    if (headers.has("Set-Cookie")) headers.set("Cache-Control", "private, no-store");
    else if (!headers.has("Cache-Control")) headers.set("Cache-Control", cacheControl);
    const scripts = nonce ? [...scriptHashes, `'nonce-${nonce}'`] : scriptHashes;
    if (mode === "production")
      headers.set("Content-Security-Policy", contentSecurityPolicy(scripts, policy));
    return response;
  }

  async function forPerson(request: Request, address: string): Promise<Response> {
    // Without a policy there is nothing to allow, and React would see the browser's lack of it.
    const nonce = mode === "production" ? randomBytes(16).toString("base64") : "";
    const context = newContext(nonce);
    context.set(clientAddressContext, address);
    const session = await readSession(services, request.headers);
    context.set(sessionContext, session);
    const chosen = session.isZoneChosen ? session.timeZone : null;
    context.set(timeZoneContext, chosen ?? timeZoneOf(request.headers));
    const { viewer } = session;
    // Whatever an administrator's request changes is done in her name.
    if (viewer?.role === "admin")
      context.set(servicesContext, { ...services, actor: { id: viewer.id, name: viewer.name } });
    await keepTimeZone(services, session, request.headers);
    const response = outageOr(await route(request, context), context);
    // The router refuses a form without saying what the page takes instead.
    if (response.status === 405) response.headers.set("Allow", methodsAt(request).join(", "));
    for (const cookie of session.setCookies) response.headers.append("Set-Cookie", cookie);
    // What she has changed she sees, and so does whoever asks after her.
    if (session.viewer?.role === "admin" && changes(request)) await memory?.look();
    const path = new URL(request.url).pathname;
    const headed = { path, cacheControl: cacheControl(request), nonce };
    const send = context.get(streamedContext) ? compressedAsItComes : compressed;
    return send(request, withPageHeaders(response, headed));
  }

  /** From its path alone: nothing of whoever asked first can get into it. */
  async function forEverybody(path: string): Promise<Rendering> {
    const context = newContext("");
    const response = outageOr(await route(new Request(appUrl + path), context), context);
    return {
      response: withPageHeaders(response, { path, cacheControl: "private, no-cache", nonce: "" }),
      complete: !context.get(incompleteContext),
    };
  }

  async function shared(request: Request, path: string): Promise<Response> {
    const render = () => forEverybody(path);
    const page = memory ? await memory.page(path, render) : (await render()).response;
    if (page instanceof Response) return compressed(request, page);
    return responseOf(page, request.headers);
  }

  return async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (!usualMethods.has(request.method) && !methodsAt(request).includes(request.method))
      return methodNotAllowed(...methodsAt(request));
    const anybody = !changes(request) && !isPersonal(request.headers.get("cookie"));
    try {
      return anybody && isCanonical(pathname) && known(pathname).shared
        ? await shared(request, pathname)
        : await forPerson(request, address);
    } catch (error) {
      return failed(services, error);
    }
  };
}

/** In seconds. */
const retryAfter = "10";

/** A page that failed for want of the database says so to whatever stands in front: try again. */
function outageOr(response: Response, context: RouterContextProvider): Response {
  if (response.status !== 500 || !context.get(outageContext)) return response;
  const headers = new Headers(response.headers);
  headers.set("Retry-After", retryAfter);
  return new Response(response.body, { status: 503, headers });
}

const changes = ({ method }: Request) => method !== "GET" && method !== "HEAD";

/** After signing out, neither going back nor the disk may show what somebody wrote. */
function cacheControl({ method, url, headers }: Request): string {
  const isForScripts = new URL(url).pathname.endsWith(".data");
  const mayHoldWords = method === "GET" ? isPersonal(headers.get("cookie")) : !isForScripts;
  return mayHoldWords ? "private, no-store" : "private, no-cache";
}

/** What is for the router to answer: it has a page for a form that was sent where none is taken. */
const usualMethods = new Set(["GET", "HEAD", "POST"]);

/** The last resort: nothing above could make a page of this. */
export function failed({ log }: Services, error: unknown): Response {
  // Whoever asked has gone in the middle of it: nobody reads this, and nothing is wrong.
  if ((error as Error)?.message === "aborted")
    return plainPage(400, "That could not be read", "It was broken off on its way here.");
  log.error({ err: error }, "a request failed");
  if (!isUnreachable(error))
    return plainPage(
      500,
      "Something went wrong",
      "It is not your doing. Please try again in a minute.",
    );
  const outage = plainPage(
    503,
    "The site cannot answer just now",
    "Please try again in a minute. Nothing that you wrote is lost.",
  );
  outage.headers.set("Retry-After", retryAfter);
  return outage;
}
