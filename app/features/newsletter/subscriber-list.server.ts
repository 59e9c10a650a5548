import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import {
  countUpTo,
  keysetPage,
  mostListed,
  type Order,
  type Portion,
} from "~/platform/db/keyset.ts";
import type { SubscriberStatus } from "~/platform/db/newsletter-tables.ts";
import { isAmong } from "~/platform/db/people-search.ts";
import { beginsWith } from "~/platform/db/search.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { isSuppressed } from "~/platform/email/sent.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { dateAndTime, shortDate } from "~/platform/time/words.ts";
import {
  type SubscriberState,
  sourceInWords,
  subscriberMessages,
  suppressionWords,
} from "./messages.ts";
import { emailKey } from "./rules.ts";
import { type SignupErrors, signupErrors, signupFields } from "./schema.ts";
import { signupJob } from "./subscribe.server.ts";
import { subscriberId } from "./subscribers.server.ts";

type Db = Services["db"];
type Columns = ExpressionBuilder<Tables, "subscribers">;

const statuses = {
  confirmed: "confirmed",
  waiting: "pending",
  left: "unsubscribed",
} as const satisfies Record<Exclude<SubscriberState, "suppressed">, SubscriberStatus>;

const suppressed = isSuppressed("subscribers.emailKey");

/** What a state means in the database; each subscriber has one. */
function hasState(state: SubscriberState) {
  return (columns: Columns) =>
    state === "suppressed"
      ? suppressed
      : columns.and([columns("subscribers.status", "=", statuses[state]), columns.not(suppressed)]);
}

/** How `lower` of the engine may have written a first name: SQLite's knows ASCII only. */
function nameBeginnings(search: string): string[] {
  const small = search.toLowerCase();
  const [first = "", ...rest] = search;
  const ascii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [...new Set([small, ascii(search), ascii(first.toUpperCase()) + rest.join("")])];
}

type Found = { ids: string[] } | { filter: SqlBoolExpression };
type SqlBoolExpression = ReturnType<typeof sql<SqlBool>>;

/** Whose address or first name begins so: their ids, or, of more than `mostListed`, a filter that
 * soon meets them in any order. */
async function findSubscribers(db: Db, search: string): Promise<Found> {
  const byAddress = beginsWith(db, "subscribers.emailKey", emailKey(search));
  const byName = nameBeginnings(search).map((text) =>
    beginsWith(db, sql<string>`lower(subscribers.first_name)`, text),
  );
  const some = (condition: SqlBoolExpression) =>
    db.read
      .selectFrom("subscribers")
      .select("id")
      .where(condition)
      .limit(mostListed + 1)
      .execute();
  const found = await Promise.all([byAddress, ...byName].map(some));
  const ids = [...new Set(found.flat().map(({ id }) => id))];
  if (ids.length <= mostListed) return { ids };
  return { filter: sql<SqlBool>`(${sql.join([byAddress, ...byName], sql` or `)})` };
}

const order: Order = {
  column: "subscribers.createdAt",
  id: "subscribers.id",
  direction: "desc",
};

export type SubscriberListParams = {
  search: string;
  state: SubscriberState | null;
  cursor: string | null;
};

/** Subscribers, newest first, by state and by the beginning of an address or first name. */
export async function listSubscribers(
  { db }: Services,
  { search, state, cursor, limit, uncounted }: SubscriberListParams & Portion,
) {
  let query = db.read.selectFrom("subscribers");
  const found = search ? await findSubscribers(db, search) : null;
  if (found && "ids" in found) query = query.where(isAmong(db, "subscribers.id", found.ids));
  if (found && "filter" in found) query = query.where(found.filter);
  if (state === "suppressed")
    query = query.where("subscribers.emailKey", "in", (from) =>
      from.selectFrom("suppressions").select("address"),
    );
  else if (state) query = query.where(hasState(state));
  const rows = query
    .select(["id", "email", "firstName", "status", "source", "createdAt", "askedAt"])
    .select(["confirmedAt", "unsubscribedAt", "createdAt as sortValue"])
    .select(suppressed.as("isSuppressed"));
  const page = await keysetPage(rows, order, { cursor, limit });
  const isUnknown = uncounted || (found && "filter" in found && state);
  const isMany = found && "filter" in found;
  const total = isUnknown ? null : isMany ? mostListed + 1 : await countUpTo(db.read, query);
  return { ...page, total, rows: page.rows.map(({ sortValue: _, ...row }) => withState(row)) };
}

type StateRow = {
  status: SubscriberStatus;
  isSuppressed: SqlBool;
  createdAt: Date;
  askedAt: Date;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
};

