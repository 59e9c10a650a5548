import { matchingStep, newSecret, openSecret, sealSecret } from "~/platform/auth/totp.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { codeRows, newCodes } from "../recovery/commands.server.ts";
import { countApps, hasAppOrPasskey, lockFactors } from "./queries.server.ts";
import { messages, most } from "./texts.ts";

/**
 * Begins to set up an authenticator app. It counts for nothing until it has shown a right code;
 * one begun before and left goes.
 * @returns its id, or what is in the way
 */
export async function beginApp(
  services: Services,
  { userId, name }: { userId: string; name: string },
): Promise<{ id: string } | { problem: string }> {
  const { db, clock, config } = services;
  const id = newId();
  const secret = await sealSecret(config.authSecret, newSecret());
  const createdAt = clock.now();
  const isMade = await db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    if ((await countApps(trx, userId)) >= most.apps) return false;
    await trx
      .deleteFrom("factors")
      .where("userId", "=", userId)
      .where("status", "=", "unverified")
      .execute();
    await trx
      .insertInto("factors")
      .values({
        id,
        userId,
        factorType: "totp",
        friendlyName: name,
        status: "unverified",
        secret,
        createdAt,
      })
      .execute();
    return true;
  });
  return isMade ? { id } : { problem: messages.tooManyApps };
}

type Finishing = { userId: string; sessionId: string; id: string; code: string };

/**
 * Ends setting up an app with a code that it shows; from now on it is asked for at sign-in. With the
 * first one, all other sessions end, this one counts as having given a second factor, and there are
 * recovery codes: these, and nobody sees them again.
 */
export async function finishApp(
  services: Services,
  { userId, sessionId, id, code }: Finishing,
): Promise<{ codes: string[] | null } | { problem: string }> {
  const { db, clock, config } = services;
  const limit = { what: "factor-setup", whose: userId, max: 20, windowSeconds: 600 };
  if (!(await withinLimit(services, limit))) return { problem: messages.tooManyTries };
  if (!isId(id)) return { problem: messages.gone };
  const row = await db.write
    .selectFrom("factors")
    .select(["secret", "friendlyName"])
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("status", "=", "unverified")
    .executeTakeFirst();
  const secret = row && (await openSecret(config.authSecret, row.secret));
  if (!row || !secret) return { problem: messages.gone };
  const now = clock.now();
  const lastStep = await matchingStep(secret, code, now);
  if (lastStep === null) return { problem: messages.wrongCode };
  const codes = newCodes();
  const done = await db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    const isFirst = (await countApps(trx, userId)) === 0;
    const { numUpdatedRows } = await trx
      .updateTable("factors")
      .set({ status: "verified", lastStep, lastUsedAt: now })
      .where("id", "=", id)
      .where("userId", "=", userId)
      .where("status", "=", "unverified")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    if (isFirst) {
      await beginAsking(trx, { userId, sessionId });
      await trx.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
      await trx
        .insertInto("recoveryCodes")
        .values(codeRows(services, userId, codes))
        .execute();
    }
    await tellOwner(services, trx, { userId, change: "app-added", name: row.friendlyName });
    return { isFirst };
  });
  services.wakeWorker();
  if (!done) return { problem: messages.gone };
  return { codes: done.isFirst ? codes : null };
}

/** From now on a second factor is asked for: it is as if this session had given one, and no other. */
async function beginAsking(
  trx: Query,
  { userId, sessionId }: { userId: string; sessionId: string },
) {
  // Sessions are the library's, which reads the machine's own clock.
  const secondFactorAt = new Date();
  const hers = () => trx.updateTable("sessions").where("userId", "=", userId);
  await hers().set({ secondFactorAt }).where("id", "=", sessionId).execute();
  await trx
    .deleteFrom("sessions")
    .where("userId", "=", userId)
    .where("id", "!=", sessionId)
    .execute();
}

type Named = { userId: string; id: string };

/** @returns false when there is no such app */
export async function renameApp(
  { db }: Services,
  { userId, id, name }: Named & { name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db.write
    .updateTable("factors")
    .set({ friendlyName: name })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Removes an app. With the last one, sign-in asks for no second factor any more, and the recovery
 * codes go. Its owner must have shown that she is it. Twice is once. @returns null: nothing is in the way
 */
export async function removeApp(services: Services, { userId, id }: Named): Promise<null> {
  await services.db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    const removed = await trx
      .deleteFrom("factors")
      .where("id", "=", id)
      .where("userId", "=", userId)
      .returning(["friendlyName", "status"])
      .executeTakeFirst();
    if (removed?.status !== "verified") return;
    if ((await countApps(trx, userId)) === 0) await endAsking(trx, userId);
    await tellOwner(services, trx, { userId, change: "app-removed", name: removed.friendlyName });
  });
  services.wakeWorker();
  return null;
}

async function endAsking(trx: Query, userId: string): Promise<void> {
  await trx.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  // Whoever stands at the second step with her password has not been let in, and is not now.
  await trx
    .deleteFrom("sessions")
    .where("userId", "=", userId)
    .where("secondFactorAt", "is", null)
    .execute();
  await forgetLevel(trx, userId);
}

/** Without any app and passkey no session has a second factor, whatever was given in it once. */
export async function forgetLevel(trx: Query, userId: string): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ secondFactorAt: null })
    .where("userId", "=", userId)
    .where(({ not }) => not(hasAppOrPasskey("sessions.userId")))
    .execute();
}
