import { z } from "zod";
import { draftSave } from "~/features/drafts/schema.ts";

/** Longest answer to one prompt, in characters: a short novel. */
export const maxAnswerLength = 100_000;

/** Longest journal of one lesson, in characters. */
export const maxJournalLength = 400_000;

const maxAnswers = 100;
const maxQuestionLength = 5_000;

/** PostgreSQL takes neither NUL nor half a character; no one can have meant to write them. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** One answer box: the question as the student saw it, and what they typed. */
export const answer = z.object({
  question: z.string().max(maxQuestionLength).transform(storable),
  answer: z.string().max(maxAnswerLength, "too long").transform(storable),
});
export type Answer = z.infer<typeof answer>;

export const lengthOf = (answers: Answer[]): number =>
  answers.reduce((sum, { answer }) => sum + answer.length, 0);

/** Counted before they are looked at: a hundred thousand empty ones take a second. */
export const answers = z
  .array(z.unknown())
  .max(maxAnswers)
  .pipe(z.array(answer))
  .refine((list) => lengthOf(list) <= maxJournalLength, { error: "too long" });

export const journalDraftSave = draftSave.extend({
  userId: z.string().optional(),
  lessonId: z.string().max(100),
  answers,
  /** How long ago it was typed, by the device's clock: it may have waited for a connection. */
  agoMs: z.number().int().min(0).max(1e12).default(0),
});
export type JournalDraftSave = z.infer<typeof journalDraftSave>;

/** One answer of a completed lesson, as the journal shows it. */
export type SavedAnswer = {
  /** Its place among the lesson's answers. */
  at: number;
  question: string;
  answer: string;
  /** Changes with every change of the answer or its question. */
  version: string;
};

/** Words typed into a lesson's boxes and not sent. */
export type JournalDraft = {
  id: string;
  revision: number;
  updatedAt: Date;
  answers: { question: string; answer: string }[];
  /** What was typed is there, and cannot be opened. */
  unreadable: boolean;
};

/** A photograph of a handwritten page, without its bytes; width and height in pixels. */
export type Photograph = { id: string; width: number; height: number; createdAt: Date };

/** A photograph as pages show it; `added` is a date in words. */
export type ShownPhotograph = Omit<Photograph, "createdAt"> & { added: string };

type LessonPlace = {
  id: string;
  slug: string;
  title: string;
  module: string;
  /** Null while they have not completed it. */
  finishedAt: Date | null;
  /** Of all its answers, drafts and photographs together. */
  version: string;
  /** The oldest first. */
  photographs: Photograph[];
  /** Whether they can open it in its course now, if only to read when it opens. */
  isOpen: boolean;
  /** Its beginning is on an earlier page. */
  isContinued: boolean;
};

/** What is stored of a lesson, or of the part of it that stands on one page, without the words. */
export type LessonOutline = LessonPlace & {
  /** Of the sealed answers, in bytes; 0 without any. */
  size: number;
  /** Tells one state of the answers from the next. */
  stamp: string | null;
  drafts: { id: string; revision: number; updatedAt: Date; size: number }[];
};

export type WrittenLesson = LessonPlace & {
  answers: SavedAnswer[];
  /** Answers are there, and cannot be opened. */
  unreadable: boolean;
  drafts: JournalDraft[];
};

/** Why a course's lessons are closed to them: it was deleted, or they are enrolled no longer. */
export type ClosedCourse = "deleted" | "left";

export type JournalCourse<Lesson = WrittenLesson> = {
  id: string;
  slug: string;
  title: string;
  closed: ClosedCourse | null;
  lessons: Lesson[];
};

export type JournalCourseOutline = JournalCourse<LessonOutline>;

/** What an edit or a deletion is about: one answer, a draft, a photograph, a lesson's
 * entry, or everything. */
export type Target =
  | { kind: "answer"; lessonId: string; at: number }
  | { kind: "draft"; draftId: string }
  | { kind: "photograph"; photographId: string }
  | { kind: "lesson"; lessonId: string }
  | { kind: "all" };

/** A draft beside or in the boxes of a lesson; `at` in ms, `when` in words. */
export type ShownDraft = {
  id: string;
  revision: number;
  answers: Answer[];
  at: number;
  /** Null for a draft of this device that the server does not have. */
  when: string | null;
  /** Older drafts whose text is in it; the server has discarded those of its own drafts. */
  absorbed: { id: string; revision: number }[];
};

/** What the form of a lesson's answers needs to know of the lesson. */
export type JournalFormLesson = {
  id: string;
  key: string;
  prompts: { question: string; placeholder?: string }[];
  /** The newest first; the one that the address asks for before it. The first is in the boxes. */
  drafts: ShownDraft[];
  isDraftAsked: boolean;
  /** Percent of the storage that is used; null while it is not nearly full. */
  room: number | null;
  photographs: ShownPhotograph[];
  photographsHtml: string;
  /** 'open' on the last lesson of a module. */
  completeModule: "open" | "done" | null;
};
