import { layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site, in the order of the spec's route table. */
const pages = [
  route("/", "routes/site/home.tsx"),
  route("about", "routes/site/about.tsx"),
  route("courses", "routes/site/courses.tsx"),
  route("courses/blue-dot-method", "routes/site/blue-dot-method.tsx"),
  route("courses/seven-days-of-calm", "routes/site/seven-days-of-calm.tsx"),
  route("courses/:slug", "routes/site/course.tsx"),
  route("courses/:slug/learn", "routes/learn/player.tsx"),
  route("courses/:slug/learn/draft", "routes/learn/draft.ts"),
  route("coaching", "routes/site/coaching.tsx"),
  route("auth", "routes/account/auth.tsx"),
  route("auth/forgot", "routes/account/forgot.tsx"),
  route("auth/reset", "routes/account/reset.tsx"),
  route("auth/verify", "routes/account/verify.tsx"),
  route("auth/sign-out", "routes/account/sign-out.ts"),
  route("my-courses", "routes/account/my-courses.tsx"),
  route("setup", "routes/account/setup.tsx"),
  route("privacy", "routes/site/privacy.tsx"),
  route("terms", "routes/site/terms.tsx"),
  route("thank-you", "routes/site/thank-you.tsx"),
  route("enrollment-success", "routes/site/enrollment-success.tsx"),
  route("newsletter", "routes/site/newsletter/subscribe.tsx"),
  route("newsletter/confirm", "routes/site/newsletter/confirm.tsx"),
  route("newsletter/confirmed", "routes/site/newsletter/confirmed.tsx"),
  route("newsletter/unsubscribe", "routes/site/newsletter/unsubscribe.tsx"),
  route("newsletter/unsubscribed", "routes/site/newsletter/unsubscribed.tsx"),
  route("sitemap.xml", "routes/site/files/sitemap.ts"),
  route("speculation-rules.json", "routes/site/files/speculation-rules.ts"),
  route("robots.txt", "routes/site/files/robots.ts"),
  route("site.webmanifest", "routes/site/files/manifest.ts"),
  route("404", "routes/site/not-found.tsx", { id: "404" }),
  ...(process.env.NODE_ENV === "development" ? [route("_ui", "routes/dev/ui.tsx")] : []),
  route("*", "routes/site/not-found.tsx"),
];

export default [layout("routes/frame.tsx", pages)] satisfies RouteConfig;
