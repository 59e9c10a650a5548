import path from "node:path";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { fetchedFirst, keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import { findPeople, isAmong, type People } from "~/platform/db/people-search.ts";
import { beginsWith } from "~/platform/db/search.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { readOutage } from "~/platform/email/outage.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { emailLogMessages } from "./messages.ts";
import {
  canSendAgain,
  canTryNow,
  emailState,
  forgottenBefore,
  goneBefore,
  reasonFor,
  sentBefore,
  whenOf,
} from "./rules.ts";
import type { EmailLine, EmailLogRow, EmailProblems, EmailState } from "./schema.ts";

const id = "outbox.id";

/** Waiting rows in the order in which they are sent; all others newest first. */
const orders: Record<EmailState | "all", Order> = {
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
  state: EmailState | null;
  search: string;
  cursor: string | null;
  limit: number;
};

/** Emails, and other work that waits or has failed, found by the beginnings of words in a user's
 * name and email address, or of an address without an account. Finished work is listed only when
 * it sent an email. */
export async function listEmails(
  { db }: Services,
  { state, search, cursor, limit }: Asked,
): Promise<ListPage<EmailLogRow>> {
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
      state: emailState(row),
    })),
  };
}

function inState({ read }: Database, state: EmailState | null) {
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

/** How much needs the coach, up to `most`: what finally failed, and one more while no email can
 * be sent. It is on every page of the admin and must not take longer the more there is. */
export async function countEmailProblems(
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

/** The same rule as `canSendAgain` in rules.ts. */
export function canResend(is: ExpressionBuilder<Tables, "outbox">, now: Date) {
  return is.and([
    is("failedAt", ">", forgottenBefore(now)),
    is("failure", "!=", "expired"),
    is.or([is("worksUntilAt", "is", null), is("worksUntilAt", ">", now)]),
  ]);
}

export async function canResendSome(
  { db, clock }: Services,
  failure: "exhausted" | "refused",
): Promise<boolean> {
  const row = await db.read
    .selectFrom("outbox")
    .select("id")
    .where("failedAt", "is not", null)
    .where("failure", "=", failure)
    .where((is) => canResend(is, clock.now()))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findEmailProblems(
  { db, clock, config }: Services,
  timeZone: string,
): Promise<EmailProblems | null> {
  const outage = await readOutage(db.read, clock.now());
  if (outage)
    return { kind: "outage", since: inWords(outage.since, timeZone), words: outage.words };
  return config.smtpUrl ? null : { kind: "folder", folder: path.join(config.dataDir, "mail") };
}

const inWords = (date: Date, timeZone: string) =>
  `${shortDate(date, timeZone)}, ${clockTime(date, timeZone)}`;

export function emailLine(
  { workKinds, clock }: Services,
  row: EmailLogRow,
  timeZone: string,
): EmailLine {
  const now = clock.now();
  const kind = workKinds.get(row.kind);
  const { sendsEmail = true, instead = null } = kind ?? {};
  const day = (date: Date) => inWords(date, timeZone);
  return {
    id: row.id,
    about: kind?.label ?? "Something that this version of the site does not know",
    subject: row.subject,
    to: { userId: row.userId, name: row.name, address: row.address },
    state: row.state,
    when: whenOf(row, now, day),
    reason: row.failedAt && reasonFor(row, { sendsEmail, instead }, now),
    // For an expired link, the reason says everything.
    words: row.failure === "expired" ? null : row.lastError,
    canSendAgain: canSendAgain(row, now),
    canTryNow: canTryNow(row, now),
  };
}

/** Rows changed at once, so that other writers do not wait long. */
export const portion = 500;

const again = (now: Date) => ({
  dueAt: now,
  failedAt: null,
  failure: null,
  lastError: null,
  attempts: 0,
});

/** Sends a failed email again under its Message-ID. @throws {Refused} invalid when its link has
 * expired or its content is deleted; not_found when it has not failed, or not any more */
export async function resendEmail(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const isOnItsWay = await db.transaction(async (trx) => {
    const row = await trx
      .updateTable("outbox")
      .set(again(now))
      .where("id", "=", id)
      .where((is) => canResend(is, now))
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    return auditOne(trx, services, "mail.sent-again", row);
  });
  if (!isOnItsWay) {
    const failed = await db.read
      .selectFrom("outbox")
      .select("id")
      .where("id", "=", id)
      .where("failedAt", "is not", null)
      .executeTakeFirst();
    throw failed
      ? new Refused("invalid", emailLogMessages.dead)
      : new Refused("not_found", emailLogMessages.gone);
  }
  services.wakeWorker();
}

/** Sends again everything that was exhausted, as after an outage, or everything that was
 * refused, as when that was not the recipients' fault. @returns how many */
export async function resendAllEmails(
  services: Services,
  failure: "exhausted" | "refused",
): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const portionAgain = (trx: Query) => {
    const some = failedRows(trx)
      .where("failure", "=", failure)
      .where((is) => canResend(is, now));
    return trx.updateTable("outbox").set(again(now)).where("id", "in", some).executeTakeFirst();
  };
  const count = await inPortions(() =>
    db.transaction(async (trx) => {
      const { numUpdatedRows } = await portionAgain(trx);
      return auditMany(trx, services, "mail.sent-again", numUpdatedRows);
    }),
  );
  services.wakeWorker();
  return count;
}

/** Tries what waits for its next attempt now. @throws {Refused} not_found when it does not wait,
 * or is being sent */
export async function tryNow(services: Services, id: string): Promise<void> {
  const isTried = await services.db.transaction(async (trx) => {
    const row = await trx
      .updateTable("outbox")
      .set({ dueAt: services.clock.now() })
      .where("id", "=", id)
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where("lastError", "is not", null)
      .where("leaseOwner", "is", null)
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    return auditOne(trx, services, "mail.tried", row);
  });
  if (!isTried) throw new Refused("not_found", emailLogMessages.gone);
  services.wakeWorker();
}

/** Removes what failed, with its content. Idempotent. */
export async function remove(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    const row = await trx
      .deleteFrom("outbox")
      .where("id", "=", id)
      .where("failedAt", "is not", null)
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    await auditOne(trx, services, "mail.removed", row);
  });
}

