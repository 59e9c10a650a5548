import type { Json, Optional, Time } from "./column-types.ts";

/** Each person's own key, with which what she writes is sealed (platform/sealing); it goes with her account. */
export type JournalKeysTable = {
  userId: string;
  /** Sealed itself, with a master key that is not in the database. */
  wrappedKey: string;
  /** Fingerprint of that master key. */
  masterId: string;
  createdAt: Time;
};

/** One answer as it was given: the question is kept as the student saw it. */
export type StoredAnswer = { question: string; answer: string };

/** One row a completed lesson. */
export type ProgressTable = {
  userId: string;
  lessonId: string;
  /** Her answers, sealed (features/learning/sealing); null when she gave none. */
  journalAnswer: Optional<string>;
  /** Empty; readable answers of before migration 013 until they are sealed. */
  answers: Json<StoredAnswer[]>;
  createdAt: Time;
};

export type LessonDraftsTable = {
  id: string;
  userId: string;
  lessonId: string;
  /** Null when there are none, which is when it is discarded. */
  sealedAnswers: Optional<string>;
  /** As in {@link ProgressTable}. */
  answers: Json<StoredAnswer[]>;
  /** Counts the saves of one writing; a save that arrives late has a lower one and is dropped. */
  revision: number;
  createdAt: Time;
  updatedAt: Time;
  /** Sent, emptied or deleted: the words are gone; the row makes late saves bounce off. */
  discardedAt: Optional<Time>;
};
