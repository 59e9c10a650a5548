import type { Content, PageContent, Site } from "../../../content/fields.ts";
import type { CourseParts } from "./rules.ts";

/** What a page says now, and what its first edition says ({} without one). */
export type PageWords = {
  name: string;
  /** Of a course. */
  slug?: string;
  label: string;
  shown: Content;
  first: Content;
};

export type CourseFacts = {
  id: string;
  slug: string;
  title: string;
  priceCents: number;
  comingSoon: boolean;
  coverId: string | null;
  /** How many it has. */
  lessons: number;
  parts: CourseParts;
  /** How many lessons play a recording that came with the site. */
  samples: number;
  /** Of its page; null where it has none. */
  words: PageWords | null;
};

/** What the checks are about, each read once. Times are ages in milliseconds. */
export type Facts = {
  words: {
    site: Site;
    firstSite: Site;
    home: PageContent<"home">;
    firstHome: PageContent<"home">;
    application: string;
    /** All but those of courses. */
    pages: PageWords[];
  };
  /** Subjects of the pages that were published, as `page:home`. */
  published: string[];
  /** The active ones. */
  courses: CourseFacts[];
  shareCards: {
    page: string;
    brand: string;
    title: string;
    line: string;
    /** Of the picture that was drawn last, and of that of the present words. */
    name: string | null;
    wanted: string;
  }[];
  /** Whether there is one of the coach's own. */
  portrait: boolean;
  stripe: {
    key: "none" | "test" | "live";
    /** Since the webhook was last heard with the present secret, and since the last payment. */
    heardMs: number | null;
    paidMs: number | null;
  };
  mail: {
    hasServer: boolean;
    /** Of the sender's address. */
    domain: string;
    test: { result: "sent" | "file" | "failed"; ageMs: number } | null;
    /** How many finally failed; counted up to ten. */
    failed: number;
    /** What the mail server says while no email can be sent. */
    outage: string | null;
  };
  /** APP_URL. */
  address: string;
  /** Since the last backup was begun; null where none is known. */
  backup: number | null;
  admins: { all: number; without: number };
  /** In bytes. */
  disk: { free: number; all: number };
  folder: { path: string; isOpen: boolean };
};
