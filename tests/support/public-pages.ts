import type { Services } from "~/platform/http/services.ts";
import type { ShareName } from "~content/share.ts";
import { createCourse } from "./courses.ts";
import { firstPage } from "./first-edition.ts";
import { publishIssue } from "./newsletter-issues.ts";

export type PublicPage = {
  /** As app/routes.ts has it. */
  pattern: string;
  path: string;
  title: string;
  /** The title, if it is no other. */
  heading?: string;
  /** 200 by default. */
  status?: number;
  /** The page's picture in public/share. A page without one is left out by search engines. */
  image?: ShareName;
  /** It looks like a row above. */
  alike?: boolean;
};

/** The one course of the table that has no page of its own. */
const letters = { slug: "letters", title: "Letters & <unsent> “words”" };

/** The one issue of the newsletter. */
const issue = { slug: "the-coat", subject: "The coat & the <hallway>, “as it was”" };

/** What the table has beside the sample courses: a course with one lesson, and an issue.
 * @returns the course */
export async function createPublicContent(services: Services) {
  const startedAt = new Date("2025-03-04T12:00:00Z");
  await publishIssue(services, { ...issue, startedAt });
  return createCourse(services, [[{ title: "One" }]], letters);
}

/** The page of words that the coach may change. */
async function ofText(path: string, image?: ShareName): Promise<PublicPage> {
  const name = path.split("/").at(-1) || "home";
  const kind = (path.startsWith("/courses/") ? "course" : name) as "home" | "course";
  const { title, heading } = await firstPage(kind, name);
  return { pattern: path, path, title, heading, ...(image && { image }) };
}

/** The page whose pattern, path and title are all that there is to say. */
const plain = (path: string, title: string, rest: Partial<PublicPage> = {}): PublicPage => ({
  pattern: path.replace(/\?.*/, ""),
  path,
  title,
  ...rest,
});

const noLink = "This link does not work";
const notFound = { title: "Page Not Found", status: 404 };

/** Everything that an anonymous visitor can see. */
export const publicPages: PublicPage[] = [
  await ofText("/", "home"),
  await ofText("/about", "about"),
  plain("/courses", "Courses", { image: "courses" }),
  await ofText("/courses/blue-dot-method", "blue-dot-method"),
  await ofText("/courses/seven-days-of-calm", "seven-days-of-calm"),
  plain("/courses/letters", letters.title, { pattern: "/courses/:slug", image: "courses" }),
  await ofText("/coaching", "coaching"),
  plain("/help", "Help now", { image: "default" }),
  plain("/auth", "Sign In", { heading: "Welcome Back" }),
  plain("/auth?mode=sign-up", "Create Account"),
  plain("/auth/forgot", "A new password"),
  plain("/auth/reset?token=none", "This link no longer works", { status: 400 }),
  plain("/auth/verify?token=none", "Confirm your address"),
  await ofText("/privacy"),
  await ofText("/terms"),
  plain("/thank-you", "You're All Set"),
  plain("/enrollment-success", "Welcome to Your Course!"),
  plain("/newsletter", "Join my weekly newsletter"),
  plain("/newsletter/confirm?token=none", noLink, { status: 400 }),
  plain("/newsletter/confirmed", "You’re on the list"),
  plain("/newsletter/unsubscribe?token=none", noLink, { status: 400, alike: true }),
  plain("/newsletter/unsubscribed", "You’re off the list"),
  plain("/newsletter/frequency?token=none", noLink, { status: 400, alike: true }),
  plain("/newsletter/archive", "The newsletter so far", { image: "default" }),
  plain("/newsletter/archive/2025", "The newsletter in 2025", {
    pattern: "/newsletter/archive/:year",
    alike: true,
  }),
  plain(`/newsletter/${issue.slug}`, issue.subject, {
    pattern: "/newsletter/:slug",
    image: "default",
  }),
  plain("/mail-preferences?token=none", noLink, { status: 400, alike: true }),
  plain("/mail-preferences/off?token=none", noLink, { status: 400, alike: true }),
  plain("/account/keep?token=none", "There is nothing to keep", { status: 400, alike: true }),
  plain("/account/email/confirm?token=none", "This link no longer works", {
    status: 400,
    alike: true,
  }),
  { pattern: "/404", path: "/404", ...notFound },
  { pattern: "/*", path: "/no/such/page", ...notFound, alike: true },
  { pattern: "/courses/:slug", path: "/courses/no-such-course", ...notFound, alike: true },
];

/** What search engines may find. */
export const indexedPages = publicPages.filter(({ image }) => image);

/** Pages of a signed-in user; they all say noindex. */
export const ownPages = [
  "/my-courses",
  "/my-courses/journal",
  "/my-courses/journal/book",
  "/account",
  "/account/name",
  "/account/email",
  "/account/password",
  "/account/devices",
  "/account/time-zone",
  "/account/sign-in-methods",
  "/account/security",
  "/account/security/app",
  "/account/data",
  "/account/data/delete",
  "/auth/signed-in",
];

/** Patterns of app/routes.ts that show neither an anonymous visitor nor every user a page. */
export const otherPatterns = [
  "/courses/:slug/learn",
  "/courses/:slug/learn/draft",
  "/courses/:slug/learn/file",
  "/courses/:slug/learn/worksheet",
  "/courses/:slug/learn/workbook",
  "/courses/:slug/learn/media",
  "/courses/:slug/learn/captions",
  "/courses/:slug/learn/position",
  "/my-courses/journal.md",
  "/my-courses/journal/picture/:id",
  "/lesson-pictures/:name",
  "/account/export",
  "/account/security/codes",
  "/account/security/rename",
  "/account/security/remove",
  "/account/deletion-pending",
  "/auth/sign-out",
  "/auth/second-step",
  "/auth/protect",
  "/auth/providers/:provider",
  "/invitation",
  "/invitation/administrator",
  "/setup",
  "/sitemap.xml",
  "/newsletter/feed.xml",
  "/speculation-rules.json",
  "/robots.txt",
  "/site.webmanifest",
  "/.well-known/security.txt",
  "/.well-known/change-password",
];
