import type { MiddlewareHandler } from "hono";
import { plainPage } from "./plain-page.ts";

type Asked = { get(name: string): string | null };

/** On a page: where the browser finds which of its links may be made ready in advance. */
export const speculationHeader = ["Speculation-Rules", '"/speculation-rules.json"'] as const;

/** Whether the browser asks ahead of its reader, who may never look at the answer. */
export function isPrefetch(headers: Asked): boolean {
  return headers.get("sec-purpose")?.startsWith("prefetch") ?? false;
}

/** Whether the reader asked to be spared what she does not need. */
export function savesData(headers: Asked): boolean {
  return headers.get("save-data")?.toLowerCase() === "on";
}

/** What is asked for ahead, on behalf of somebody who asked to save data, is not sent. */
export function noPrefetchForSavers(): MiddlewareHandler {
  return (c, next) => {
    const { headers } = c.req.raw;
    if (!isPrefetch(headers) || !savesData(headers)) return next();
    // The browser drops it, and asks again when the link is followed.
    const text = "This page is only sent when somebody opens it. Please try again.";
    return Promise.resolve(plainPage(503, "Not in advance", text));
  };
}
