/**
 * The coach's own facts: names, addresses and links, in one place.
 * Change them here and they change everywhere, in pages, mails and metadata.
 */
export const site = {
  name: "Blue Dot",
  coach: { name: "Nora Hale", firstName: "Nora" },
  title: "Blue Dot: grief coaching and courses",
  description:
    "Self-paced courses and one-on-one coaching for people who are grieving, from someone who lost her brother. No timelines, no ten easy steps.",
  blurb: "Courses, coaching and a weekly letter for people who are living with loss.",
  email: "hello@bluedot.example",
} as const;
