import { createContext, data } from "react-router";
import type { Caller } from "../auth/call.ts";
import { type CurrentUser, noSession, type SessionReading } from "../auth/session.ts";
import type { Services } from "./services.ts";
import type { StreamedPart } from "./stream.ts";

export const servicesContext = createContext<Services>();
export const sessionContext = createContext<SessionReading>(noSession);
export const nonceContext = createContext<string>("");
export const clientAddressContext = createContext<string>("");
/** IANA name of the visitor's time zone; UTC where it is not known. */
export const timeZoneContext = createContext<string>("UTC");
/** A refused form shows its text again 'within' its page, or 'alone' for another user or none. */
export const restoredFormContext = createContext<"within" | "alone" | null>(null);
/** Set by a loader that continues without data it could not read: the page must not be cached. */
export const incompleteContext = createContext(false);
export const outageContext = createContext(false);
/** The page that was rendered; null for everything else, such as a redirect. */
export const htmlContext = createContext<string | null>(null);
export const streamedContext = createContext<StreamedPart | null>(null);
/** What a page that is not there was answered with: an old address that led somewhere, or a 404. */
export const missContext = createContext<Miss | null>(null);
/** The pattern of the route at a path, such as '/courses/:slug'; '/*' where there is none. */
export const routePatternContext = createContext<(path: string) => string>(() => "/*");
export const siteScriptContext = createContext<string>("");

export type Miss = "led" | "lost";

type Getter = { get<T>(context: ReturnType<typeof createContext<T>>): T };

export function servicesOf(context: Getter): Services {
  return context.get(servicesContext);
}

/** In which an admin types a time: the zone of their browser, or the site's where it is unknown. */
export function typedZone(context: Getter): string {
  const zone = context.get(timeZoneContext);
  return zone === "UTC" ? servicesOf(context).content.site.timeZone : zone;
}

/** To be thrown at a public address where nothing is: 404, with what the coach says there. */
export const notFound = (context: Getter) =>
  data(servicesOf(context).content.page("not-found"), 404);

export function currentUser(context: Getter): CurrentUser | null {
  return context.get(sessionContext).viewer;
}

/** Who asks, for the limits and the sessions of the authentication library. */
export function currentCaller({ request, context }: { request: Request; context: Getter }): Caller {
  const { headers } = request;
  const address = context.get(clientAddressContext);
  return { address, cookie: headers.get("cookie"), userAgent: headers.get("user-agent") };
}
