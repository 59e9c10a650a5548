export const emailStates = ["waiting", "sent", "failed"] as const;

export type EmailState = (typeof emailStates)[number];

export type EmailFailure = "refused" | "expired" | "exhausted" | "broken" | "interrupted";

/** Never the payload. */
export type EmailLogRow = {
  id: string;
  kind: string;
  subject: string | null;
  /** Null for an address without an account. */
  userId: string | null;
  name: string | null;
  address: string | null;
  state: EmailState | "done";
  attempts: number;
  isBeingSent: boolean;
  createdAt: Date;
  dueAt: Date;
  finishedAt: Date | null;
  failedAt: Date | null;
  failure: EmailFailure | null;
  lastError: string | null;
  worksUntilAt: Date | null;
};

export type EmailLine = {
  id: string;
  about: string;
  subject: string | null;
  to: { userId: string | null; name: string | null; address: string | null };
  state: EmailLogRow["state"];
  when: string;
  reason: string | null;
  /** The server's own words. */
  words: string | null;
  canSendAgain: boolean;
  canTryNow: boolean;
};

export type EmailProblems =
  /** `since` in words of the coach's time zone. */
  | { kind: "outage"; since: string; words: string }
  /** No mail server is set up: emails become files in this folder. */
  | { kind: "folder"; folder: string };
