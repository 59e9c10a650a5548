import type { Answer } from "../schema.ts";

/** A journal as it is printed and handed out: every day in words. */
export type Book = {
  name: string;
  /** 'November 3, 2025 to November 22, 2026'; null while nothing is written. */
  days: string | null;
  /** Its chapters, as much at a time as fits into memory many times over. */
  pages: AsyncIterable<BookChapter[]>;
};

/** A course, or what of it stands on one page. */
export type BookChapter = {
  id: string;
  title: string;
  sections: BookSection[];
};

/** A lesson, or what of it stands on one page. */
export type BookSection = {
  id: string;
  title: string;
  module: string;
  /** Null while the lesson is not finished. */
  day: string | null;
  answers: Answer[];
  /** What stands in the place of answers that cannot be opened. */
  unreadable: string | false;
  drafts: { day: string; answers: Answer[]; unreadable: string | false }[];
};
