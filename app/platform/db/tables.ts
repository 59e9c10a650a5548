import type { ColumnType, Generated } from "kysely";
import type {
  BackupCodesTable,
  EmailChangesTable,
  FactorsTable,
  JwksTable,
  PasskeysTable,
  RateLimitsTable,
  VerificationsTable,
} from "./auth-tables.ts";
import type { Json, Optional, Time } from "./columns.ts";
import type {
  CareRequestsTable,
  CourseEmailsTable,
  FormerEnrollmentsTable,
  InvitationsTable,
  LessonFilesTable,
  LessonViewsTable,
  LostPagesTable,
  MediaFilesTable,
  PageDraftsTable,
  PagesTable,
  PicturesTable,
  PictureUsesTable,
  PlaybackPositionsTable,
  RedirectsTable,
  ReleaseChangesTable,
  ReleasesTable,
  SentEmailsTable,
  ShareCardsTable,
  StrayFilesTable,
  UploadsTable,
  VersionsTable,
  VisitsTable,
} from "./course-tables.ts";
import type {
  MailReportsTable,
  NewsletterDeliveriesTable,
  NewsletterIssuesTable,
  RecordingsTable,
  SubscriberImportPartsTable,
  SubscriberImportRowsTable,
  SubscriberImportsTable,
  SubscribersTable,
  SuppressionsTable,
} from "./newsletter-tables.ts";
import type {
  AnnouncedLessonsTable,
  DeclinedEmailsTable,
  PaymentIssuesTable,
  PaymentRefundsTable,
  PaymentsTable,
  StripeEventsTable,
  TalliesTable,
} from "./payment-tables.ts";

/** `broken`: the work itself is faulty; `interrupted`: its process was killed each time. */
export type WorkFailure =
  | "refused"
  | "suppressed"
  | "expired"
  | "exhausted"
  | "broken"
  | "interrupted";

export type OutboxTable = {
  id: string;
  kind: string;
  payload: Json<unknown>;
  dueAt: Time;
  attempts: number;
  /** Attempts that ended with the process itself (platform/jobs/claim.ts). */
  interruptions: Generated<number>;
  leaseOwner: Optional<string>;
  leasedUntilAt: Optional<Time>;
  finishedAt: Optional<Time>;
  failedAt: Optional<Time>;
  lastError: Optional<string>;
  /** The recipient: an account, or an address without one; neither where there is no email. */
  userId: Optional<string>;
  address: Optional<string>;
  subject: Optional<string>;
  worksUntilAt: Optional<Time>;
  failure: Optional<WorkFailure>;
  /** What it is one of many for. */
  batchId: Optional<string>;
  createdAt: Time;
};

/** One row per admin action; rows never change. */
export type AuditEntriesTable = {
  id: string;
  actorId: Optional<string>;
  actorName: string;
  /** '<kind>.<verb>', e.g. 'course.deleted' (features/audit-log/messages.ts). */
  action: string;
  subjectKind: string;
  subjectId: Optional<string>;
  /** Never a student's name, which `personId` gives while the account exists. */
  label: string;
  personId: Optional<string>;
  details: Json<Record<string, string | number>>;
  createdAt: Time;
};

export type JournalKeysTable = {
  userId: string;
  /** Encrypted with a master key that is not in the database. */
  wrappedKey: string;
  masterId: string;
  createdAt: Time;
};

/** A photograph of a handwritten page; its sealed bytes are in storage. */
export type JournalPicturesTable = {
  id: string;
  /** Null for a deleted account: its bytes are deleted next. */
  userId: Optional<string>;
  lessonId: string;
  /** In bytes, sealed. */
  size: number;
  width: number;
  height: number;
  createdAt: Time;
  /** Null until the bytes are stored. */
  storedAt: Optional<Time>;
  deletedAt: Optional<Time>;
};

export type ProgressTable = {
  userId: string;
  lessonId: string;
  /** Encrypted (features/journal/encryption.server.ts); null when none were given. */
  journalAnswer: Optional<string>;
  createdAt: Time;
};

/** A lesson's journal, or a lesson that is being written. */
export type DraftKind = "journal" | "lesson";

export type DraftsTable = {
  /** One per opened page, so that a draft has one writer. */
  id: string;
  kind: DraftKind;
  userId: string;
  /** A new lesson has drafts before it is stored. */
  lessonId: string;
  /** Sealed answers, or a form's fields as JSON. Null once it is discarded. */
  content: Optional<string>;
  /** The lesson's revision that its form started from; 0 for a journal. */
  baseRevision: number;
  /** Counts the autosaves: a late one has a lower number and is dropped. */
  revision: number;
  createdAt: Time;
  updatedAt: Time;
  /** Sent, saved, emptied or deleted: the row rejects late autosaves. */
  discardedAt: Optional<Time>;
};