/** @returns how many */
export function removeAll(services: Services): Promise<number> {
  return inPortions(() =>
    services.db.transaction(async (trx) => {
      const portionGone = trx.deleteFrom("outbox").where("id", "in", failedRows(trx));
      const { numDeletedRows } = await portionGone.executeTakeFirst();
      return auditMany(trx, services, "mail.removed", numDeletedRows);
    }),
  );
}

type Changed = { id: string; kind: string; userId: string | null } | undefined;

/** @returns whether there was anything to record */
async function auditOne(trx: Query, services: Services, action: AuditAction, row: Changed) {
  if (!row) return false;
  const label = services.workKinds.get(row.kind)?.label ?? row.kind;
  await recordAudit(trx, services, { action, id: row.id, label, personId: row.userId });
  return true;
}

async function auditMany(trx: Query, services: Services, action: AuditAction, count: bigint) {
  if (count > 0n) await recordAudit(trx, services, { action, details: { count: Number(count) } });
  return count;
}

const failedRows = (db: Query) =>
  db.selectFrom("outbox").select("id").where("failedAt", "is not", null).limit(portion);

/** Repeats a change in portions until nothing is left to change. */
export async function inPortions(change: () => Promise<bigint>): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = Number(await change());
    count += changed;
    if (changed < portion) return count;
  }
}

/** Bounds the outbox: a failed email's content goes when its link expires, and after a week in
 * any case; rows go some weeks after they are done or failed (content/pages/privacy.md); that an
 * email was sent is known for two years. Safe on several machines. */
export const deleteOldEmails: RegularTask = {
  name: "mail.forget",
  async run({ db, clock }) {
    const now = clock.now();
    const { finished, failed } = goneBefore(now);
    await db.write
      .updateTable("outbox")
      .set({ payload: "{}" })
      .where("failedAt", "is not", null)
      .where(sql<boolean>`payload <> '{}'`)
      .where((is) =>
        is.or([is("failedAt", "<=", forgottenBefore(now)), is("worksUntilAt", "<=", now)]),
      )
      .execute();
    const old = db.write.selectFrom("outbox").select("id").limit(portion);
    const sent = sentBefore(now);
    await inPortions(async () => {
      const some = db.write.selectFrom("sentEmails").select("id").where("createdAt", "<", sent);
      const gone = db.write.deleteFrom("sentEmails").where("id", "in", some.limit(portion));
      return (await gone.executeTakeFirst()).numDeletedRows;
    });
    for (const some of [old.where("finishedAt", "<", finished), old.where("failedAt", "<", failed)])
      await inPortions(async () => {
        const gone = db.write.deleteFrom("outbox").where("id", "in", some);
        return (await gone.executeTakeFirst()).numDeletedRows;
      });
  },
};
