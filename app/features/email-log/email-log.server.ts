import { access } from "node:fs/promises";
import path from "node:path";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import { type Database, isAny, type Query } from "~/platform/db/database.ts";
import {
  type CountedPage,
  countUpTo,
  fetchedFirst,
  keysetPage,
  type Order,
} from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import { beginsWith } from "~/platform/db/search.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { mailFolder } from "~/platform/email/open.ts";
import { readOutage } from "~/platform/email/outage.ts";
import { suppressionOf } from "~/platform/email/sent.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  type EmailLine,
  emailLine,
  emailLogColumns,
  forgottenBefore,
} from "./email-lines.server.ts";
import { emailLogDays, emailLogMessages, type emailStates } from "./messages.ts";

type EmailState = (typeof emailStates)[number];

const id = "outbox.id";

/** Waiting rows in the order in which they are sent; all others newest first. */
const orders: Record<EmailState | "all", Order> = {
  all: { column: "outbox.createdAt", id, direction: "desc" },
  waiting: { column: "outbox.dueAt", id, direction: "asc" },
  sent: { column: "outbox.finishedAt", id, direction: "desc" },
  failed: { column: "outbox.failedAt", id, direction: "desc" },
};

type Asked = {
  state: EmailState | null;
  search: string;
  cursor: string | null;
  limit: number;
};

/** Emails, and other work that waits or has failed, found by the beginnings of words in a user's
 * name and email address, or of an address without an account. Work counts if it sent an email. */
export async function listEmails(
  services: Services,
  { state, search, cursor, limit }: Asked,
  timeZone: string,
): Promise<CountedPage<EmailLine>> {
  const { db } = services;
  const order = orders[state ?? "all"];
  const people = await findPeople(db, search);
  const isOf = (person: Expression<SqlBool>, column: string) => {
    const address = beginsWith(db, column, search.trim().toLowerCase());
    return sql<SqlBool>`(${person} or ${address})`;
  };
  let some = inState(db, state).select(emailLogColumns);
  if (people?.ids)
    some = fetchedFirst(some.where(isOf(isAmong(db, "userId", people.ids), "address")));
  let query = db.read
    .selectFrom(some.as("outbox"))
    .leftJoin("profiles", "profiles.id", "outbox.userId")
    .selectAll("outbox")
    .select(["profiles.name", "profiles.email"])
    .select(sql.ref<Date>(order.column).as("sortValue"));
  if (people?.filter) query = query.where(isOf(people.filter, "outbox.address"));
  const page = await keysetPage(query, order, { cursor, limit });
  const total = people?.filter ? null : await countUpTo(db.read, query);
  const rows = await Promise.all(
    page.rows.map(async (row) =>
      emailLine(services, row, { timeZone, isFile: await isWritten(services, row) }),
    ),
  );
  return { ...page, rows, total };
}

