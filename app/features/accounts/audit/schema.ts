import type { AuditAction, AuditKind } from "./texts.ts";

/** What the list is kept to. */
export type AuditFilter = {
  kind: AuditKind | null;
  /** An account's id, or 'command' for the command line; null for everybody. */
  by: string | null;
};

/** One deed, as it is stored, and whose account it concerns as that is called now. */
export type AuditRow = {
  id: string;
  actorId: string | null;
  actorName: string;
  action: AuditAction;
  label: string;
  details: Record<string, string | number>;
  personId: string | null;
  personName: string | null;
  createdAt: Date;
};

/** A deed in words, with the time in the coach's zone. */
export type AuditLine = {
  id: string;
  when: string;
  who: { id: string | null; name: string };
  what: string;
  about: string;
  more: string | null;
  person: { id: string; name: string } | null;
};

/** Whom the list can be kept to. */
export type AuditPerson = { id: string; name: string };
