import { keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { byCommand, detailsInWords } from "./rules.ts";
import type { AuditFilter, AuditLine, AuditPerson, AuditRow } from "./schema.ts";
import { auditActions, commandLine } from "./texts.ts";

const order: Order = {
  column: "auditEntries.createdAt",
  id: "auditEntries.id",
  direction: "desc",
};

/** What administrators did, newest first. */
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

/** A deed in words. One that an older or newer version of the site knew is shown by its name. */
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

/** Whom the list can be kept to: who is an administrator now, and who was when `by` did something. */
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
