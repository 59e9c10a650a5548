/** One answer of a completed lesson, as the journal shows it. */
export type KeptAnswer = {
  /** Its place among the lesson's answers. */
  at: number;
  question: string;
  answer: string;
  /** Another one as soon as a letter of it, or its question, is another. */
  version: string;
};

/** Words typed into a lesson's boxes and not sent. */
export type KeptDraft = {
  id: string;
  revision: number;
  updatedAt: Date;
  answers: { question: string; answer: string }[];
  /** What was typed is there, and cannot be opened. */
  unreadable: boolean;
};

/** What somebody wrote in one lesson; `finishedAt` is null while she has not completed it. */
export type JournalLesson = {
  id: string;
  slug: string;
  title: string;
  module: string;
  finishedAt: Date | null;
  /** Of all its answers and drafts together. */
  version: string;
  answers: KeptAnswer[];
  /** Answers are there, and cannot be opened. */
  unreadable: boolean;
  drafts: KeptDraft[];
  /** Whether she can open it in its course now, if only to be told when it opens. */
  isOpen: boolean;
};

/** Why a course's lessons are closed to her: it was deleted, or she is enrolled no longer. */
export type ClosedCourse = "deleted" | "left";

export type JournalCourse = {
  id: string;
  slug: string;
  title: string;
  closed: ClosedCourse | null;
  lessons: JournalLesson[];
};

/** What an edit or a deletion is about: one answer, a draft, a lesson's entry, or everything. */
export type Target =
  | { kind: "answer"; lessonId: string; at: number }
  | { kind: "draft"; draftId: string }
  | { kind: "lesson"; lessonId: string }
  | { kind: "all" };
