import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { type CountedPage, countedPage, type Order } from "~/platform/db/keyset.ts";
import type { SuppressionReason } from "~/platform/db/newsletter-tables.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { Services } from "~/platform/http/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { reasonNames, suppressionMessages } from "./messages.ts";
import { addressKey, cleanDetail } from "./rules.ts";

type Suppressing = {
  address: string;
  reason: SuppressionReason;
  source: string;
  detail: string | null;
  now: Date;
};

/** Puts an address on the list; one that is on it stays as it is. @returns whether it is new there */
export async function suppressWithin(
  trx: Query,
  { address, now, ...why }: Suppressing,
): Promise<boolean> {
  const added = await trx
    .insertInto("suppressions")
    .values({ address, ...why, createdAt: now })
    .onConflict((conflict) => conflict.column("address").doNothing())
    .returning("address")
    .executeTakeFirst();
  return added !== undefined;
}

const columns = ["suppressions.address", "reason", "source", "detail"] as const;

const suppressions = (db: Query) =>
  db
    .selectFrom("suppressions")
    .leftJoin("profiles", "profiles.email", "suppressions.address")
    .select(columns)
    .select(["suppressions.createdAt", "profiles.id as userId", "profiles.name"]);

export type Suppression = NonNullable<Awaited<ReturnType<typeof findSuppression>>>;

export async function findSuppression({ db }: Pick<Services, "db">, address: string) {
  const key = addressKey(address);
  if (key === null) return null;
  const found = suppressions(db.read).where("suppressions.address", "=", key);
  return (await found.executeTakeFirst()) ?? null;
}

export type SuppressionLine = ReturnType<typeof suppressionLine>;

/** A row as the coach reads it, with the day in their time zone. */
export function suppressionLine({ createdAt, ...row }: Suppression, timeZone: string) {
  return { ...row, since: shortDate(createdAt, timeZone) };
}

const order: Order = {
  column: "suppressions.createdAt",
  id: "suppressions.address",
  direction: "desc",
};

type Asked = {
  search: string;
  reason: SuppressionReason | null;
  cursor: string | null;
  limit: number;
};

/** Newest first, found by a part of the address. */
export async function listSuppressions(
  { db }: Services,
  { search, reason, ...at }: Asked,
  timeZone: string,
): Promise<CountedPage<SuppressionLine>> {
  let query = suppressions(db.read)
    .select("suppressions.address as id")
    .select("suppressions.createdAt as sortValue");
  if (search) query = query.where(hasWords("suppressions.address", search));
  if (reason) query = query.where("reason", "=", reason);
  const page = await countedPage(db.read, query, order, at);
  return {
    ...page,
    rows: page.rows.map(({ id: _, sortValue: __, ...row }) => suppressionLine(row, timeZone)),
  };
}

export type SuppressionInput = { address: string; note: string };

/** Adds an address by hand. @returns what is wrong with it, or null */
export async function suppressByHand(
  services: Services,
  { address, note }: SuppressionInput,
): Promise<string | null> {
  const key = addressKey(address);
  if (key === null) return suppressionMessages.invalid;
  const { clock } = services;
  const isNew = await services.db.transaction(async (trx) => {
    const why = { reason: "manual", source: "admin", detail: cleanDetail(note) } as const;
    const added = await suppressWithin(trx, { address: key, ...why, now: clock.now() });
    if (added) await audit(trx, services, "mail.suppressed", key, reasonNames.manual);
    return added;
  });
  return isNew ? null : suppressionMessages.already;
}

/** Takes an address off the list: it gets emails again. Idempotent. */
export async function liftSuppression(services: Services, address: string): Promise<void> {
  const key = addressKey(address);
  if (key === null) return;
  await services.db.transaction(async (trx) => {
    const lifted = await trx
      .deleteFrom("suppressions")
      .where("address", "=", key)
      .returning("reason")
      .executeTakeFirst();
    if (lifted) await audit(trx, services, "mail.unsuppressed", key, reasonNames[lifted.reason]);
  });
}

// An address is not for the audit log: of one with an account, the account is named.
async function audit(
  trx: Query,
  services: Services,
  action: "mail.suppressed" | "mail.unsuppressed",
  address: string,
  label: string,
) {
  const account = await trx
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", address)
    .executeTakeFirst();
  await recordAudit(trx, services, { action, label, personId: account?.id ?? null });
}
