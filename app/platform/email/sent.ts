import { type RawBuilder, type SqlBool, sql } from "kysely";
import { compiledOnce } from "../db/compiled.ts";
import type { Query } from "../db/database.ts";
import type { SuppressionReason } from "../db/newsletter-tables.ts";
import type { Mailer } from "./mail.ts";

export type SentEmailNote = { id: string; address: string; subject: string; at: Date };

type Noting = {
  sent: SentEmailNote[];
  now: () => Date;
  signal: AbortSignal;
  mayBegin: () => boolean;
  /** Where suppressions are looked up; null for an email that ignores them. */
  suppressions: Query | null;
};

/** Another worker may have the row by now: an email of it would be sent twice. */
export class LeaseOver extends Error {}

/** The address is on the list of those that get no email. The message is the reason alone. */
export class AddressSuppressed extends Error {
  constructor(reason: SuppressionReason) {
    super(reason);
  }
}

const reasonAt = compiledOnce((db, { address }: { address: string }) =>
  db.selectFrom("suppressions").select("reason").where("address", "=", address),
);

/** Why an address gets no email; null for one that does. */
export async function suppressionOf(db: Query, address: string): Promise<SuppressionReason | null> {
  const [found] = await reasonAt(db, { address: address.trim().toLowerCase() });
  return found?.reason ?? null;
}

/** For queries of many: whether the address in a column, in lower case, gets no email. */
export function isSuppressed(column: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from suppressions
    where suppressions.address = ${sql.ref(column)})`;
}

/** The same mailer, which also adds to `sent` what it sent and aborts with `signal`. @throws
 * {AddressSuppressed} @throws {LeaseOver} when the row may no longer send */
export function noting(
  mail: Mailer,
  { sent, now, signal, mayBegin, suppressions }: Noting,
): Mailer {
  return {
    ...mail,
    async send(message) {
      const reason = suppressions && (await suppressionOf(suppressions, message.to.address));
      if (reason) throw new AddressSuppressed(reason);
      if (!mayBegin()) throw new LeaseOver();
      await mail.send(message, signal);
      const { id, to, subject } = message;
      sent.push({ id, address: to.address.trim().toLowerCase(), subject, at: now() });
    },
  };
}

/** Records sent emails: for the account that the work was for, else for the account with the
 * address. Neither the address nor any text is stored. Idempotent for each email; without an
 * account nothing is stored. */
export async function recordSent(
  db: Query,
  { kind, userId }: { kind: string; userId: string | null },
  emails: readonly SentEmailNote[],
): Promise<void> {
  for (const { id, address, subject, at } of emails) {
    const account = await db
      .selectFrom("profiles")
      .select("id")
      .where((is) => (userId ? is("id", "=", userId) : is("email", "=", address)))
      .executeTakeFirst();
    if (!account) continue;
    await db
      .insertInto("sentEmails")
      .values({ id, userId: account.id, kind, subject, createdAt: at })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}
