/** The origin of the test site: another than the one it is asked at. Not https: its cookies would be for https only. */
export const origin = "http://www.bluedot.example";

/** What search engines may find. A course without a page of its own stands for all of them. */
export const indexed = [
  { path: "/", title: "Grief coaching and courses", image: "home" },
  { path: "/about", title: "About", image: "about" },
  { path: "/courses", title: "Courses", image: "courses" },
  { path: "/courses/blue-dot-method", title: "The Blue Dot Method", image: "blue-dot-method" },
  { path: "/courses/seven-days-of-calm", title: "7 Days of Calm", image: "seven-days-of-calm" },
  { path: "/courses/letters", title: "Letters & <unsent> “words”", image: "courses" },
  { path: "/coaching", title: "Coaching", image: "coaching" },
] as const;

/** What somebody without an account can see, and search engines leave out. */
export const hidden = [
  { path: "/auth", title: "Sign In" },
  { path: "/auth?mode=sign-up", title: "Create Account" },
  { path: "/auth/forgot", title: "A new password" },
  { path: "/auth/reset?token=none", title: "Choose a new password" },
  { path: "/auth/verify?token=none", title: "Confirm your address" },
  { path: "/privacy", title: "Privacy policy" },
  { path: "/terms", title: "Terms of service" },
  { path: "/thank-you", title: "You're All Set" },
  { path: "/enrollment-success", title: "Welcome to Your Course!" },
  { path: "/newsletter", title: "Join my weekly newsletter" },
  { path: "/newsletter/confirm", title: "This link does not work", status: 400 },
  { path: "/newsletter/confirmed", title: "You’re on the list" },
  { path: "/newsletter/unsubscribe", title: "This link does not work", status: 400 },
  { path: "/newsletter/unsubscribed", title: "You’re off the list" },
  { path: "/mail-preferences?token=none", title: "This link does not work", status: 400 },
  { path: "/mail-preferences/off?token=none", title: "This link does not work", status: 400 },
  { path: "/account/keep?token=none", title: "There is nothing to keep", status: 400 },
  { path: "/account/email/confirm?token=none", title: "This link no longer works", status: 400 },
  { path: "/404", title: "Page Not Found", status: 404 },
  { path: "/no/such/page", title: "Page Not Found", status: 404 },
  { path: "/courses/no-such-course", title: "Page Not Found", status: 404 },
] as const;

/** What a student sees when she is signed in, as her own. */
export const hers = [
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
] as const;

/** Addresses of app/routes.ts that are no pages to be found or hidden, and why. */
export const notPages: Record<string, string> = {
  "/courses/:slug/learn/draft": "takes words, shows none",
  "/courses/:slug/learn/media": "addresses for the player",
  "/courses/:slug/learn/captions": "a file for the player",
  "/courses/:slug/learn/position": "takes a place, shows none",
  "/invitation": "404 but for whoever has the link of the letter",
  "/my-courses/journal.md": "a file to keep",
  "/account/export": "a file to keep",
  "/auth/providers/:provider": "leads to the provider",
  "/auth/second-step": "leads on, but for whoever has shown a password and has a second factor",
  "/auth/protect": "leads on, but for an administrator without a second factor",
  "/account/security/codes": "leads away whoever has no authenticator app",
  "/account/security/rename": "leads away whoever has nothing to rename",
  "/account/security/remove": "leads away whoever has nothing to remove",
  "/account/leaving": "leads away whoever stays",
  "/auth/sign-out": "takes a form, shows nothing",
  "/sitemap.xml": "a file; X-Robots-Tag says noindex",
  "/robots.txt": "a file for robots",
  "/site.webmanifest": "a file for browsers",
  "/speculation-rules.json": "a file for browsers",
  "/setup": "404 but for whoever has the one-time link",
};
