import { createEmailVerificationToken } from "better-auth/api";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { verifySeconds } from "./constants.ts";

/** Confirms this account alone, not another that has the address later. */
export function confirmationToken(
  { authSecret }: Config,
  { id: userId, email }: { id: string; email: string },
): Promise<string> {
  return createEmailVerificationToken(authSecret, email, undefined, verifySeconds, { userId });
}

export async function markEmailVerified(db: Database, userId: string): Promise<void> {
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ emailVerified: true })
      .where("id", "=", userId)
      .where("emailVerified", "=", false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    // Anyone could have created the account, so providers that were linked before are not trusted.
    await trx
      .deleteFrom("accounts")
      .where("userId", "=", userId)
      .where("providerId", "!=", "credential")
      .execute();
  });
}
