/**
 * The coach's own facts: names, addresses and links, in one place.
 * Change them here and they change everywhere, in pages, mails and metadata.
 */
export const site = {
  name: "Blue Dot",
  coach: { name: "Nora Hale", firstName: "Nora" },
  /** Title and description of pages that have none of their own. */
  title: "Grief coaching and courses",
  description:
    "Self-paced courses for people who are grieving, from someone who lost her brother. No timelines, no ten easy steps.",
  blurb: "Courses and company for people who are living with loss.",
  email: "hello@bluedot.example",
  navigation: [
    { href: "/", label: "Home" },
    { href: "/courses", label: "Courses" },
  ],
  footerLinks: [{ href: "/courses", label: "Courses" }],
} as const;

/** Page title format: '{title} | site name' (spec 2, Page metadata). */
export function pageTitle(title: string): string {
  return `${title} | ${site.name}`;
}