/** Without a mail server emails become files. One may have come or gone since an email was sent. */
async function isWritten({ config }: Services, row: { id: string; finishedAt: Date | null }) {
  if (!row.finishedAt) return false;
  const file = path.join(mailFolder(config.dataDir), `${row.id}.eml`);
  return access(file).then(
    () => true,
    () => false,
  );
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

// What was not sent to a suppressed address needs no one: the list of those says why.
const failedEmails = compiledOnce((db, { most }: { most: number }) =>
  db
    .selectFrom("outbox")
    .select("failure")
    .where("failedAt", "is not", null)
    .where((is) => is.or([is("failure", "is", null), is("failure", "!=", "suppressed")]))
    .limit(most),
);

/** How much needs the coach, up to `most`: what finally failed, and one more while no email can
 * be sent. It is on every page of the admin and must not take longer the more there is. */
export async function countEmailProblems(
  { db, clock }: Pick<Services, "db" | "clock">,
  most: number,
): Promise<number> {
  const [failed, outage] = await Promise.all([
    failedEmails(db.read, { most }),
    readOutage(db.read, clock.now()),
  ]);
  return Math.min(failed.length + (outage ? 1 : 0), most);
}

/** Of the first `most` that finally failed: how many the receiving mail server refused, and others. */
export async function countFailedEmails({ db }: Pick<Services, "db">, most: number) {
  const failed = await failedEmails(db.read, { most });
  const refused = failed.filter(({ failure }) => failure === "refused").length;
  return { refused, others: failed.length - refused };
}

// The same rule as `canSendAgain` in email-lines.server.ts.
function canResend(is: ExpressionBuilder<Tables, "outbox">, now: Date) {
  return is.and([
    is("failedAt", ">", forgottenBefore(now)),
    is("failure", "!=", "expired"),
    is.or([is("worksUntilAt", "is", null), is("worksUntilAt", ">", now)]),
  ]);
}

type Failure = "exhausted" | "refused";

/** Of which failures there are emails that can be sent again all at once. */
export async function findResendable({ db, clock }: Services): Promise<Record<Failure, boolean>> {
  const has = (failure: Failure) =>
    isAny(
      db.read
        .selectFrom("outbox")
        .where("failedAt", "is not", null)
        .where("failure", "=", failure)
        .where((is) => canResend(is, clock.now())),
    );
  const [exhausted, refused] = await Promise.all([has("exhausted"), has("refused")]);
  return { exhausted, refused };
}

export type EmailProblems = NonNullable<Awaited<ReturnType<typeof findEmailProblems>>>;

/** Why no emails are sent: the mail server is away, or none is set up and they become files. */
export async function findEmailProblems({ db, clock, config }: Services, timeZone: string) {
  const outage = await readOutage(db.read, clock.now());
  if (outage) return { since: dateAndTime(outage.since, timeZone), words: outage.words };
  return config.smtpUrl ? null : { folder: mailFolder(config.dataDir) };
}

// Rows changed at once, so that other writers do not wait long.
const portion = 500;

const again = (now: Date) => ({
  ...{ dueAt: now, attempts: 0, failedAt: null, failure: null, lastError: null },
});

/** Sends a failed email again under its Message-ID. @throws {Refused} invalid when its link has
 * expired or its content is deleted; conflict when its address gets no email; not_found when it has
 * not failed, or not any more */
export async function resendEmail(services: Services, id: string): Promise<void> {
  const now = services.clock.now();
  if (await isStillSuppressed(services, id))
    throw new Refused("conflict", emailLogMessages.suppressed);
  const isQueued = await changeOne(services, "mail.sent-again", (trx) =>
    trx
      .updateTable("outbox")
      .set(again(now))
      .where("id", "=", id)
      .where((is) => canResend(is, now))
      .returning(changed)
      .executeTakeFirst(),
  );
  if (isQueued) return services.wakeWorker();
  const failed = await failedRows(services.db.read).where("id", "=", id).executeTakeFirst();
  throw failed
    ? new Refused("invalid", emailLogMessages.expired)
    : new Refused("not_found", emailLogMessages.gone);
}

async function isStillSuppressed({ db }: Services, id: string): Promise<boolean> {
  const row = await db.read
    .selectFrom("outbox")
    .leftJoin("profiles", "profiles.id", "outbox.userId")
    .select(({ fn }) => fn.coalesce("outbox.address", "profiles.email").as("address"))
    .where("outbox.id", "=", id)
    .where("outbox.failure", "=", "suppressed")
    .executeTakeFirst();
  return row?.address ? (await suppressionOf(db.read, row.address)) !== null : false;
}

/** Tries now what waits for its next attempt. @throws {Refused} not_found when it does not wait */
export async function tryNow(services: Services, id: string): Promise<void> {
  const isTried = await changeOne(services, "mail.tried", (trx) =>
    trx
      .updateTable("outbox")
      .set({ dueAt: services.clock.now() })
      .where("id", "=", id)
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where("lastError", "is not", null)
      .where("leaseOwner", "is", null)
      .returning(changed)
      .executeTakeFirst(),
  );
  if (!isTried) throw new Refused("not_found", emailLogMessages.gone);
  services.wakeWorker();
}

/** Removes what failed, with its content. Idempotent. */
export async function removeEmail(services: Services, id: string): Promise<void> {
  await changeOne(services, "mail.removed", (trx) =>
    trx
      .deleteFrom("outbox")
      .where("id", "=", id)
      .where("failedAt", "is not", null)
      .returning(changed)
      .executeTakeFirst(),
  );
}

const changed = ["id", "kind", "userId"] as const;
type Changed = { id: string; kind: string; userId: string | null };

// Changes at most one row, on the audit log. @returns whether there was one
function changeOne(
  services: Services,
  action: AuditAction,
  change: (trx: Query) => Promise<Changed | undefined>,
): Promise<boolean> {
  return services.db.transaction(async (trx) => {
    const row = await change(trx);
    if (!row) return false;
    const label = services.workKinds.get(row.kind)?.label ?? row.kind;
    await recordAudit(trx, services, { action, id: row.id, label, personId: row.userId });
    return true;
  });
}

/** Sends again everything that was exhausted, as after an outage, or everything that was
 * refused, as when that was not the recipients' fault. @returns how many */
export async function resendAllEmails(services: Services, failure: Failure): Promise<number> {
  const now = services.clock.now();
  const count = await inPortions(services, "mail.sent-again", async (trx) => {
    const some = failedRows(trx)
      .where("failure", "=", failure)
      .where((is) => canResend(is, now));
    const update = trx.updateTable("outbox").set(again(now)).where("id", "in", some);
    return (await update.executeTakeFirst()).numUpdatedRows;
  });
  services.wakeWorker();
  return count;
}

/** Removes everything that failed. @returns how many */
export function removeAllEmails(services: Services): Promise<number> {
  return inPortions(services, "mail.removed", async (trx) => {
    const removed = trx.deleteFrom("outbox").where("id", "in", failedRows(trx));
    return (await removed.executeTakeFirst()).numDeletedRows;
  });
}

const failedRows = (db: Query) =>
  db.selectFrom("outbox").select("id").where("failedAt", "is not", null).limit(portion);

// Repeats a change in portions, each on the audit log, until nothing is left to change.
async function inPortions(
  services: Services,
  action: AuditAction | null,
  change: (trx: Query) => Promise<bigint>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = await services.db.transaction(async (trx) => {
      const rows = Number(await change(trx));
      if (action && rows > 0)
        await recordAudit(trx, services, { action, details: { count: rows } });
      return rows;
    });
    count += changed;
    if (changed < portion) return count;
  }
}