export type Role = "student" | "admin";

export type ProfilesTable = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image: Optional<string>;
  role: Role;
  timeZone: Optional<string>;
  /** Set when the user chose the zone: the browser's no longer counts. */
  timeZoneChosenAt: Optional<Time>;
  deletionDueAt: Optional<Time>;
  /** The owner of a suspended account counts as signed out. */
  suspendedAt: Optional<Time>;
  suspendedReason: Optional<string>;
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
  /** Without it, a session of a user with two-factor is not signed in yet. */
  secondFactorAt: Optional<Time>;
  lastUsedAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

export type AccountsTable = {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  password: Optional<string>;
  providerEmail: Optional<string>;
  createdAt: Time;
  updatedAt: Time;
};

export type LessonEmailSetting = "off" | "notice" | "lesson";

export type ProductsTable = {
  id: string;
  slug: string;
  title: string;
  description: Optional<string>;
  priceCents: number;
  active: boolean;
  comingSoon: Generated<boolean>;
  lessonEmails: Generated<LessonEmailSetting>;
  coverId: Optional<string>;
  coverAlt: Optional<string>;
  /** Grows with each edit: a save names the revision it started from. */
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

export type StoredPrompt = { question: string; placeholder: string };

export type LessonsTable = {
  id: string;
  moduleId: string;
  title: string;
  slug: string;
  orderNum: number;
  dripDay: number;
  content: string;
  contentHtml: string;
  prompts: ColumnType<StoredPrompt[] | null, string | null, string | null>;
  /** Path in bucket course-videos (the name is the spec's). */
  muxPlaybackId: Optional<string>;
  audioKey: Optional<string>;
  videoCaptions: Optional<string>;
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
  /** From when the days of its lessons count, where that is not `createdAt`. */
  lessonsFromAt: Optional<Time>;
};

export type ModuleCompletionEmailsTable = {
  userId: string;
  moduleId: string;
  createdAt: Time;
};

/** One row; triggers count the changes of courses, modules and lessons in it. */
export type ContentVersionTable = { id: number; version: number };

export type SettingsTable = { name: string; value: string; createdAt: Time };

export type Tables = {
  profiles: ProfilesTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  emailChanges: EmailChangesTable;
  factors: FactorsTable;
  backupCodes: BackupCodesTable;
  passkeys: PasskeysTable;
  jwks: JwksTable;
  products: ProductsTable;
  modules: ModulesTable;
  lessons: LessonsTable;
  enrollments: EnrollmentsTable;
  progress: ProgressTable;
  drafts: DraftsTable;
  journalKeys: JournalKeysTable;
  journalPictures: JournalPicturesTable;
  moduleCompletionEmails: ModuleCompletionEmailsTable;
  outbox: OutboxTable;
  contentVersion: ContentVersionTable;
  settings: SettingsTable;
  subscriberImports: SubscriberImportsTable;
  subscriberImportParts: SubscriberImportPartsTable;
  subscriberImportRows: SubscriberImportRowsTable;
  subscribers: SubscribersTable;
  newsletterIssues: NewsletterIssuesTable;
  newsletterDeliveries: NewsletterDeliveriesTable;
  suppressions: SuppressionsTable;
  mailReports: MailReportsTable;
  recordings: RecordingsTable;
  rateLimits: RateLimitsTable;
  uploads: UploadsTable;
  mediaFiles: MediaFilesTable;
  lessonFiles: LessonFilesTable;
  pictures: PicturesTable;
  pictureUses: PictureUsesTable;
  shareCards: ShareCardsTable;
  strayFiles: StrayFilesTable;
  formerEnrollments: FormerEnrollmentsTable;
  invitations: InvitationsTable;
  courseEmails: CourseEmailsTable;
  sentEmails: SentEmailsTable;
  playbackPositions: PlaybackPositionsTable;
  payments: PaymentsTable;
  paymentIssues: PaymentIssuesTable;
  paymentRefunds: PaymentRefundsTable;
  stripeEvents: StripeEventsTable;
  declinedEmails: DeclinedEmailsTable;
  announcedLessons: AnnouncedLessonsTable;
  auditEntries: AuditEntriesTable;
  careRequests: CareRequestsTable;
  lessonViews: LessonViewsTable;
  tallies: TalliesTable;
  visits: VisitsTable;
  redirects: RedirectsTable;
  lostPages: LostPagesTable;
  versions: VersionsTable;
  pages: PagesTable;
  pageDrafts: PageDraftsTable;
  releases: ReleasesTable;
  releaseChanges: ReleaseChangesTable;
};
