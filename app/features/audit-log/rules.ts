import { type AuditAction, type AuditKind, auditKinds } from "./messages.ts";

export type AuditFilter = {
  kind: AuditKind | null;
  /** An account's id, or 'command' for the command line; null for everyone. */
  by: string | null;
};

/** A stored entry, with the current name of the account concerned. */
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

/** An entry in words, with the time in the coach's zone. */
export type AuditLine = {
  id: string;
  when: string;
  who: { id: string | null; name: string };
  what: string;
  about: string;
  more: string | null;
  person: { id: string; name: string } | null;
};

export type AuditPerson = { id: string; name: string };

export const byCommand = "command";

/** Reads the filter from `?kind=...&by=...`; unknown kinds are ignored. */
export function readAuditFilter(url: URL): AuditFilter {
  const kind = url.searchParams.get("kind") ?? "";
  const by = url.searchParams.get("by")?.replaceAll("\0", "") || null;
  return { kind: Object.hasOwn(auditKinds, kind) ? (kind as AuditKind) : null, by };
}

export function detailsInWords(details: Record<string, string | number>): string | null {
  const { media, count, cents } = details;
  if (media) return String(media);
  if (count) return `${Number(count).toLocaleString("en-US")} at once`;
  if (cents) return `$${(Number(cents) / 100).toFixed(2)}`;
  return null;
}
