import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { type AuditAction, auditActions, auditKeptDays, commandLine } from "./messages.ts";
import {
  type AuditFilter,
  type AuditLine,
  type AuditPerson,
  type AuditRow,
  byCommand,
  detailsInWords,
} from "./rules.ts";

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
  { kind, by, cursor, limit }: AuditFilter & { cursor: string | null; limit: number },
): Promise<ListPage<AuditRow>> {
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
  };
}

/** An entry in words. An action unknown to this version is shown by its name. */
export function auditLine(row: AuditRow, timeZone: string): AuditLine {
  const { id, actorId, actorName, action, label, details, personId, personName, createdAt } = row;
  return {
    id,
    when: `${shortDate(createdAt, timeZone)}, ${clockTime(createdAt, timeZone)}`,
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
