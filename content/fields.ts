/** What the coach can write in one place of a page. */
export type Field = {
  /**
   * `line`: plain text on one line, without markup. `text`: Markdown. `address`: https://…;
   * `picture`: one of the site's own, by its path, or one that was uploaded: 'picture:ID'.
   */
  kind: "line" | "text" | "address" | "email" | "handle" | "picture" | "zone";
  /** Beside its box. */
  label: string;
  /** In characters. */
  max: number;
  optional?: true;
  /** Straight quotes stay straight: the words are the spec's, to the letter. */
  exact?: true;
  hint?: string;
};

/** Things of one kind, one below the other: testimonials, weeks, questions. */
export type ListField = {
  kind: "list";
  label: string;
  /** One of them: 'testimonial'. */
  one: string;
  of: Readonly<Record<string, Field>>;
  min: number;
  max: number;
};

export type Fields = Readonly<Record<string, Field | ListField>>;

/** The words of a page, as they are written or as they are shown: lines as text, texts as HTML. */
export type ContentOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends ListField
    ? { [Part in keyof F[Name]["of"]]: string }[]
    : string;
};

/** Of any page. */
export type Content = Record<string, string | Record<string, string>[]>;

type Options = Pick<Field, "optional" | "exact" | "hint">;

export const line = (label: string, max = 120, options: Options = {}) =>
  ({ kind: "line", label, max, ...options }) as const;

export const text = (label: string, max = 5_000, options: Options = {}) =>
  ({ kind: "text", label, max, ...options }) as const;

export const address = (label: string, options: Options = {}) =>
  ({ kind: "address", label, max: 500, ...options }) as const;

type Bounds = { min: number; max: number };

export const list = <const Of extends ListField["of"]>(
  label: string,
  one: string,
  { min, max }: Bounds,
  of: Of,
) => ({ kind: "list", label, one, of, min, max }) as const;

const optional = { optional: true } as const;

/** Where the page is found: in search engines, in the browser's tab and where it is shared. */
const found = {
  title: line("Title for search engines", 70),
  description: line("Description for search engines", 160),
};
const shared = {
  shareTitle: line("Title of the share picture", 60),
  shareLine: line("Line below it", 60, optional),
};
const opening = { heading: line("Heading", 120), lead: line("First sentences", 400, optional) };
const section = { title: line("Heading", 80), text: text("Text", 20_000) };
const question = { title: line("Question", 120), text: text("Answer") };
const step = { title: line("Step", 80), text: line("Explanation", 300) };
const link = (label: string) => line(label, 30);

const site = {
  name: line("Name of the site", 40),
  coachName: line("Your name", 60),
  coachFirstName: line("Your first name", 40, { hint: "Emails are signed with it." }),
  title: line("Title of pages that have none of their own", 70),
  description: line("Description of pages that have none of their own", 160),
  blurb: line("About the site, at the end of each page", 160),
  email: { kind: "email", label: "Your email address", max: 254 },
  postalAddress: line("Your postal address", 200, {
    ...optional,
    hint: "At the end of newsletters, where the law of many countries asks for it.",
  }),
  timeZone: {
    kind: "zone",
    label: "Your time zone",
    max: 60,
    hint: "A place, like America/New_York.",
  },
  socialHandle: {
    kind: "handle",
    label: "Your name on social media",
    max: 40,
    hint: "Like @name.",
  },
  profiles: list(
    "Your profiles elsewhere",
    "profile",
    { min: 0, max: 10 },
    {
      address: address("Address"),
    },
  ),
  homeLabel: link("Link to the first page"),
  aboutLabel: link("Link to the page about you"),
  coursesLabel: link("Link to the courses"),
  coachingLabel: link("Link to coaching"),
  privacyLabel: link("Link to the privacy policy"),
  termsLabel: link("Link to the terms of service"),
  writeLabel: link("Link that writes to you"),
  newsletterTitle: line("Heading of the newsletter’s form", 80),
  newsletterSubtitle: line("Sentence below it", 160),
  newsletterNote: line("Note below the form", 120),
  footerTitle: line("Heading of the form at the end of each page", 80),
  crisisName: line("Name of a list of crisis lines", 60),
  crisisAddress: address("Address of that list"),
  inDanger: line("At the end of emails about lessons, for somebody in danger", 400),
  ...shared,
} as const satisfies Fields;

