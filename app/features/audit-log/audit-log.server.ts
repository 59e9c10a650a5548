import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import {
  type CountedPage,
  countUpTo,
  keysetPage,
  type Order,
  type Portion,
} from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import {
  type AuditAction,
  type AuditKind,
  auditActions,
  auditKeptDays,
  auditKinds,
  commandLine,
} from "./messages.ts";

type Done = {
  action: AuditAction;
  /** Id of the object. For an account use `personId` alone, which is deleted with it. */
  id?: string | null;
  /** A title or a number; never a student's name or address, nor anything they wrote. */
  label?: string;
  personId?: string | null;
  details?: Record<string, string | number>;
};

const longestLabel = 120;

/** Call only for actual changes, in their transaction. Does nothing without an actor. */
export async function recordAudit(
  trx: Query,
  { actor, clock }: Pick<Services, "actor" | "clock">,
  { action, id = null, label = "", personId = null, details = {} }: Done,
): Promise<void> {
  if (!actor) return;
  await trx
    .insertInto("auditEntries")
    .values({
      id: newId(),
      actorId: actor.id,
      actorName: actor.name,
      action,
      subjectKind: action.slice(0, action.indexOf(".")),
      subjectId: id,
      label: label.slice(0, longestLabel).toWellFormed(),
      personId,
      details: JSON.stringify(details),
      createdAt: clock.now(),
    })
    .execute();
}

const order: Order = {
  column: "auditEntries.createdAt",
  id: "auditEntries.id",
  direction: "desc",
};

export async function listAudit(
  { db }: Services,
  { kind, by, cursor, limit, uncounted }: AuditFilter & Portion & { cursor: string | null },
): Promise<CountedPage<AuditRow>> {
  let query = db.read
    .selectFrom("auditEntries")
    .leftJoin("profiles as person", "person.id", "auditEntries.personId")
    .select(["auditEntries.id", "auditEntries.actorId", "auditEntries.actorName"])
    .select(["auditEntries.action", "auditEntries.label", "auditEntries.details"])
    .select(["auditEntries.personId", "auditEntries.createdAt", "person.name as personName"])
    .select("auditEntries.createdAt as sortValue");
  if (kind) query = query.where("subjectKind", "=", kind);
  if (by === byCommand)
    query = query.where("actorId", "is", null).where("actorName", "=", commandLine);
  else if (by) query = query.where("actorId", "=", by);
  const page = await keysetPage(query, order, { cursor, limit });
  return {
    ...page,
    rows: page.rows.map(({ sortValue: _, ...row }) => row as AuditRow),
    total: uncounted ? null : await countUpTo(db.read, query),
  };
}

export type AuditLine = ReturnType<typeof auditLine>;

/** An entry in words. An action unknown to this version is shown by its name. */
export function auditLine(row: AuditRow, timeZone: string) {
  const { id, actorId, actorName, action, label, details, personId, personName, createdAt } = row;
  return {
    id,
    when: dateAndTime(createdAt, timeZone),
    who: { id: actorId, name: actorName },
    what: auditActions[action] ?? action,
    about: label,
    more: detailsInWords(details),
    person: personId && personName ? { id: personId, name: personName } : null,
  };
}

const mostPeople = 50;

/** The choices of the filter by actor: all administrators, and `by` if they no longer are one. */
export async function listActors({ db }: Services, by: string | null): Promise<AuditPerson[]> {
  const people = db.read.selectFrom("profiles").select(["id", "name"]).limit(mostPeople);
  const [administrators, former] = await Promise.all([
    people.where("role", "=", "admin").orderBy("id").execute(),
    people
      .where("id", "=", by ?? "")
      .where("role", "!=", "admin")
      .execute(),
  ]);
  return [...administrators, ...former, { id: byCommand, name: commandLine }];
}

/** Deletes old entries: they are useless by then, and name people. */
export const deleteOldAuditEntries: RegularTask = {
  name: "accounts.forget-audit",
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - auditKeptDays * 24 * 3600_000);
    await db.write.deleteFrom("auditEntries").where("createdAt", "<", before).execute();
  },
};

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

export type AuditPerson = { id: string; name: string };

export const byCommand = "command";

/** Reads the filter from `?kind=...&by=...`; unknown kinds are ignored. */
export function readAuditFilter(url: URL): AuditFilter {
  const kind = url.searchParams.get("kind") ?? "";
  const by = url.searchParams.get("by")?.replaceAll("\0", "") || null;
  return { kind: Object.hasOwn(auditKinds, kind) ? (kind as AuditKind) : null, by };
}

export function detailsInWords(details: Record<string, string | number>): string | null {
  const { media, count, money, cents, students, days } = details;
  if (media) return String(media);
  if (count) return `${Number(count).toLocaleString("en-US")} at once`;
  if (students) return `To ${students}`;
  if (money ?? days) return String(money ?? days);
  // As older entries have it.
  if (cents) return `$${(Number(cents) / 100).toFixed(2)}`;
  return null;
}
