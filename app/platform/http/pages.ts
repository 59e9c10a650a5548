import { randomBytes } from "node:crypto";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { readSession } from "../auth/session.ts";
import { isUnreachable } from "../db/errors.ts";
import type { Services } from "../services.ts";
import { compressed } from "./compress.ts";
import {
  clientAddressContext,
  nonceContext,
  servicesContext,
  sessionContext,
  siteScriptContext,
  timeZoneContext,
} from "./context.ts";
import { errorResponse } from "./errors.ts";
import { plainPage } from "./plain-page.ts";
import { contentSecurityPolicy } from "./security.ts";
import { timeZoneOf } from "./time-zone.ts";

export type PageOptions = {
  build: ServerBuild;
  mode: "production" | "development";
  /** Address of app/site.ts as built. */
  siteScript: string;
  /** Hashes of the inline scripts that stand in every page. */
  scriptHashes: string[];
};

/** Answers everything that is a page: session, context, router, headers. */
export function pages(services: Services, options: PageOptions) {
  // The router compares Origin with the address it was asked at, which behind a proxy is
  // another one than the reader's; without this it refuses every form there.
  const allowedActionOrigins = [new URL(services.config.appUrl).host];
  const route = createRequestHandler({ ...options.build, allowedActionOrigins }, options.mode);
  return async (request: Request, address: string): Promise<Response> => {
    if (!isAllowed(request)) return errorResponse("method_not_allowed", "Use GET or POST.");
    // Without a policy there is nothing to allow, and React would see the browser's lack of it.
    const nonce = options.mode === "production" ? randomBytes(16).toString("base64") : "";
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(clientAddressContext, address);
    context.set(nonceContext, nonce);
    context.set(timeZoneContext, timeZoneOf(request.headers));
    context.set(siteScriptContext, options.siteScript);
    try {
      const session = await readSession(services, request.headers);
      context.set(sessionContext, session);
      const response = await route(request, context);
      for (const cookie of session.setCookies) response.headers.append("Set-Cookie", cookie);
      if (!response.headers.has("Cache-Control"))
        response.headers.set("Cache-Control", cacheControl(request, session.viewer !== null));
      if (options.mode === "production")
        response.headers.set(
          "Content-Security-Policy",
          contentSecurityPolicy([...options.scriptHashes, `'nonce-${nonce}'`]),
        );
      return await compressed(request, response);
    } catch (error) {
      return failed(services, error);
    }
  };
}

/** After signing out, neither going back nor the disk may show what somebody wrote. */
function cacheControl({ method, url }: Request, isSignedIn: boolean): string {
  const isForScripts = new URL(url).pathname.endsWith(".data");
  const mayHoldWords = method === "GET" ? isSignedIn : !isForScripts;
  return mayHoldWords ? "private, no-store" : "private, no-cache";
}

/** Forms post; the one other method is that of a draft being saved. */
function isAllowed({ method, url }: Request): boolean {
  if (method === "PUT") return /\/learn\/draft$/.test(new URL(url).pathname);
  return method === "GET" || method === "HEAD" || method === "POST";
}

/** The last resort: nothing above could make a page of this. */
export function failed({ log }: Services, error: unknown): Response {
  log.error({ err: error }, "a request failed");
  return isUnreachable(error)
    ? plainPage(
        503,
        "We are not reachable just now",
        "Please try again in a minute. Nothing that you wrote is lost.",
      )
    : plainPage(500, "Something went wrong", "The fault is ours. Please try again in a minute.");
}
