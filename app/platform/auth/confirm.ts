import { createEmailVerificationToken } from "better-auth/api";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { verifySeconds } from "./constants.ts";

/** The token of a letter that confirms an address. */
export function confirmationToken({ authSecret }: Config, email: string): Promise<string> {
  return createEmailVerificationToken(authSecret, email, undefined, verifySeconds);
}

/**
 * A new password was chosen with a letter: its owner reads this mailbox. Until now anybody may have
 * made the account, so providers that were linked to it before are not hers.
 */
export async function confirmAddress(db: Database, userId: string): Promise<void> {
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ emailVerified: true })
      .where("id", "=", userId)
      .where("emailVerified", "=", false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await trx
      .deleteFrom("accounts")
      .where("userId", "=", userId)
      .where("providerId", "!=", "credential")
      .execute();
  });
}