function withState<Row extends StateRow>({ isSuppressed: isSilent, ...row }: Row) {
  const { status, createdAt, askedAt, confirmedAt, unsubscribedAt } = row;
  const since = { confirmed: confirmedAt, pending: askedAt, unsubscribed: unsubscribedAt }[status];
  const own = { confirmed: "confirmed", pending: "waiting", unsubscribed: "left" } as const;
  const state: SubscriberState = isSilent ? "suppressed" : own[status];
  return { ...row, state, since: since ?? createdAt };
}

export type SubscriberLine = Awaited<ReturnType<typeof readSubscribers>>["lines"][number];

/** A page of the list, as it is shown. */
export async function readSubscribers(
  services: Services,
  params: SubscriberListParams & Portion,
  timeZone: string,
) {
  const { rows, ...pages } = await listSubscribers(services, params);
  const lines = rows.map(({ id, email, firstName, state, since, source }) => ({
    ...{ id, email, firstName, state },
    since: shortDate(since, timeZone),
    source: sourceInWords(source),
  }));
  return { ...pages, lines };
}

const issuesShown = 20;

export type SubscriberDetail = NonNullable<Awaited<ReturnType<typeof findSubscriberDetail>>>;

/** One subscriber with the last issues that went to them; null when there is none. */
export async function findSubscriberDetail({ db }: Services, id: string, timeZone: string) {
  if (!isId(id)) return null;
  const found = await db.read
    .selectFrom("subscribers")
    .leftJoin("suppressions", "suppressions.address", "subscribers.emailKey")
    .leftJoin("profiles", "profiles.email", "subscribers.emailKey")
    .selectAll("subscribers")
    .select(["suppressions.reason", "suppressions.createdAt as suppressedAt"])
    .select(["profiles.id as userId", "profiles.name as userName"])
    .where("subscribers.id", "=", id)
    .executeTakeFirst();
  if (!found) return null;
  const issues = await db.read
    .selectFrom("newsletterDeliveries")
    .innerJoin("newsletterIssues", "newsletterIssues.id", "newsletterDeliveries.issueId")
    .select(["newsletterIssues.id", "newsletterIssues.subject"])
    .select(["newsletterDeliveries.state", "newsletterDeliveries.notedAt"])
    .where("newsletterDeliveries.subscriberId", "=", id)
    .where("newsletterDeliveries.notedAt", "is not", null)
    .orderBy("newsletterDeliveries.notedAt", "desc")
    .limit(issuesShown)
    .execute();
  const { state, since } = withState({ ...found, isSuppressed: found.reason !== null });
  const day = (date: Date | null) => date && shortDate(date, timeZone);
  return {
    ...{ id, email: found.email, firstName: found.firstName, state, monthly: found.monthly },
    ...{ consent: found.consent, leaveReason: found.leaveReason, zone: found.timeZone },
    since: shortDate(since, timeZone),
    source: sourceInWords(found.source),
    quietUntil: day(found.quietUntilAt),
    suppression:
      found.reason && `${suppressionWords[found.reason]} (${day(found.suppressedAt) ?? ""})`,
    account: found.userId && { id: found.userId, name: found.userName ?? "" },
    issues: issues.map(({ notedAt, ...issue }) => ({
      ...issue,
      when: notedAt ? dateAndTime(notedAt, timeZone) : "",
    })),
  };
}

/** Deletes the row of an address. Idempotent. */
export async function removeSubscriber(services: Services, id: string): Promise<void> {
  if (!isId(id)) return;
  await services.db.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("subscribers")
      .where("id", "=", id)
      .executeTakeFirst();
    // Without the address: who is removed is to be nowhere any more.
    if (numDeletedRows) await recordAudit(trx, services, { action: "subscriber.removed" });
  });
}

/** Signs somebody up as the form does: an email asks them first.
 * @returns what is wrong with a field */
export async function addSubscriber(
  services: Services,
  fields: Record<string, string | undefined>,
): Promise<SignupErrors | null> {
  const { db, clock } = services;
  const parsed = signupFields.safeParse(fields);
  if (!parsed.success) return signupErrors(parsed.error);
  const key = emailKey(parsed.data.email);
  const refusal = await findRefusal(db.read, subscriberId(services, key), key);
  if (refusal) return { email: refusal };
  await db.transaction(async (trx) => {
    const signup = { ...parsed.data, source: "admin" };
    await enqueue(trx, signupJob, signup, { now: clock.now(), to: { address: signup.email } });
    await recordAudit(trx, services, { action: "subscriber.added" });
  });
  services.wakeWorker();
  return null;
}

async function findRefusal(db: Query, id: string, key: string): Promise<string | null> {
  const [known, suppressed] = await Promise.all([
    db.selectFrom("subscribers").select("status").where("id", "=", id).executeTakeFirst(),
    db.selectFrom("suppressions").select("reason").where("address", "=", key).executeTakeFirst(),
  ]);
  if (suppressed) return subscriberMessages.suppressed;
  return known?.status === "confirmed" ? subscriberMessages.known : null;
}
