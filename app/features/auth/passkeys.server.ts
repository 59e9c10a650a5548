import { APIError } from "better-auth/api";
import { type Caller, callAuth } from "~/platform/auth/call.ts";
import { withPlainCookies } from "~/platform/auth/cookies.ts";
import { renewSession } from "~/platform/auth/sessions.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { maxSecurityMethods, twoFactorMessages } from "./messages.ts";
import { firstMessage } from "./rules.ts";
import { factorNameField } from "./schema.ts";
import { sendSecurityAlert } from "./security-alerts.server.ts";
import { clearSecondFactor, lockTwoFactor } from "./two-factor.server.ts";

/** Oldest first. */
export async function listPasskeys({ db }: Services, userId: string) {
  const rows = await db.write
    .selectFrom("passkeys")
    .select(["id", "name", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ name, ...row }) => ({ ...row, name: name || "Passkey" }));
}

/** Counts working sign-in methods. Before a removal, call it under {@link lockTwoFactor}. */
export async function countWaysIn(
  { config }: Services,
  trx: Query,
  userId: string,
): Promise<number> {
  const usable = config.providers.map(({ id }) => id);
  const ways = await trx
    .selectFrom("profiles")
    .select((eb) => [
      eb
        .selectFrom("accounts")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .where("accounts.userId", "=", userId)
        .where((inner) =>
          inner.or([
            inner("providerId", "in", ["", ...usable]),
            inner.and([inner("providerId", "=", "credential"), inner("password", "is not", null)]),
          ]),
        )
        .as("accounts"),
      eb
        .selectFrom("passkeys")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .where("passkeys.userId", "=", userId)
        .as("passkeys"),
    ])
    .where("profiles.id", "=", userId)
    .executeTakeFirst();
  return Number(ways?.accounts ?? 0) + Number(ways?.passkeys ?? 0);
}

function readAnswer(json: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

export async function signInWithPasskey(
  services: Services,
  caller: Caller,
  json: string | undefined,
): Promise<{ setCookies: string[] } | { problem: string }> {
  const response = readAnswer(json);
  if (!response) return { problem: twoFactorMessages.passkey.failed };
  const answer = await callAuth(services, caller, "/passkey/verify-authentication", { response });
  if (answer.ok) return { setCookies: answer.setCookies };
  if (answer.status === 429) return { problem: twoFactorMessages.tooManyTries };
  if (answer.code === "PASSKEY_NOT_FOUND") return { problem: twoFactorMessages.passkey.unknown };
  if (answer.code === "USER_NOT_VERIFIED")
    return { problem: twoFactorMessages.passkey.notVerified };
  // A suspended user is told why, as with a password.
  if (answer.status === 403 && answer.message) return { problem: answer.message };
  return { problem: twoFactorMessages.passkey.failed };
}

type Adding = {
  userId: string;
  sessionId: string;
  name: string;
  json: string | undefined;
  headers: Headers;
};

// Saves a new passkey, which the library verifies. The session then counts as having a second
// factor, since the device has verified the user.
async function addPasskey(
  services: Services,
  { userId, sessionId, name, json, headers }: Adding,
): Promise<{ setCookies: string[] } | { problem: string } | { stale: true }> {
  const { db, auth } = services;
  const response = readAnswer(json);
  if (!response) return { problem: twoFactorMessages.passkey.notAdded };
  if ((await listPasskeys(services, userId)).length >= maxSecurityMethods.passkeys)
    return { problem: twoFactorMessages.tooManyPasskeys };
  let added: { id: string };
  try {
    added = await auth.api.verifyPasskeyRegistration({
      body: { response, name },
      headers: withPlainCookies(headers),
    });
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    return refusalOf(error);
  }
  if (!(await keptWithin(services, userId, added.id)))
    return { problem: twoFactorMessages.tooManyPasskeys };
  await sendSecurityAlert(services, db.write, { userId, change: "passkey-added", name });
  services.wakeWorker();
  const cookie = await renewSession(services, sessionId, "factor");
  return { setCookies: cookie ? [cookie] : [] };
}

// Concurrent additions can both pass the first check, so the count is checked again under the lock.
function keptWithin(services: Services, userId: string, id: string): Promise<boolean> {
  return services.db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    const own = trx.selectFrom("passkeys").select("id").where("userId", "=", userId);
    if ((await own.execute()).length <= maxSecurityMethods.passkeys) return true;
    await trx.deleteFrom("passkeys").where("userId", "=", userId).where("id", "=", id).execute();
    return false;
  });
}

function refusalOf({ body }: APIError): { problem: string } | { stale: true } {
  if (body?.code === "SESSION_NOT_FRESH") return { stale: true };
  if (body?.code === "USER_NOT_VERIFIED") return { problem: twoFactorMessages.passkey.notVerified };
  if (body?.code === "PREVIOUSLY_REGISTERED") return { problem: twoFactorMessages.passkey.known };
  return { problem: twoFactorMessages.passkey.notAdded };
}

type Form = {
  userId: string;
  sessionId: string;
  fields: Record<string, string | undefined>;
  headers: Headers;
};

/** Adds a passkey from the form. `owner`: reauthentication is required first. */
export async function addNamedPasskey(services: Services, { fields, ...rest }: Form) {
  const named = factorNameField.safeParse(fields);
  if (!named.success)
    return { problem: firstMessage(named), owner: null, setCookies: [] as string[] };
  const added = await addPasskey(services, { ...rest, ...named.data, json: fields.passkey });
  if ("stale" in added) return { problem: null, owner: "asked" as const, setCookies: [] };
  if ("problem" in added) return { problem: added.problem, owner: null, setCookies: [] };
  return { problem: null, owner: null, setCookies: added.setCookies };
}

type Named = { userId: string; id: string };

/** @returns false when there is no such passkey */
export async function renamePasskey(
  { db }: Services,
  { userId, id, name }: Named & { name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db.write
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Never removes the last sign-in method. Call after reauthentication. @returns an error or null */
export async function removePasskey(
  services: Services,
  { userId, id }: Named,
): Promise<string | null> {
  const isRemoved = await services.db.transaction(async (trx) => {
    await lockTwoFactor(services, trx, userId);
    if ((await countWaysIn(services, trx, userId)) < 2) return false;
    const removed = await trx
      .deleteFrom("passkeys")
      .where("id", "=", id)
      .where("userId", "=", userId)
      .returning("name")
      .executeTakeFirst();
    if (!removed) return true;
    await clearSecondFactor(trx, userId);
    await sendSecurityAlert(services, trx, { userId, change: "passkey-removed", ...removed });
    return true;
  });
  services.wakeWorker();
  return isRemoved ? null : twoFactorMessages.lastWayIn;
}