const dayMs = 24 * 3600_000;

/** Bounds the outbox: a failed email's content goes when its link expires, and after a week in
 * any case; rows go some weeks after they are done or failed (content/pages/privacy.md); that an
 * email was sent is known for two years. Safe on several machines. */
export const deleteOldEmails: RegularTask = {
  name: "mail.forget",
  async run(services) {
    const now = services.clock.now();
    const before = (days: number) => new Date(now.getTime() - days * dayMs);
    await services.db.write
      .updateTable("outbox")
      .set({ payload: "{}" })
      .where("failedAt", "is not", null)
      .where(sql<boolean>`payload <> '{}'`)
      .where((is) =>
        is.or([is("failedAt", "<=", forgottenBefore(now)), is("worksUntilAt", "<=", now)]),
      )
      .execute();
    const { done, failed, recorded } = emailLogDays;
    await inPortions(services, null, async (trx) => {
      const sent = trx
        .selectFrom("sentEmails")
        .select("id")
        .where("createdAt", "<", before(recorded));
      const deleting = trx.deleteFrom("sentEmails").where("id", "in", sent.limit(portion));
      return (await deleting.executeTakeFirst()).numDeletedRows;
    });
    const ends = [
      ["finishedAt", done],
      ["failedAt", failed],
    ] as const;
    for (const [end, days] of ends)
      await inPortions(services, null, async (trx) => {
        const rows = trx.selectFrom("outbox").select("id").where(end, "<", before(days));
        const deleting = trx.deleteFrom("outbox").where("id", "in", rows.limit(portion));
        return (await deleting.executeTakeFirst()).numDeletedRows;
      });
  },
};
