/** How it stands with a letter: the filters of the list. */
export const mailStates = ["waiting", "sent", "failed"] as const;

export type MailState = (typeof mailStates)[number];

/** Why work failed for good (platform/db/tables.ts). */
export type MailFailure = "refused" | "expired" | "exhausted" | "broken" | "interrupted";

/** One letter, or one piece of other work, as the list has it. Never its payload. */
export type MailRow = {
  id: string;
  kind: string;
  subject: string | null;
  /** Whose account it is for; null where it is for an address without one. */
  userId: string | null;
  name: string | null;
  address: string | null;
  state: MailState | "done";
  attempts: number;
  isBeingSent: boolean;
  createdAt: Date;
  dueAt: Date;
  finishedAt: Date | null;
  failedAt: Date | null;
  failure: MailFailure | null;
  lastError: string | null;
  worksUntilAt: Date | null;
};

/** A row in words. */
export type MailLine = {
  id: string;
  /** Which letter, or which other work. */
  about: string;
  subject: string | null;
  to: { userId: string | null; name: string | null; address: string | null };
  state: MailRow["state"];
  /** When it went or will go, and how often it was tried. */
  when: string;
  /** Why it failed, in plain words. */
  reason: string | null;
  /** What the server said, as it said it. */
  words: string | null;
  canSendAgain: boolean;
  canTryNow: boolean;
};

/** What is to be said above the list. */
export type MailTrouble =
  /** No letter can be sent just now; `since` in words of the coach's time zone. */
  | { kind: "outage"; since: string; words: string }
  /** No mail server is set up: letters become files there. */
  | { kind: "folder"; folder: string };
