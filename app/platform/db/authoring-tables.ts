import type { Json, Optional, Time } from "./column-types.ts";

/** A file on its way into storage, from its first byte to the checks after its last. */
export type UploadsTable = {
  id: string;
  bucket: string;
  key: string;
  /** As it was called on the coach's machine. */
  fileName: string;
  size: number;
  /** The lesson it is for; it may not have been saved yet. */
  lessonId: string;
  userId: string;
  createdAt: Time;
  /** When bytes of it came last, to the minute; null before the first. */
  receivedAt: Optional<Time>;
  finishedAt: Optional<Time>;
  refusedAt: Optional<Time>;
  /** Why it was refused, fit to be shown. */
  reason: Optional<string>;
  /** What the store calls it, where the bytes go to one that speaks S3. */
  multipartId: Optional<string>;
  /** The process that is writing to it, where several may. */
  leaseOwner: Optional<string>;
  leasedUntilAt: Optional<Time>;
  /** Another process waits for it. */
  leaseWantedAt: Optional<Time>;
};

/** Every checked file in storage; lessons name theirs by key. */
export type MediaFilesTable = {
  id: string;
  bucket: string;
  key: string;
  fileName: string;
  contentType: string;
  size: number;
  /** Null where the file does not say. */
  durationMs: Optional<number>;
  /** The lesson it was uploaded for. */
  lessonId: Optional<string>;
  /** Since when no lesson names it; files go some days later. */
  unusedSinceAt: Optional<Time>;
  createdAt: Time;
};

/** Stored bytes that nothing here knows, and when that was first noticed; they go some days later. */
export type StrayFilesTable = { name: string; noticedAt: Time };

/** A lesson as somebody is writing it, before she saves it; the lesson may not exist yet. */
export type AuthoringDraftsTable = {
  /** One a page that was opened for writing: it has one writer. */
  id: string;
  userId: string;
  lessonId: string;
  /** The form's fields, as they were typed. */
  fields: Json<Record<string, string>>;
  /** The lesson's revision that the writing started from; 0 for a new lesson. */
  baseRevision: number;
  /** Counts the saves of one writing; one that arrives late has a lower one and is dropped. */
  saves: number;
  createdAt: Time;
  updatedAt: Time;
  /** Saved or given up: the words are gone; the row makes late saves bounce off. */
  discardedAt: Optional<Time>;
};

/** Enrollments that were ended; the student's progress stays where it is. */
export type FormerEnrollmentsTable = {
  id: string;
  userId: string;
  productId: string;
  stripePaymentId: Optional<string>;
  /** When it began. */
  createdAt: Time;
  removedAt: Time;
  /** The account that ended it, 'stripe', or 'deleted' for an account that is gone. */
  removedBy: string;
  /** Why; null where an administrator removed it by hand. */
  reason: Optional<"refunded" | "disputed">;
};

/** Somebody without an account was asked into a course; one waits for an address and a course at most. */
export type InvitationsTable = {
  id: string;
  /** In small letters, as accounts have it. */
  email: string;
  /** What the letter calls her. */
  name: Optional<string>;
  productId: string;
  /** SHA-256 of the link's token. */
  tokenHash: string;
  /** An account's id, or 'deleted' for one that is gone. */
  invitedBy: string;
  createdAt: Time;
  expiresAt: Time;
  acceptedAt: Optional<Time>;
  withdrawnAt: Optional<Time>;
  /** The receiving mail server would not have the letter. */
  letterRefusedAt: Optional<Time>;
};

/** One row a letter that went to somebody with an account: that it went, not what it said. */
export type SentMailsTable = {
  id: string;
  userId: string;
  kind: string;
  subject: string;
  createdAt: Time;
};

/** How far somebody is in a lesson's video or audio. */
export type PlaybackPositionsTable = {
  userId: string;
  lessonId: string;
  kind: "video" | "audio";
  /** The file she was in: another one starts at its beginning. */
  key: string;
  positionMs: number;
  updatedAt: Time;
};
