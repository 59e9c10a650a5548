import type { MiddlewareHandler } from "hono";
import { plainPage } from "./plain-page.ts";

type Asked = { get(name: string): string | null };

export const speculationHeader = ["Speculation-Rules", '"/speculation-rules.json"'] as const;

export function isPrefetch(headers: Asked): boolean {
  return headers.get("sec-purpose")?.startsWith("prefetch") ?? false;
}

export function savesData(headers: Asked): boolean {
  return headers.get("save-data")?.toLowerCase() === "on";
}

export function noPrefetchForSavers(): MiddlewareHandler {
  return (c, next) => {
    const { headers } = c.req.raw;
    if (!isPrefetch(headers) || !savesData(headers)) return next();
    // The browser drops this answer, and asks again when the link is followed.
    const text = "This page is only sent when somebody opens it. Please try again.";
    return Promise.resolve(plainPage(503, "Not in advance", text));
  };
}
