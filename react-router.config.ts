import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // Every route is known to the browser at once: no requests to discover them,
  // and the manifest names nothing that the pages do not link to.
  routeDiscovery: { mode: "initial" },
  // The chunk of a route's `clientAction` would still name the route's server imports.
  splitRouteModules: false,
} satisfies Config;
