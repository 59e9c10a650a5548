import type { Generated } from "kysely";
import type { Json, Optional, Time } from "./column-types.ts";

/**
 * How work ends in failure: the receiving server refused it; its link died first; it was tried
 * as often as it may be; something is wrong with the work itself; whoever did it was killed each time.
 */
export type WorkFailure = "refused" | "expired" | "exhausted" | "broken" | "interrupted";

/** Work to be done later, written in the same transaction as its cause. */
export type OutboxTable = {
  id: string;
  kind: string;
  payload: Json<unknown>;
  dueAt: Time;
  /** Those that have ended. */
  attempts: number;
  /** Those of them that ended with the site itself (platform/jobs/interrupted.ts). */
  interruptions: Generated<number>;
  leaseOwner: Optional<string>;
  leasedUntilAt: Optional<Time>;
  finishedAt: Optional<Time>;
  failedAt: Optional<Time>;
  lastError: Optional<string>;
  /** Whom it is for: an account, or an address without one; neither where nobody gets a letter. */
  userId: Optional<string>;
  address: Optional<string>;
  /** Of the letter, once one was written. */
  subject: Optional<string>;
  /** When its letter's link dies; null where there is none, or it never does. */
  worksUntilAt: Optional<Time>;
  /** Why it failed for good, where it has. */
  failure: Optional<WorkFailure>;
  createdAt: Time;
};
