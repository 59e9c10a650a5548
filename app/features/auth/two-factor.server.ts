import { randomInt } from "node:crypto";
import { expressionBuilder } from "kysely";
import { encode } from "uqr";
import {
  matchingStep,
  newSecret,
  openSecret,
  sealSecret,
  setupAddress,
} from "~/platform/auth/totp.ts";
import { keyedHash } from "~/platform/crypto/signed-token.ts";
import { countOf, type Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { backupCodeCount, maxSecurityMethods, twoFactorMessages } from "./messages.ts";
import { codeAlphabet, codeLength, typedSecret } from "./rules.ts";
import { sendSecurityAlert } from "./security-alerts.server.ts";
import { revokeOtherSessions } from "./sessions.server.ts";

/** Serializes all changes to a user's factors: checks for the first or last one depend on it. */
export function lockTwoFactor(
  { db }: Pick<Services, "db">,
  trx: Query,
  userId: string,
): Promise<void> {
  return lockId(db, trx, `factors ${userId}`);
}

export function listAuthenticatorApps({ db }: Services, userId: string) {
  return db.write
    .selectFrom("factors")
    .select(["id", "friendlyName as name", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}

/** An SQL condition: the account of the row has an authenticator app or a passkey. */
export function hasAppOrPasskey(userId: "profiles.id" | "sessions.userId") {
  const { or, exists, selectFrom } = expressionBuilder<Tables, "profiles" | "sessions">();
  return or([
    exists(
      selectFrom("factors")
        .select("factors.id")
        .whereRef("factors.userId", "=", userId)
        .where("factors.status", "=", "verified"),
    ),
    exists(selectFrom("passkeys").select("passkeys.id").whereRef("passkeys.userId", "=", userId)),
  ]);
}

export async function countAuthenticatorApps(db: Query, userId: string): Promise<number> {
  return countOf(
    db.selectFrom("factors").where("userId", "=", userId).where("status", "=", "verified"),
  );
}

export type AppSetup = NonNullable<Awaited<ReturnType<typeof findAppSetup>>>;

/** `address`: the `otpauth:` link, for the phone that shows the page; `secret`: for typing. */
export async function findAppSetup(
  { db, config }: Services,
  { userId, id, issuer }: { userId: string; id: string; issuer: string },
) {
  if (!isId(id)) return null;
  const row = await db.write
    .selectFrom("factors")
    .innerJoin("profiles", "profiles.id", "factors.userId")
    .select(["factors.friendlyName as name", "factors.secret", "profiles.email"])
    .where("factors.id", "=", id)
    .where("factors.userId", "=", userId)
    .where("factors.status", "=", "unverified")
    .executeTakeFirst();
  const secret = row && (await openSecret(config.authSecret, row.secret));
  if (!row || !secret) return null;
  const address = setupAddress(secret, issuer, row.email);
  return { id, name: row.name, address, secret: typedSecret(address), qr: qrOf(address) };
}

/** An SVG path of unit squares within `size` by `size`. */
function qrOf(text: string) {
  // Scanners need a quiet zone of four squares.
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const rows = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: rows.join("") };
}

export async function countBackupCodes(db: Query, userId: string): Promise<number> {
  return countOf(
    db.selectFrom("backupCodes").where("userId", "=", userId).where("usedAt", "is", null),
  );
}

export function generateBackupCodes(): string[] {
  const one = () =>
    Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
  const codes = new Set<string>();
  while (codes.size < backupCodeCount) codes.add(one());
  return [...codes];
}

function hashOf({ config }: Services, userId: string, code: string): string {
  return keyedHash(config.authSecret, "backup codes", `${userId} ${code}`).toString("base64url");
}

export function backupCodeRows(services: Services, userId: string, codes: string[]) {
  const createdAt = services.clock.now();
  return codes.map((code) => ({
    id: newId(),
    userId,
    codeHash: hashOf(services, userId, code),
    createdAt,
  }));
}

/** Call after reauthentication. @returns null for a user without an authenticator app */
export async function regenerateBackupCodes(
  services: Services,
  userId: string,
): Promise<string[] | null> {
  const codes = await services.db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    if ((await countAuthenticatorApps(trx, userId)) === 0) return null;
    await sendSecurityAlert(services, trx, { userId, change: "codes-made" });
    return replaceBackupCodes(services, trx, userId);
  });
  services.wakeWorker();
  return codes;
}

async function replaceBackupCodes(services: Services, trx: Query, userId: string) {
  const codes = generateBackupCodes();
  await trx.deleteFrom("backupCodes").where("userId", "=", userId).execute();
  await trx
    .insertInto("backupCodes")
    .values(backupCodeRows(services, userId, codes))
    .execute();
  return codes;
}

