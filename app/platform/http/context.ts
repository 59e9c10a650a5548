import { createContext } from "react-router";
import { nobody, type SessionReading, type Viewer } from "../auth/session.ts";
import type { Services } from "../services.ts";
import type { StreamedPart } from "./stream.ts";

/** What the server hands to loaders and actions, beside the request itself. */
export const servicesContext = createContext<Services>();
export const sessionContext = createContext<SessionReading>(nobody);
/** Allows the inline scripts of this one answer (Content-Security-Policy). */
export const nonceContext = createContext<string>("");
/** Address of the caller, as far as it can be believed. */
export const clientAddressContext = createContext<string>("");
/** IANA name of the reader's time zone, from the cookie that pages which hydrate set; else UTC. */
export const timeZoneContext = createContext<string>("UTC");
/**
 * Set by an action that refuses words, which must come back: 'within' the page that they were sent
 * from, or 'alone', where nobody is signed in, or somebody else.
 */
export const keptFormContext = createContext<"within" | "alone" | null>(null);
/** Set by a loader that goes on without something it could not read: the page is shown, never kept. */
export const incompleteContext = createContext(false);
/** Set when a loader or action could not reach the database. */
export const outageContext = createContext(false);
/** Set by a loader whose page has a part that is too long for memory for all of it. */
export const streamedContext = createContext<StreamedPart | null>(null);
/** Address of site.ts as built. */
export const siteScriptContext = createContext<string>("");

type Getter = { get<T>(context: ReturnType<typeof createContext<T>>): T };

export function servicesOf(context: Getter): Services {
  return context.get(servicesContext);
}

/** Who is signed in, or null. */
export function viewerOf(context: Getter): Viewer | null {
  return context.get(sessionContext).viewer;
}
