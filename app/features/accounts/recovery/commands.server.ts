import { randomInt } from "node:crypto";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { keyedHash } from "~/platform/signed-token.ts";
import { countApps, lockFactors } from "../factors/queries.server.ts";
import { codeAlphabet, codeLength } from "../factors/rules.ts";
import { codeCount } from "../factors/texts.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { countCodes } from "./queries.server.ts";

/** Recovery codes that nobody has yet, as they are typed without their hyphen. */
export function newCodes(): string[] {
  const one = () =>
    Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
  const codes = new Set<string>();
  while (codes.size < codeCount) codes.add(one());
  return [...codes];
}

/** Keyed with AUTH_SECRET: whoever reads the database alone cannot try out codes. */
function hashOf({ config }: Services, userId: string, code: string): string {
  return keyedHash(config.authSecret, "recovery codes", `${userId} ${code}`).toString("base64url");
}

/** The rows of these codes. */
export function codeRows(services: Services, userId: string, codes: string[]) {
  const createdAt = services.clock.now();
  return codes.map((code) => ({
    id: newId(),
    userId,
    codeHash: hashOf(services, userId, code),
    createdAt,
  }));
}

/**
 * New recovery codes in the place of the old ones. Their owner must have shown that she is it.
 * @returns the codes; null for somebody without an authenticator app, who needs none
 */
export async function remakeCodes(services: Services, userId: string): Promise<string[] | null> {
  const codes = newCodes();
  const rows = codeRows(services, userId, codes);
  const isMade = await services.db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    if ((await countApps(trx, userId)) === 0) return false;
    await trx.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
    await trx.insertInto("recoveryCodes").values(rows).execute();
    await tellOwner(services, trx, { userId, change: "codes-made" });
    return true;
  });
  services.wakeWorker();
  return isMade ? codes : null;
}

/**
 * Uses a recovery code up: each works once, however often it is sent at the same moment.
 * @returns how many are left; null when it is none of hers, or was used
 */
export async function spendCode(
  services: Services,
  { userId, code }: { userId: string; code: string },
): Promise<number | null> {
  const { db, clock } = services;
  const left = await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("recoveryCodes")
      .set({ usedAt: clock.now() })
      .where("userId", "=", userId)
      .where("codeHash", "=", hashOf(services, userId, code))
      .where("usedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    const count = await countCodes(trx, userId);
    await tellOwner(services, trx, { userId, change: "code-used", left: count });
    return count;
  });
  if (left !== null) services.wakeWorker();
  return left;
}
