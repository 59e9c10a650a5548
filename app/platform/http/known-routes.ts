import type { MiddlewareHandler } from "hono";
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

/** Use `satisfies RouteHandle`: a mistyped field would silently drop a security header. */
export type RouteHandle = {
  /** React hydrates the page, also without a session; false: never. */
  hydrate?: boolean;
  /** Rendered once for everyone without a session, from its path alone (docs/decisions/002). */
  shared?: boolean;
  checkout?: boolean;
  methods?: readonly string[];
  bare?: boolean;
};

/** Removes trailing slashes. Paths with '//' never get here: browsers read one as another host. */
export function withoutTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const asks = c.req.method === "GET" || c.req.method === "HEAD";
    if (!asks || pathname === "/" || !pathname.endsWith("/")) return next();
    // Not cached: the query may hold personal data.
    const headers = { Location: pathname.slice(0, -1) + search, "Cache-Control": "no-store" };
    return new Response(null, { status: 308, headers });
  };
}

type Known = {
  shared: boolean;
  checkout: boolean;
  methods: readonly string[];
};

export function knownRoutes({ routes }: ServerBuild): (path: string) => Known {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const treeUnder = (parent: string | undefined): RouteObject[] =>
    all
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive, module }) => {
        const { handle, action } = module;
        const known = { id, path, caseSensitive, handle, action: action && true };
        return index ? { ...known, index } : { ...known, children: treeUnder(id) };
      });
  const tree = treeUnder(undefined);
  return (path) => {
    const route = matchRoutes(tree, path)?.at(-1)?.route;
    const usual = route?.action ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
    return {
      shared: route?.handle?.shared === true,
      checkout: route?.handle?.checkout === true,
      methods: route?.handle?.methods ?? usual,
    };
  };
}
