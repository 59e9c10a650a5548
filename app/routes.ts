import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site, in the order of the spec's route table. */
export default [
  index("routes/site/home.tsx"),
  ...(process.env.NODE_ENV === "development" ? [route("_ui", "routes/dev/ui.tsx")] : []),
] satisfies RouteConfig;
