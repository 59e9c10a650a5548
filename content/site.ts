import type { Site } from "./schema.ts";

/**
 * The coach's own facts: names, addresses, links and switches, in one place.
 * Change them here and they change everywhere, in pages, mails and metadata. The next
 * start builds the site again, and says so if something here cannot be right.
 */
export const site = {
  name: "Blue Dot",
  /** A photograph, four wide to five high, as a file in public/: "/photos/nora.jpg". */
  coach: { name: "Nora Hale", firstName: "Nora", photo: null },
  /** Title and description of pages that have none of their own. */
  title: "Grief coaching and courses",
  description:
    "Self-paced grief courses, one-on-one coaching and a weekly letter, from someone whose brother died. Small things for bad days. No timelines.",
  blurb: "Courses, coaching and a weekly letter, for the time after someone has died.",
  email: "hello@bluedot.example",
  /** Where it is morning for a student whose browser has not said where they are. */
  timeZone: "America/New_York",
  social: { handle: "@bluedotgrief", profiles: ["https://social.example/bluedotgrief"] },
  navigation: [
    { href: "/", label: "Home" },
    { href: "/about", label: "About" },
    { href: "/courses", label: "Courses" },
    { href: "/coaching", label: "Coaching" },
  ],
  footerLinks: [
    { href: "/about", label: "About" },
    { href: "/courses", label: "Courses" },
    { href: "/coaching", label: "Coaching" },
    { href: "/privacy", label: "Privacy" },
    { href: "/terms", label: "Terms" },
  ],
  /** 'Featured Content' on the first page: short videos elsewhere, each with a picture in public/. */
  featured: [
    {
      title: "What to do at three in the morning",
      length: "1 min",
      href: "https://social.example/bluedotgrief/three-in-the-morning",
      thumbnail: "/featured/three-in-the-morning.svg",
      alt: "A drawing: a lamp is on beside an unmade bed. The clock says three.",
    },
    {
      title: "What people say, and what to say back",
      length: "1 min",
      href: "https://social.example/bluedotgrief/what-people-say",
      thumbnail: "/featured/what-people-say.svg",
      alt: "A drawing: a covered dish and a card on a doorstep, before a closed door.",
    },
    {
      title: "The coat on the hook",
      length: "2 min",
      href: "https://social.example/bluedotgrief/the-coat-on-the-hook",
      thumbnail: "/featured/the-coat-on-the-hook.svg",
      alt: "A drawing: a winter coat on a hook, with a hat and a scarf beside it.",
    },
  ],
  /** Invented examples: replace them with real people's words, and their consent, before publishing. */
  testimonials: [
    {
      quote:
        "For four months I ate standing up. Nora asked what in the kitchen I could still bear to touch, and it was the toaster. On Tuesday I sat down with a plate. It was only toast, but I was sitting.",
      who: "Ruth, whose husband died",
    },
    {
      quote:
        "Nora and I made a plan for my sister’s birthday. It had two things in it, and I was allowed to drop one. I dropped it. At four o’clock I was parked by the water, telling my sister about my boss.",
      who: "M., whose sister died",
    },
  ],
  /** Where the 'Apply' buttons of the coaching page lead. COACHING_APPLICATION_URL overrides it. */
  coachingApplicationUrl: "https://forms.example/bluedot/coaching",
  /** A list of crisis lines, for the countries that content/help does not have. */
  crisisLines: { name: "findahelpline.com", href: "https://findahelpline.com" },
  /** At the end of emails about lessons, and of those that the coach writes to students. */
  inDanger:
    "If you are in danger or think you may hurt yourself, please do not wait for an email: call your local emergency number or a crisis line now.",
  /**
   * Courses with a page of their own, and whether they begin as 'Coming soon' when they are loaded.
   * From then on that is changed in the course's form. Before selling, what the pages promise must be
   * there: the worksheets of the one, the workbook of the other.
   */
  comingSoon: { "blue-dot-method": true, "seven-days-of-calm": true },
} satisfies Site;

/** The last link of every footer: help stands in the same place everywhere (WCAG 3.2.6). */
export const writeToMe = { href: `mailto:${site.email}`, label: "Write to me" };

/** Numbers for people in danger, from content/help: linked from every footer. */
export const helpNow = { href: "/help", label: "Help now" };

/** Page title format: '{title} | site name' (spec 2, Page metadata). */
export function pageTitle(title: string): string {
  return `${title} | ${site.name}`;
}

/** A text in which the site's name is never broken over two lines. */
export function unbroken(text: string): string {
  return text.replaceAll(site.name, site.name.replaceAll(" ", "\u00a0"));
}