const home = {
  ...found,
  ...opening,
  communityTitle: line("Heading above the newsletter"),
  communityText: line("About the newsletter", 300),
  bioTitle: line("Heading above the text about you"),
  text: text("About you"),
  bioLink: line("Link to more about you", 60),
  offerTitle: line("Heading above what you offer"),
  offerText: line("Sentence beside it", 200),
  offers: list(
    "What you offer: courses, coaching, newsletter",
    "offer",
    { min: 3, max: 3 },
    {
      title: line("Heading", 60),
      text: line("Description", 300),
      link: line("Link", 60),
    },
  ),
  featuredTitle: line("Heading above the films"),
  featuredText: line("Sentence beside it", 200),
  featured: list(
    "Films elsewhere",
    "film",
    { min: 0, max: 6 },
    {
      title: line("Title", 80),
      length: line("Length", 20, { hint: "Like 2 min." }),
      address: address("Address"),
      picture: { kind: "picture", label: "Picture", max: 200 },
      alt: line("What the picture shows", 200),
    },
  ),
  testimonialsTitle: line("Line above the testimonials"),
  testimonials: list(
    "Testimonials",
    "testimonial",
    { min: 0, max: 6 },
    {
      quote: line("What they said", 400),
      who: line("Who said it", 80),
    },
  ),
  ...shared,
} as const satisfies Fields;

const about = {
  ...found,
  ...opening,
  text: text("Your story", 20_000),
  sections: list("Parts of your story", "part", { min: 0, max: 8 }, section),
  blueDotTitle: line("Heading above the Blue Dot"),
  blueDotText: text("The Blue Dot"),
  beliefsTitle: line("Heading above your beliefs"),
  beliefs: list(
    "What you believe",
    "belief",
    { min: 4, max: 4 },
    {
      title: line("Belief", 60),
      text: text("Text", 1_500),
    },
  ),
  toCourses: line("Sentence that leads to the courses", 120),
  toCoaching: line("Sentence that leads to coaching", 120),
  newsletterTitle: line("Heading above the newsletter"),
  newsletterText: line("About the newsletter", 300),
  ...shared,
} as const satisfies Fields;

const coaching = {
  ...found,
  ...opening,
  application: address("Address of your application form"),
  notSafe: line("For somebody who is not safe", 120),
  notSafeLink: line("Link to who answers", 60),
  facts: list(
    "Facts about the sessions",
    "fact",
    { min: 1, max: 6 },
    {
      term: line("What", 40),
      detail: line("Fact", 80),
    },
  ),
  text: text("What a session is like"),
  sections: list(
    "How it works, how to begin, who it is for, when it is not the right help",
    "part",
    { min: 4, max: 4 },
    section,
  ),
  questionsTitle: line("Heading above the questions"),
  questions: list("Questions", "question", { min: 1, max: 12 }, question),
  ...shared,
} as const satisfies Fields;

const courses = {
  ...found,
  ...opening,
  empty: line("Where there is no course", 200),
  moreTitle: line("Heading below the courses"),
  moreText: line("Sentence below it", 200),
  ...shared,
} as const satisfies Fields;

/** Of any course; each part but the opening is left out where it is empty. */
const course = {
  title: line("Title for search engines", 70),
  description: line("Description for search engines", 160, optional),
  heading: line("Heading", 120),
  subtitle: line("Line below the heading", 120, optional),
  lead: line("First sentences", 400, optional),
  facts: list("At a glance", "fact", { min: 0, max: 4 }, { fact: line("Fact", 60) }),
  whatTitle: line("Heading: what it is", 80, optional),
  what: text("What it is", 20_000, optional),
  weeksTitle: line("Heading: week by week", 80, optional),
  weeksText: text("Before the weeks", 5_000, optional),
  weeks: list(
    "Week by week",
    "week",
    { min: 0, max: 60 },
    {
      title: line("Heading", 120, { hint: "Like Week 1: Where you are." }),
      text: text("Text", 2_000, optional),
    },
  ),
  getTitle: line("Heading: what you get", 80, optional),
  get: text("What you get", 5_000, optional),
  forTitle: line("Heading: who it is for", 80, optional),
  for: text("Who it is for", 5_000, optional),
  notForTitle: line("Heading: who it is not for", 80, optional),
  notFor: text("Who it is not for", 5_000, optional),
  questionsTitle: line("Heading: questions", 80, optional),
  questions: list("Questions", "question", { min: 0, max: 20 }, question),
  closingTitle: line("Heading at the end", 80, optional),
  closing: line("Sentence at the end", 200, optional),
  ...shared,
} as const satisfies Fields;

