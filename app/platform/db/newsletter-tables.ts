import type { ColumnType, Generated } from "kysely";
import type { Json, Optional, Time } from "./columns.ts";

export type SubscriberStatus = "pending" | "confirmed" | "unsubscribed";

export type SubscribersTable = {
  id: string;
  email: string;
  /** Identifies an address: no capitals, no blanks. */
  emailKey: string;
  firstName: string;
  status: SubscriberStatus;
  /** Grows with each unsubscribe: earlier confirmation links become invalid. */
  generation: number;
  /** When emails that a stranger could have caused were written, in ms since 1970. */
  emailTimes: Json<number[]>;
  /** The browser's when it signed up, e.g. 'Europe/Vienna'. */
  timeZone: Optional<string>;
  /** The form or file it came from: 'home', 'footer', 'admin', 'import' ... */
  source: Optional<string>;
  /** Of an imported one: when and where it was given, as the file says. */
  consent: Optional<string>;
  /** One email a month with what has appeared, in place of each issue. */
  monthly: Generated<boolean>;
  /** No issue before this. */
  quietUntilAt: Optional<Time>;
  leaveReason: Optional<string>;
  /** The issue whose link it left by. */
  leftIssueId: Optional<string>;
  askedAt: Time;
  confirmedAt: Optional<Time>;
  unsubscribedAt: Optional<Time>;
  createdAt: Time;
};

/** `stopped` can go on; `stoppedBecause` says who or what stopped it. */
export type IssueState = "draft" | "scheduled" | "sending" | "stopped" | "sent";

export type Segment =
  | { kind: "all" }
  | { kind: "course"; productId: string }
  | { kind: "without-account" }
  | { kind: "new-since"; since: string };

export type NewsletterIssuesTable = {
  id: string;
  /** Of its page in the archive; null until it is sent or scheduled. */
  slug: Optional<string>;
  subject: string;
  /** The line beside the subject in a list of emails. */
  preview: string;
  /** Markdown. */
  body: string;
  /** Made of it when it was saved, for the archive. */
  html: string;
  /** Of the editor that it was last saved by, and how many changes that has saved. */
  draftId: Generated<string>;
  revision: Generated<number>;
  segment: Json<Segment>;
  state: IssueState;
  /** Not sent to all, but to each new subscriber so many days after confirming. */
  welcomeDay: Optional<number>;
  inArchive: Generated<boolean>;
  /** When clocks show this where the reader is, '2026-11-30T08:00'; where that is unknown, at `dueAt`. */
  morning: Optional<string>;
  /** 200 on the first day, twice as many on each one after it. */
  warmUp: Generated<boolean>;
  /** The coach lets it go on although many were refused. */
  anyRate: Generated<boolean>;
  /** It stops after so many per cent. */
  portion: Optional<number>;
  dueAt: Optional<Time>;
  startedAt: Optional<Time>;
  /** Every recipient has a delivery. */
  enqueuedAt: Optional<Time>;
  finishedAt: Optional<Time>;
  /** The last subscriber who was looked at. */
  position: Optional<string>;
  /** Grows with each start: work of an earlier one ends. */
  run: Generated<number>;
  stoppedBecause: Optional<string>;
  recipients: Generated<number>;
  sent: Generated<number>;
  refused: Generated<number>;
  doubtful: Generated<number>;
  /** Who unsubscribed by its link. */
  leftAfter: Generated<number>;
  createdAt: Time;
  updatedAt: Time;
};

/** `sending` is noted before an email is handed over. Found after a crash it becomes `doubtful`: it
 * may have arrived, and is not sent again. `skipped`: left or was suppressed before its turn. */
export type DeliveryState = "waiting" | "sending" | "sent" | "refused" | "doubtful" | "skipped";

/** One row for each issue and subscriber: no issue goes to anybody twice. */
export type NewsletterDeliveriesTable = {
  issueId: string;
  subscriberId: string;
  state: DeliveryState;
  dueAt: Time;
  attempts: Generated<number>;
  notedAt: Optional<Time>;
  error: Optional<string>;
};

/** `columns`: which is the address is asked; `reading`, `importing`: a job does so. */
export type ImportState = "columns" | "reading" | "unreadable" | "ready" | "importing" | "done";

export type SubscriberImportsTable = {
  id: string;
  fileName: string;
  /** Where they signed up, in the coach's words. */
  whereFrom: string;
  delimiter: string;
  headings: Json<string[]>;
  /** Its columns (features/subscriber-import/rules.ts); null until they are known. */
  chosen: ColumnType<unknown, string | null, string | null>;
  /** The service whose export it looks like. */
  recognized: Optional<string>;
  /** Read as Windows-1252, not as UTF-8. */
  isOldEncoding: Generated<boolean>;
  state: ImportState;
  problem: Optional<string>;
  rowsRead: Generated<number>;
  /** The last row that is imported. */
  position: Generated<number>;
  /** Rows by what becomes of them; of a finished import, what became of them. */
  counts: Json<Record<string, number>>;
  /** When the last email goes out that asks somebody of the file. */
  asksUntilAt: Optional<Time>;
  createdAt: Time;
  finishedAt: Optional<Time>;
};

/** A file in pieces, in any encoding's characters; deleted once it is read. */
export type SubscriberImportPartsTable = { importId: string; number: number; content: string };

export type SubscriberImportRowsTable = {
  importId: string;
  /** As a spreadsheet counts it: the headings are 1. */
  number: number;
  email: string;
  emailKey: string;
  firstName: string;
  timeZone: Optional<string>;
  consent: Optional<string>;
  consentAt: Optional<Time>;
  /** What becomes of it (features/subscriber-import/messages.ts). */
  outcome: string;
  problem: Optional<string>;
};

export type SuppressionReason = "bounce" | "complaint" | "manual";

/** An address that gets no email, but those about the security of its account. */
export type SuppressionsTable = {
  /** As `emailKey` of a subscriber. */
  address: string;
  reason: SuppressionReason;
  /** 'postmark', 'mailbox', 'admin' ... */
  source: string;
  /** What the mail server said. */
  detail: Optional<string>;
  createdAt: Time;
};

/** What a mail provider reported, or that a reader answered an issue. The id is the provider's own or of
 * the answer, so that a replay changes nothing. */
export type MailReportsTable = {
  id: string;
  kind: "bounce" | "complaint" | "reply";
  source: string;
  address: string;
  issueId: Optional<string>;
  createdAt: Time;
};

/** Its file's extension. */
export type RecordingType = "mp3" | "m4a" | "aac" | "ogg";

/** Sound in issues of the newsletter. */
export type RecordingsTable = {
  id: string;
  /** Of its id and its bytes: names its file. */
  hash: string;
  type: RecordingType;
  bytes: number;
  /** Null where the file does not say. */
  seconds: Optional<number>;
  createdAt: Time;
  unusedSinceAt: Optional<Time>;
  /** An issue with it was sent, or is to be. */
  inVersion: Generated<boolean>;
};
