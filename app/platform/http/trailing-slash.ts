import type { MiddlewareHandler } from "hono";

/** Each page has one address: one that ends in a slash leads to the one without. */
export function withoutTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const asks = c.req.method === "GET" || c.req.method === "HEAD";
    if (!asks || pathname === "/" || !pathname.endsWith("/")) return next();
    // One slash in front: with two the browser would read the name of another host.
    const path = pathname.replace(/\/+$/, "").replace(/^\/*/, "/");
    const headers = { Location: path + search, "Cache-Control": "public, max-age=3600" };
    return new Response(null, { status: 308, headers });
  };
}
