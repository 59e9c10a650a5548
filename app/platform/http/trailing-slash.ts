import type { MiddlewareHandler } from "hono";

/**
 * Each page has one address: one that ends in a slash leads to the one without. What comes here
 * has no two slashes in a row, which a browser would read as the name of another host.
 */
export function withoutTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const asks = c.req.method === "GET" || c.req.method === "HEAD";
    if (!asks || pathname === "/" || !pathname.endsWith("/")) return next();
    // Not kept anywhere: behind its '?' may stand what is one person's only.
    const headers = { Location: pathname.slice(0, -1) + search, "Cache-Control": "no-store" };
    return new Response(null, { status: 308, headers });
  };
}
