/** What a visitor without an account can read. Addresses that answer 404 cannot be judged by Lighthouse. */
export const publicPages = [
  { path: "/", hidden: false },
  { path: "/about", hidden: false },
  { path: "/courses", hidden: false },
  { path: "/courses/blue-dot-method", hidden: false },
  { path: "/courses/seven-days-of-calm", hidden: false },
  { path: "/coaching", hidden: false },
  { path: "/privacy", hidden: true },
  { path: "/terms", hidden: true },
  { path: "/thank-you", hidden: true },
  { path: "/enrollment-success", hidden: true },
  { path: "/newsletter", hidden: true },
] as const;
