import type { ColumnType, Generated } from "kysely";
import type { EmailChangesTable, RateLimitsTable, VerificationsTable } from "./account-tables.ts";
import type { AuditEntriesTable } from "./audit-table.ts";
import type {
  AuthoringDraftsTable,
  FormerEnrollmentsTable,
  InvitationsTable,
  MediaFilesTable,
  PlaybackPositionsTable,
  SentMailsTable,
  StrayFilesTable,
  UploadsTable,
} from "./authoring-tables.ts";
import type { Json, Optional, Time } from "./column-types.ts";
import type { JournalKeysTable, LessonDraftsTable, ProgressTable } from "./journal-tables.ts";
import type {
  DeclinedMailsTable,
  LessonLetterLinesTable,
  LessonLettersTable,
  LessonMarksTable,
  PaymentAttentionsTable,
  PaymentsTable,
  StripeEventsTable,
} from "./money-tables.ts";
import type { OutboxTable } from "./outbox-table.ts";
import type {
  FactorsTable,
  JwksTable,
  PasskeysTable,
  RecoveryCodesTable,
} from "./sign-in-tables.ts";

export type Role = "student" | "admin";

export type ProfilesTable = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: Optional<string>;
  role: Role;
  /** IANA name, as she chose it or her browser last said it; null until it has. */
  timeZone: Optional<string>;
  /** Since when it is the one that she chose, whatever her browser says. */
  timeZoneChosenAt: Optional<Time>;
  /** When the account is deleted, as she asked: until then she may change her mind. */
  deletionDueAt: Optional<Time>;
  /** Since when an administrator has shut the account: whoever has it is nobody. */
  suspendedAt: Optional<Time>;
  /** For administrators only. */
  suspendedReason: Optional<string>;
  /** When an administrator who has put off a second factor is asked for it again. */
  factorReminderAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

export type SessionsTable = {
  id: string;
  token: string;
  userId: string;
  expiresAt: Time;
  ipAddress: Optional<string>;
  userAgent: Optional<string>;
  /** When a second factor was given; without it, the session of somebody who has one is nobody's yet. */
  secondFactorAt: Optional<Time>;
  /** To the nearest quarter of an hour. */
  lastUsedAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

/** Ways to sign in, one row a way; `password` holds a scrypt hash. */
export type AccountsTable = {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  password: Optional<string>;
  /** The address that the provider told last; of a password there is none. */
  providerEmail: Optional<string>;
  createdAt: Time;
  updatedAt: Time;
};

export type LessonMails = "off" | "notice" | "lesson";

export type ProductsTable = {
  id: string;
  slug: string;
  title: string;
  description: Optional<string>;
  priceCents: number;
  active: boolean;
  /** What students get by mail when a lesson opens: nothing, a note with the link, or the lesson itself. */
  lessonMails: Generated<LessonMails>;
  /** Grows with each change by an author: whoever saves says which one she started from. */
  revision: Generated<number>;
  createdAt: Time;
  updatedAt: Time;
  deletedAt: Optional<Time>;
};

export type ModulesTable = {
  id: string;
  productId: string;
  title: string;
  orderNum: number;
  revision: Generated<number>;
  createdAt: Time;
  updatedAt: Time;
  deletedAt: Optional<Time>;
};

/** A question of a lesson, with the placeholder of its answer box. */
export type StoredPrompt = { question: string; placeholder: string };

export type LessonsTable = {
  id: string;
  moduleId: string;
  title: string;
  slug: string;
  orderNum: number;
  /** Whole days after enrollment on which the lesson opens; 0 is at once. */
  dripDay: number;
  /** Markdown, as written. */
  content: string;
  /** `content` made into safe HTML when it was saved. */
  contentHtml: string;
  prompts: ColumnType<StoredPrompt[] | null, string | null, string | null>;
  /** Path of the video in bucket course-videos (the name is the spec's). */
  muxPlaybackId: Optional<string>;
  /** Path of the audio in bucket course-audio. */
  audioKey: Optional<string>;
  /** WebVTT, as it was checked when it was saved. */
  videoCaptions: Optional<string>;
  /** What is said, as plain text with empty lines between paragraphs. */
  videoTranscript: Optional<string>;
  audioTranscript: Optional<string>;
  revision: Generated<number>;
  createdAt: Time;
  updatedAt: Time;
  deletedAt: Optional<Time>;
};

export type EnrollmentsTable = {
  id: string;
  userId: string;
  productId: string;
  stripePaymentId: Optional<string>;
  createdAt: Time;
};

export type ModuleCompletionEmailsTable = {
  userId: string;
  moduleId: string;
  createdAt: Time;
};

export type SubscriberStatus = "pending" | "confirmed" | "unsubscribed";

/** The site's own newsletter list, one row an address; unused where a provider keeps the list. */
export type SubscribersTable = {
  id: string;
  /** As it was typed. */
  email: string;
  /** By which an address is recognised: no capitals, no blanks. */
  emailKey: string;
  /** Empty after unsubscribing: it is needed no more. */
  firstName: string;
  status: SubscriberStatus;
  /** Grows with each unsubscribing; confirmation links of an earlier one are dead. */
  generation: number;
  /** When letters that a stranger could have caused were last written, in ms since 1970. */
  letterTimes: Json<number[]>;
  /** The latest signup. */
  askedAt: Time;
  confirmedAt: Optional<Time>;
  unsubscribedAt: Optional<Time>;
  createdAt: Time;
};

/** Its one row counts the changes of courses, modules and lessons; the database keeps it by triggers. */
export type ContentVersionTable = { id: number; version: number };

/** Small facts of the site itself, such as which sample courses were loaded. */
export type SettingsTable = { name: string; value: string; createdAt: Time };

/** All tables, as code sees them (camel case; snake case in the database). */
export type Tables = {
  profiles: ProfilesTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  emailChanges: EmailChangesTable;
  factors: FactorsTable;
  recoveryCodes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  jwks: JwksTable;
  products: ProductsTable;
  modules: ModulesTable;
  lessons: LessonsTable;
  enrollments: EnrollmentsTable;
  progress: ProgressTable;
  lessonDrafts: LessonDraftsTable;
  journalKeys: JournalKeysTable;
  moduleCompletionEmails: ModuleCompletionEmailsTable;
  outbox: OutboxTable;
  contentVersion: ContentVersionTable;
  settings: SettingsTable;
  subscribers: SubscribersTable;
  rateLimits: RateLimitsTable;
  uploads: UploadsTable;
  mediaFiles: MediaFilesTable;
  strayFiles: StrayFilesTable;
  authoringDrafts: AuthoringDraftsTable;
  formerEnrollments: FormerEnrollmentsTable;
  invitations: InvitationsTable;
  sentMails: SentMailsTable;
  playbackPositions: PlaybackPositionsTable;
  payments: PaymentsTable;
  paymentAttentions: PaymentAttentionsTable;
  stripeEvents: StripeEventsTable;
  declinedMails: DeclinedMailsTable;
  lessonLetters: LessonLettersTable;
  lessonLetterLines: LessonLetterLinesTable;
  lessonMarks: LessonMarksTable;
  auditEntries: AuditEntriesTable;
};