/** Works once per code, even concurrently. @returns how many are left; null if wrong or used */
export async function consumeBackupCode(
  services: Services,
  { userId, code }: { userId: string; code: string },
): Promise<number | null> {
  const { db, clock } = services;
  const left = await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("backupCodes")
      .set({ usedAt: clock.now() })
      .where("userId", "=", userId)
      .where("codeHash", "=", hashOf(services, userId, code))
      .where("usedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    const count = await countBackupCodes(trx, userId);
    await sendSecurityAlert(services, trx, { userId, change: "code-used", left: count });
    return count;
  });
  if (left !== null) services.wakeWorker();
  return left;
}

const unverified = { factorType: "totp", status: "unverified" } as const;

/** Replaces an unfinished setup; the app is inactive until verified. @returns its id or an error */
export async function startAppSetup(
  services: Services,
  { userId, name }: { userId: string; name: string },
): Promise<{ id: string } | { problem: string }> {
  const { db, clock, config } = services;
  const id = newId();
  const secret = await sealSecret(config.authSecret, newSecret());
  const createdAt = clock.now();
  const isMade = await db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    if ((await countAuthenticatorApps(trx, userId)) >= maxSecurityMethods.apps) return false;
    await trx
      .deleteFrom("factors")
      .where("userId", "=", userId)
      .where("status", "=", "unverified")
      .execute();
    await trx
      .insertInto("factors")
      .values({ id, userId, friendlyName: name, secret, createdAt, ...unverified })
      .execute();
    return true;
  });
  return isMade ? { id } : { problem: twoFactorMessages.tooManyApps };
}

/** Verifies an app. The first one ends all other sessions and returns backup codes, only once. */
export async function finishAppSetup(
  services: Services,
  { userId, sessionId, id, code }: { userId: string; sessionId: string; id: string; code: string },
): Promise<{ codes: string[] | null } | { problem: string }> {
  const { db, clock, config } = services;
  const limit = { what: "factor-setup", whose: userId, max: 20, windowSeconds: 600 };
  if (!(await withinLimit(services, limit))) return { problem: twoFactorMessages.tooManyTries };
  if (!isId(id)) return { problem: twoFactorMessages.gone };
  const row = await db.write
    .selectFrom("factors")
    .select(["secret", "friendlyName"])
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("status", "=", "unverified")
    .executeTakeFirst();
  const secret = row && (await openSecret(config.authSecret, row.secret));
  if (!row || !secret) return { problem: twoFactorMessages.gone };
  const now = clock.now();
  const lastStep = matchingStep(secret, code, now);
  if (lastStep === null) return { problem: twoFactorMessages.wrongCode };
  const done = await db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    const isFirst = (await countAuthenticatorApps(trx, userId)) === 0;
    const { numUpdatedRows } = await trx
      .updateTable("factors")
      .set({ status: "verified", lastStep, lastUsedAt: now })
      .where("id", "=", id)
      .where("userId", "=", userId)
      .where("status", "=", "unverified")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    await sendSecurityAlert(services, trx, { userId, change: "app-added", name: row.friendlyName });
    if (!isFirst) return { codes: null };
    await beginAsking(trx, { userId, sessionId });
    return { codes: await replaceBackupCodes(services, trx, userId) };
  });
  services.wakeWorker();
  return done ?? { problem: twoFactorMessages.gone };
}

async function beginAsking(trx: Query, own: { userId: string; sessionId: string }) {
  // The library sets session times by the machine's clock, not by ours.
  const passed = trx.updateTable("sessions").set({ secondFactorAt: new Date() });
  await passed.where("userId", "=", own.userId).where("id", "=", own.sessionId).execute();
  await revokeOtherSessions(trx, own);
}

type Named = { userId: string; id: string };

/** @returns false when there is no such app */
export async function renameAuthenticatorApp(
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

/** Removing the last app turns two-factor off. Call after reauthentication. Idempotent. */
export async function removeAuthenticatorApp(
  services: Services,
  { userId, id }: Named,
): Promise<null> {
  await services.db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    const removed = await trx
      .deleteFrom("factors")
      .where("id", "=", id)
      .where("userId", "=", userId)
      .returning(["friendlyName", "status"])
      .executeTakeFirst();
    if (removed?.status !== "verified") return;
    if ((await countAuthenticatorApps(trx, userId)) === 0) await endAsking(trx, userId);
    await sendSecurityAlert(services, trx, {
      userId,
      change: "app-removed",
      name: removed.friendlyName,
    });
  });
  services.wakeWorker();
  return null;
}

async function endAsking(trx: Query, userId: string): Promise<void> {
  await trx.deleteFrom("backupCodes").where("userId", "=", userId).execute();
  // Pending second steps end: those visitors have only given a password and must not get in.
  await trx
    .deleteFrom("sessions")
    .where("userId", "=", userId)
    .where("secondFactorAt", "is", null)
    .execute();
  await clearSecondFactor(trx, userId);
}

/** Clears the second factor of all sessions once the user has neither an app nor a passkey. */
export async function clearSecondFactor(trx: Query, userId: string): Promise<void> {
  await trx
    .updateTable("sessions")
    .set({ secondFactorAt: null })
    .where("userId", "=", userId)
    .where(({ not }) => not(hasAppOrPasskey("sessions.userId")))
    .execute();
}
