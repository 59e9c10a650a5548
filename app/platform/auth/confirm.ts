import { createEmailVerificationToken } from "better-auth/api";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { verifySeconds } from "./constants.ts";

export function confirmationToken({ authSecret }: Config, email: string): Promise<string> {
  return createEmailVerificationToken(authSecret, email, undefined, verifySeconds);
}

/** Marks an email as verified after a password reset by email. */
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
