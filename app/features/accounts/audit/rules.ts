import type { AuditFilter } from "./schema.ts";
import { type AuditKind, auditKinds } from "./texts.ts";

/** What stands for the command line among those who do something. */
export const byCommand = "command";

/** What an address asks of the list: `?kind=…&by=…`; what it does not know, it leaves out. */
export function readAuditFilter(url: URL): AuditFilter {
  const kind = url.searchParams.get("kind") ?? "";
  const by = url.searchParams.get("by")?.replaceAll("\0", "") || null;
  return { kind: Object.hasOwn(auditKinds, kind) ? (kind as AuditKind) : null, by };
}

/** The details of a deed in words; null where there are none. */
export function detailsInWords(details: Record<string, string | number>): string | null {
  const { media, count, cents } = details;
  if (media) return String(media);
  if (count) return `${Number(count).toLocaleString("en-US")} at once`;
  if (cents) return `$${(Number(cents) / 100).toFixed(2)}`;
  return null;
}
