import { readFileSync } from "node:fs";
import path from "node:path";
import type { Services } from "~/platform/http/services.ts";
import { readPage } from "../../../scripts/build/content.ts";
import { createCourse } from "../../support/courses.ts";
import { routeTable } from "../../support/route-table.ts";

export type PublicPage = {
  /** As app/routes.ts has it. */
  pattern: string;
  path: string;
  status?: number;
  /** Name of the file in content/pages that has its title and heading. */
  text?: string;
  title?: string;
  heading?: string;
  /** Search engines are asked to leave it out. */
  noindex?: boolean;
};

/** Everything that somebody unknown can see, in the order of app/routes.ts. */
export const publicPages: PublicPage[] = [
  { pattern: "/", path: "/", text: "home" },
  { pattern: "/about", path: "/about", text: "about" },
  { pattern: "/courses", path: "/courses", title: "Courses", heading: "Courses" },
  {
    pattern: "/courses/blue-dot-method",
    path: "/courses/blue-dot-method",
    text: "blue-dot-method",
  },
  {
    pattern: "/courses/seven-days-of-calm",
    path: "/courses/seven-days-of-calm",
    text: "seven-days-of-calm",
  },
  {
    pattern: "/courses/:slug",
    path: "/courses/a-third-course",
    title: "A third course",
    heading: "A third course",
  },
  { pattern: "/coaching", path: "/coaching", text: "coaching" },
  { pattern: "/auth", path: "/auth", title: "Sign In", heading: "Welcome Back", noindex: true },
  {
    pattern: "/auth",
    path: "/auth?mode=sign-up",
    title: "Create Account",
    heading: "Create Account",
    noindex: true,
  },
  {
    pattern: "/auth/forgot",
    path: "/auth/forgot",
    title: "A new password",
    heading: "A new password",
    noindex: true,
  },
  {
    pattern: "/auth/reset",
    path: "/auth/reset?token=none",
    title: "Choose a new password",
    heading: "Choose a new password",
    noindex: true,
  },
  {
    pattern: "/auth/verify",
    path: "/auth/verify?token=none",
    title: "Confirm your address",
    heading: "Confirm your address",
    noindex: true,
  },
  { pattern: "/privacy", path: "/privacy", text: "privacy", noindex: true },
  { pattern: "/terms", path: "/terms", text: "terms", noindex: true },
  {
    pattern: "/thank-you",
    path: "/thank-you",
    title: "You're All Set",
    heading: "You're All Set",
    noindex: true,
  },
  {
    pattern: "/enrollment-success",
    path: "/enrollment-success",
    title: "Welcome to Your Course!",
    heading: "Welcome to Your Course!",
    noindex: true,
  },
  {
    pattern: "/newsletter",
    path: "/newsletter",
    title: "Join my weekly newsletter",
    heading: "Join my weekly newsletter",
    noindex: true,
  },
  {
    pattern: "/newsletter/confirm",
    path: "/newsletter/confirm?token=none",
    status: 400,
    title: "This link does not work",
    heading: "This link does not work",
    noindex: true,
  },
  {
    pattern: "/newsletter/confirmed",
    path: "/newsletter/confirmed",
    title: "You’re on the list",
    heading: "You’re on the list",
    noindex: true,
  },
  {
    pattern: "/newsletter/unsubscribe",
    path: "/newsletter/unsubscribe?token=none",
    status: 400,
    title: "This link does not work",
    heading: "This link does not work",
    noindex: true,
  },
  {
    pattern: "/newsletter/unsubscribed",
    path: "/newsletter/unsubscribed",
    title: "You’re off the list",
    heading: "You’re off the list",
    noindex: true,
  },
  {
    pattern: "/mail-preferences",
    path: "/mail-preferences?token=none",
    status: 400,
    title: "This link does not work",
    heading: "This link does not work",
    noindex: true,
  },
  {
    pattern: "/mail-preferences/off",
    path: "/mail-preferences/off?token=none",
    status: 400,
    title: "This link does not work",
    heading: "This link does not work",
    noindex: true,
  },
  {
    pattern: "/404",
    path: "/404",
    status: 404,
    title: "Page Not Found",
    heading: "Page Not Found",
    noindex: true,
  },
  {
    pattern: "/*",
    path: "/no/such/page",
    status: 404,
    title: "Page Not Found",
    heading: "Page Not Found",
    noindex: true,
  },
];

const somebodys = /^\/(admin|account|my-courses)(\/|$)/;

/** Addresses of app/routes.ts that show somebody unknown no page of their own. */
export const notPublicPages = [
  ...routeTable.map(({ pattern }) => pattern).filter((pattern) => somebodys.test(pattern)),
  "/courses/:slug/learn",
  "/courses/:slug/learn/draft",
  "/courses/:slug/learn/media",
  "/courses/:slug/learn/captions",
  "/courses/:slug/learn/position",
  "/invitation",
  "/auth/sign-out",
  "/auth/second-step",
  "/auth/protect",
  "/auth/providers/:provider",
  "/setup",
  "/sitemap.xml",
  "/speculation-rules.json",
  "/robots.txt",
  "/site.webmanifest",
];

/** The course of the administrator's that the table has. */
export async function createThirdCourse(services: Services) {
  const third = services.db.read.selectFrom("products").where("slug", "=", "a-third-course");
  if (await third.select("id").executeTakeFirst()) return;
  const course = { slug: "a-third-course", title: "A third course" };
  await createCourse(services, [[{ title: "A lesson" }]], course);
}

const folder = path.join(import.meta.dirname, "..", "..", "..", "content", "pages");

/** Title and heading as they must stand; the coach may change those of her own texts. */
export async function wordsOf({ text, title = "", heading = "" }: PublicPage) {
  if (!text) return { title, heading };
  return readPage(text, readFileSync(path.join(folder, `${text}.md`), "utf8"));
}
