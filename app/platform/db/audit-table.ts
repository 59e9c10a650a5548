import type { Json, Optional, Time } from "./column-types.ts";

/** What an administrator did, one row a deed; nothing ever changes a row. */
export type AuditEntriesTable = {
  id: string;
  /** Null for the command line, and once the account is gone. */
  actorId: Optional<string>;
  actorName: string;
  /** '<kind>.<verb>', e.g. 'course.deleted' (features/accounts/audit/texts.ts). */
  action: string;
  subjectKind: string;
  subjectId: Optional<string>;
  /** A title or a number. Never the name of a student: `personId` has it as long as she has an account. */
  label: string;
  /** Whom it concerns. */
  personId: Optional<string>;
  details: Json<Record<string, string | number>>;
  createdAt: Time;
};
