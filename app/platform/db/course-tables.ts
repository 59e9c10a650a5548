import type { Generated } from "kysely";
import type { Json, Optional, Time } from "./columns.ts";

export type UploadsTable = {
  id: string;
  bucket: string;
  key: string;
  fileName: string;
  size: number;
  lessonId: string;
  /** What it is of the file `renditionOf`; both null for a lesson's own file. */
  rendition: Optional<string>;
  renditionOf: Optional<string>;
  userId: string;
  createdAt: Time;
  receivedAt: Optional<Time>;
  finishedAt: Optional<Time>;
  refusedAt: Optional<Time>;
  reason: Optional<string>;
  multipartId: Optional<string>;
  leaseOwner: Optional<string>;
  leasedUntilAt: Optional<Time>;
  leaseWantedAt: Optional<Time>;
};

export type MediaFilesTable = {
  id: string;
  bucket: string;
  key: string;
  fileName: string;
  contentType: string;
  size: number;
  durationMs: Optional<number>;
  /** Null where it is not known, or not a film; both as in RFC 6381. */
  videoCodec: Optional<string>;
  audioCodec: Optional<string>;
  width: Optional<number>;
  height: Optional<number>;
  rendition: Optional<string>;
  renditionOf: Optional<string>;
  /** How much of the conversion on the server is done; null where none was asked for. */
  convertedPercent: Optional<number>;
  conversionFault: Optional<string>;
  lessonId: Optional<string>;
  unusedSinceAt: Optional<Time>;
  createdAt: Time;
};

export type LessonFilesTable = {
  id: string;
  lessonId: string;
  fileId: string;
  title: string;
  orderNum: number;
  createdAt: Time;
};

export type PicturesTable = {
  id: string;
  /** Of its id and the bytes that it was made from: names the files of a public one. */
  hash: string;
  /** The lesson that it was uploaded for; null for a public picture. */
  lessonId: Optional<string>;
  width: number;
  height: number;
  /** Of its files, in pixels, the smallest first. */
  widths: Json<number[]>;
  createdAt: Time;
  unusedSinceAt: Optional<Time>;
  /** A version of a page has shown it, or a release was to. */
  inVersion: Generated<boolean>;
  /** Has a JPEG for emails. */
  forEmail: Generated<boolean>;
};

/** The share picture of a page, and the words that it is to have. */
export type ShareCardsTable = {
  /** 'home', 'about', 'course:ID'. */
  page: string;
  brand: string;
  title: string;
  line: string;
  drawing: string;
  /** The name of the picture of these words; `name` is that of the one that was drawn last. */
  wanted: string;
  name: Optional<string>;
  alt: Optional<string>;
  requestedAt: Time;
  drawnAt: Optional<Time>;
};

export type PictureUsesTable = { lessonId: string; pictureId: string; what: "text" | "poster" };

/** Stored bytes that no row references; deleted some days after they were noticed. */
export type StrayFilesTable = { name: string; noticedAt: Time };

export type FormerEnrollmentsTable = {
  id: string;
  userId: string;
  productId: string;
  stripePaymentId: Optional<string>;
  createdAt: Time;
  lessonsFromAt: Optional<Time>;
  removedAt: Time;
  /** An account id, 'stripe', or 'deleted' for an account that was deleted. */
  removedBy: string;
  reason: Optional<"refunded" | "disputed">;
};

/** At most one pending invitation per email and course. */
export type InvitationsTable = {
  id: string;
  email: string;
  name: Optional<string>;
  productId: string;
  tokenHash: string;
  invitedBy: string;
  createdAt: Time;
  expiresAt: Time;
  acceptedAt: Optional<Time>;
  withdrawnAt: Optional<Time>;
  emailRefusedAt: Optional<Time>;
};

/** An email of the coach to the students of a course. */
export type CourseEmailsTable = {
  id: string;
  productId: string;
  subject: string;
  body: string;
  createdAt: Time;
  /** The last enrollment that was looked at; the next portion begins after it. */
  positionAt: Optional<Time>;
  positionId: Optional<string>;
  /** When the last portion was enqueued. */
  enqueuedAt: Optional<Time>;
  stoppedAt: Optional<Time>;
  /** How many emails were enqueued, and sent. */
  recipients: Generated<number>;
  sent: Generated<number>;
};

export type SentEmailsTable = {
  id: string;
  userId: string;
  kind: string;
  subject: string;
  createdAt: Time;
};

/** A student who wants to hear from the coach when quiet (features/figures/care.server.ts). */
export type CareRequestsTable = {
  userId: string;
  createdAt: Time;
  /** The last sign of the student, to the hour: triggers write it. */
  activeAt: Time;
  /** Null again with the next sign. */
  writtenAt: Optional<Time>;
};

/** When a student first opened a lesson. */
export type LessonViewsTable = { userId: string; lessonId: string; createdAt: Time };

/** By page, day and the host that linked to it ('' for none): nothing about a visitor. */
export type VisitsTable = {
  /** In the site's time zone, as '2026-11-28'. */
  day: string;
  page: string;
  host: string;
  arrivals: number;
  openings: number;
};

/** An old address, and where it leads. */
export type RedirectsTable = {
  id: string;
  /** In lower case, encoded as in an address. */
  fromPath: string;
  /** A path of the site, or an https address. */
  target: string;
  hits: Generated<number>;
  createdAt: Time;
};

/** An address that visitors did not find: nothing about a visitor. */
export type LostPagesTable = {
  path: string;
  requests: number;
  /** In the site's time zone, as '2026-11-28'. */
  lastDay: string;
  ignoredAt: Optional<Time>;
};

export type PlaybackPositionsTable = {
  userId: string;
  lessonId: string;
  kind: "video" | "audio";
  /** The file that was played: another one starts at its beginning. */
  key: string;
  positionMs: number;
  updatedAt: Time;
};

/** What a page, a course or a lesson was from when it was published; rows never change. */
export type VersionsTable = {
  id: string;
  /** 'page:home', 'page:course:ID', 'course:ID', 'lesson:ID'. */
  subject: string;
  /** Counts the versions of the subject, from 1. */
  number: number;
  /** JSON, as it was written. */
  content: string;
  /** JSON: of a page, its words as they are shown. */
  shown: Optional<string>;
  /** Null for one who has no account any more. */
  authorId: Optional<string>;
  createdAt: Time;
};

/** Which version of a page is public; without a row, the first edition is. */
export type PagesTable = { subject: string; number: number; updatedAt: Time };

/** What was typed for one place of a page and is not published. */
export type PageDraftsTable = {
  subject: string;
  field: string;
  /** Of the editor that wrote it, and how many changes it had made. */
  id: string;
  revision: number;
  /** JSON. */
  value: string;
  /** The version of the page that it began with; 0 for the first edition. */
  number: number;
  userId: Optional<string>;
  updatedAt: Time;
};

/** Changes that become public together (features/releases/schema.ts). */
export type ReleasesTable = {
  id: string;
  title: string;
  state: string;
  /** Why it could not be published when its time came. */
  problem: Optional<string>;
  authorId: Optional<string>;
  dueAt: Optional<Time>;
  publishedAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

export type ReleaseChangesTable = {
  releaseId: string;
  /** 'page:NAME' or 'course:ID'. */
  subject: string;
  /** JSON: by field, what it was and what it becomes. */
  changes: string;
  /** JSON: the drafts of a page that are in it. */
  drafts: string;
  /** Versions of a page, before and since it was published. */
  beforeNumber: Optional<number>;
  afterNumber: Optional<number>;
};
