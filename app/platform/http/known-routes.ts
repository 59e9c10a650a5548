import type { MiddlewareHandler } from "hono";
import {
  createRequestHandler,
  matchRoutes,
  type RequestHandler,
  type RouteObject,
  type ServerBuild,
} from "react-router";

/** Use `satisfies RouteHandle`: a mistyped field would silently drop a security header. */
export type RouteHandle = {
  /** React hydrates the page, also without a session; false: never. */
  hydrate?: boolean;
  /** Rendered once for everyone without a session, from its path alone (docs/decisions/002). */
  shared?: boolean;
  /** Of a shared page: where a browser's cookie names its time zone, it is rendered for that. */
  byZone?: boolean;
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
  /** As app/routes.ts has it, such as '/courses/:slug'. */
  pattern: string;
  shared: boolean;
  byZone: boolean;
  checkout: boolean;
  methods: readonly string[];
  /** From the root to the page: what the router needs of the build. */
  routeIds: readonly string[];
};

const mostPaths = 2000;
const longestPath = 200;

/** The path of the page that a request is about, also where scripts ask for its data alone. */
export function pagePath(url: string): string {
  const { pathname } = new URL(url);
  return pathname === "/_.data" ? "/" : pathname.replace(/\.data$/, "");
}

/** The query of a visitor who is led on to `location`. Another site gets none: it may be about them. */
export function addQuery(location: string, query: string): string {
  return location.startsWith("/") ? location + query : location;
}

/** What a path leads to. Matching compiles every pattern anew, so the results are remembered. */
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
  const remembered = new Map<string, Known>();
  return (path) => {
    const before = remembered.get(path);
    if (before) return before;
    const matches = matchRoutes(tree, path) ?? [];
    const route = matches.at(-1)?.route;
    const usual = route?.action ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
    const paths = matches.flatMap((match) => match.route.path ?? []);
    const known = {
      pattern: `/${paths.join("/").replace(/^\/+/, "")}`,
      shared: route?.handle?.shared === true,
      byZone: route?.handle?.byZone === true,
      checkout: route?.handle?.checkout === true,
      methods: route?.handle?.methods ?? usual,
      routeIds: matches.map((match) => match.route.id ?? ""),
    };
    if (remembered.size >= mostPaths) remembered.clear();
    if (path.length <= longestPath) remembered.set(path, known);
    return known;
  };
}

/** A handler that knows only the routes of the page that is asked for: the router flattens and
 * compiles all it has for each request, several times. */
export function handlerOfRoutes(
  build: ServerBuild,
  mode: "production" | "development",
  known: (path: string) => Known,
): RequestHandler {
  const whole = createRequestHandler(build, mode);
  if (mode === "development") return whole;
  const handlers = new Map<string, RequestHandler>();
  return (request, context) => {
    const { routeIds } = known(pagePath(request.url));
    const page = routeIds.at(-1);
    if (page === undefined) return whole(request, context);
    let handler = handlers.get(page);
    if (!handler) {
      handler = createRequestHandler(partOf(build, routeIds), mode);
      handlers.set(page, handler);
    }
    return handler(request, context);
  };
}

function partOf(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const only = <T>(routes: Readonly<Record<string, T>>) =>
    Object.fromEntries(ids.map((id) => [id, routes[id] as T]));
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}