const newsletter = {
  nextTitle: line("Heading below the form"),
  next: list("What happens next", "step", { min: 1, max: 5 }, { text: line("Step", 200) }),
  confirmTitle: line("Question before confirming"),
  confirmLead: line("Sentence below it", 200),
  confirmButton: line("Button", 60),
  confirmNote: line("For somebody who did not sign up", 200),
  confirmedTitle: line("Heading once it is confirmed"),
  confirmedLead: line("Sentence below it", 200),
  confirmedText: line("Text below it", 300),
  leaveTitle: line("Question before unsubscribing"),
  leaveLead: line("Sentence below it", 200),
  leaveButton: line("Button", 60),
  stayButton: line("Link back", 60),
  leftTitle: line("Heading once it is unsubscribed"),
  leftLead: line("Sentence below it", 200),
  leftText: line("Text below it", 300),
} as const satisfies Fields;

const thankYou = {
  heading: line("Heading", 120, { exact: true }),
  lead: line("Sentence below it", 200),
  steps: list("Next steps", "step", { min: 1, max: 6 }, step),
  meanwhile: line("Heading above the links"),
} as const satisfies Fields;

const enrollmentSuccess = {
  heading: line("Heading"),
  lead: line("Sentence below it", 300),
  steps: list("Next steps", "step", { min: 4, max: 4 }, step),
} as const satisfies Fields;

const notFound = {
  heading: line("Heading"),
  lead: line("Sentence below it", 300, { exact: true }),
} as const satisfies Fields;

const legal = {
  ...found,
  ...opening,
  text: text("Before the first section", 5_000, optional),
  sections: list("Sections", "section", { min: 1, max: 40 }, section),
} as const satisfies Fields;

/** Every page whose words the coach can change, and what can be written on it. */
export const pageFields = {
  site,
  home,
  about,
  coaching,
  courses,
  course,
  newsletter,
  "thank-you": thankYou,
  "enrollment-success": enrollmentSuccess,
  "not-found": notFound,
  privacy: legal,
  terms: legal,
} as const satisfies Record<string, Fields>;

/** The kinds of pages; of `course` there is one for each course. */
export type PageKind = keyof typeof pageFields;

export type PageContent<Kind extends PageKind> = ContentOf<(typeof pageFields)[Kind]>;

/** Names, addresses and words that stand on every page. */
export type Site = PageContent<"site">;
export type CoursePageContent = PageContent<"course">;

/** The picture of a page where somebody shares it: its path on the site. */
export type ShareImage = { path: string; alt: string };

/** What every visitor may be shown just now, from memory: lines are text, texts are HTML. */
export type PublishedContent = {
  readonly site: Site;
  page<Kind extends Exclude<PageKind, "site" | "course">>(kind: Kind): PageContent<Kind>;
  /** The words of a course's page, if there are any: by the course's id, or by the address that the
   * first edition has them for. */
  course(course: { id: string | null; slug: string }): CoursePageContent | null;
  /** Of a page by its name, 'home' or 'course:ID'; that of the site where it has none. */
  share(name: string, slug?: string): ShareImage;
  /** The words of all pages as they are shown, with the names still in braces: by 'page:home', or by
   * the address of a course in the first edition. */
  unnamed(): ReadonlyMap<string, Content>;
  /** Pages whose public version cannot be read: an older one is shown. */
  readonly damaged: readonly { subject: string; number: number }[];
  /** Reads what was published since. */
  refresh(): Promise<void>;
};
