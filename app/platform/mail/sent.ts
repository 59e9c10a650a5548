import type { Query } from "../db/database.ts";
import type { Mail } from "./mail.ts";

/** A letter that has left the site: that it did, to whom and about what. */
export type SentLetter = { id: string; address: string; subject: string; at: Date };

type Noting = {
  sent: SentLetter[];
  now: () => Date;
  signal: AbortSignal;
  mayBegin: () => boolean;
};

/** By now the work may be somebody else's: a letter of it would go out twice. */
export class LeaseOver extends Error {}

/**
 * The same mail, which also writes into `sent` what went out, is cut off with `signal`, and begins
 * no letter when it may not any more. @throws {LeaseOver} then
 */
export function noting(mail: Mail, { sent, now, signal, mayBegin }: Noting): Mail {
  return {
    async send(message) {
      if (!mayBegin()) throw new LeaseOver();
      await mail.send(message, signal);
      const { id, to, subject } = message;
      sent.push({ id, address: to.address.trim().toLowerCase(), subject, at: now() });
    },
    close: () => mail.close(),
  };
}

/**
 * Writes down that letters went out, for the account that the work was for, else for whoever has an
 * account with the address: neither the address nor a word of the letter. Once a letter, however often it is told; nothing for an
 * address without an account, or one whose account is gone meanwhile.
 */
export async function recordSent(
  db: Query,
  { kind, userId }: { kind: string; userId: string | null },
  letters: readonly SentLetter[],
): Promise<void> {
  for (const { id, address, subject, at } of letters) {
    const account = await db
      .selectFrom("profiles")
      .select("id")
      .where((is) => (userId ? is("id", "=", userId) : is("email", "=", address)))
      .executeTakeFirst();
    if (!account) continue;
    await db
      .insertInto("sentMails")
      .values({ id, userId: account.id, kind, subject, createdAt: at })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}
