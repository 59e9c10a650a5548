import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site, in the order of the spec's route table. */
export default [
  index("routes/site/home.tsx"),
  route("courses", "routes/site/courses.tsx"),
  route("courses/:slug", "routes/site/course.tsx"),
  route("courses/:slug/learn", "routes/learn/player.tsx"),
  route("courses/:slug/learn/draft", "routes/learn/draft.ts"),
  route("auth", "routes/account/auth.tsx"),
  route("auth/forgot", "routes/account/forgot.tsx"),
  route("auth/reset", "routes/account/reset.tsx"),
  route("auth/verify", "routes/account/verify.tsx"),
  route("auth/sign-out", "routes/account/sign-out.ts"),
  route("my-courses", "routes/account/my-courses.tsx"),
  route("setup", "routes/account/setup.tsx"),
  ...(process.env.NODE_ENV === "development" ? [route("_ui", "routes/dev/ui.tsx")] : []),
  route("*", "routes/site/not-found.tsx"),
] satisfies RouteConfig;
