import path from "node:path";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "~/platform/db/database.ts";
import { fetchedFirst, keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import { findPeople, isAmong, type People } from "~/platform/db/people-search.ts";
import { beginsWith } from "~/platform/db/search.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { readOutage } from "~/platform/mail/outage.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { canSendAgain, canTryNow, forgottenBefore, reasonFor, stateOf, whenOf } from "./rules.ts";
import type { MailLine, MailRow, MailState, MailTrouble } from "./schema.ts";

const id = "outbox.id";

/** What waits is shown in the order in which it goes out; everything else newest first. */
const orders: Record<MailState | "all", Order> = {
  all: { column: "outbox.createdAt", id, direction: "desc" },
  waiting: { column: "outbox.dueAt", id, direction: "asc" },
  sent: { column: "outbox.finishedAt", id, direction: "desc" },
  failed: { column: "outbox.failedAt", id, direction: "desc" },
};

const columns = [
  "id",
  "kind",
  "subject",
  "userId",
  "address",
  "attempts",
  "leaseOwner",
  "createdAt",
  "dueAt",
  "finishedAt",
  "failedAt",
  "failure",
  "lastError",
  "worksUntilAt",
] as const;

type Asked = {
  state: MailState | null;
  search: string;
  cursor: string | null;
  limit: number;
};

/**
 * Letters, and other work where it waits or has failed, found by the beginnings of the words of a
 * person's name and address, or by the beginning of an address without account. Of what is done,
 * only what ended in a letter.
 */
export async function listMails(
  { db }: Services,
  { state, search, cursor, limit }: Asked,
): Promise<ListPage<MailRow>> {
  const order = orders[state ?? "all"];
  const people = await findPeople(db, search);
  let some = inState(db, state).select(columns);
  if (people?.ids) {
    const ids = people.ids;
    const found = or(isAmong(db, "userId", ids), beginsWith(db, "address", typed(search)));
    some = fetchedFirst(some.where(found));
  }
  let query = db.read
    .selectFrom(some.as("outbox"))
    .leftJoin("profiles", "profiles.id", "outbox.userId")
    .selectAll("outbox")
    .select(["profiles.name", "profiles.email"])
    .select(sql.ref<Date>(order.column).as("sortValue"));
  if (people?.filter) query = query.where(among(db, people, search));
  const page = await keysetPage(query, order, { cursor, limit });
  return {
    ...page,
    rows: page.rows.map(({ sortValue: _, email, leaseOwner, ...row }) => ({
      ...row,
      address: row.address ?? email,
      isBeingSent: leaseOwner !== null,
      state: stateOf(row),
    })),
  };
}

function inState({ read }: Database, state: MailState | null) {
  const rows = read.selectFrom("outbox");
  if (state === "failed") return rows.where("failedAt", "is not", null);
  if (state === "sent")
    return rows.where("finishedAt", "is not", null).where("subject", "is not", null);
  if (state === "waiting")
    return rows.where("finishedAt", "is", null).where("failedAt", "is", null);
  return rows.where((is) => is.or([is("finishedAt", "is", null), is("subject", "is not", null)]));
}

const typed = (search: string) => search.trim().toLowerCase();

const or = (...some: Expression<SqlBool>[]) => sql<SqlBool>`(${sql.join(some, sql` or `)})`;

function among(db: Database, { filter }: Extract<People, { filter: unknown }>, search: string) {
  return or(filter, beginsWith(db, "outbox.address", typed(search)));
}

/**
 * How much of the mail waits for the coach, up to `most`: what has failed for good, and one more while no
 * letter can be sent. It stands on every page of the admin, and must not take longer the more there is.
 */
export async function countMailTrouble(
  { db, clock }: Pick<Services, "db" | "clock">,
  most: number,
): Promise<number> {
  const [failed, outage] = await Promise.all([
    db.read
      .selectFrom("outbox")
      .select("id")
      .where("failedAt", "is not", null)
      .limit(most)
      .execute(),
    readOutage(db.read, clock.now()),
  ]);
  return Math.min(failed.length + (outage ? 1 : 0), most);
}

/** As rules.ts has it (`canSendAgain`). */
export function mayGoAgain(is: ExpressionBuilder<Tables, "outbox">, now: Date) {
  return is.and([
    is("failedAt", ">", forgottenBefore(now)),
    is("failure", "!=", "expired"),
    is.or([is("worksUntilAt", "is", null), is("worksUntilAt", ">", now)]),
  ]);
}

/** Whether something has failed like this that can be sent again. */
export async function canSendSomeAgain(
  { db, clock }: Services,
  failure: "exhausted" | "refused",
): Promise<boolean> {
  const row = await db.read
    .selectFrom("outbox")
    .select("id")
    .where("failedAt", "is not", null)
    .where("failure", "=", failure)
    .where((is) => mayGoAgain(is, clock.now()))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What keeps letters from going out; null when nothing does. */
export async function findTrouble(
  { db, clock, config }: Services,
  timeZone: string,
): Promise<MailTrouble | null> {
  const outage = await readOutage(db.read, clock.now());
  if (outage)
    return { kind: "outage", since: inWords(outage.since, timeZone), words: outage.words };
  return config.smtpUrl ? null : { kind: "folder", folder: path.join(config.dataDir, "mail") };
}

const inWords = (date: Date, timeZone: string) =>
  `${shortDate(date, timeZone)}, ${clockTime(date, timeZone)}`;

/** A row as the list shows it: in words, with times of the coach's zone. */
export function mailLine({ workKinds, clock }: Services, row: MailRow, timeZone: string): MailLine {
  const now = clock.now();
  const kind = workKinds.get(row.kind);
  const { isLetter = true, instead = null } = kind ?? {};
  const day = (date: Date) => inWords(date, timeZone);
  return {
    id: row.id,
    about: kind?.label ?? "Something that this version of the site does not know",
    subject: row.subject,
    to: { userId: row.userId, name: row.name, address: row.address },
    state: row.state,
    when: whenOf(row, now, day),
    reason: row.failedAt && reasonFor(row, { isLetter, instead }, now),
    // Of a dead link the reason says all there is.
    words: row.failure === "expired" ? null : row.lastError,
    canSendAgain: canSendAgain(row, now),
    canTryNow: canTryNow(row, now),
  };
}
