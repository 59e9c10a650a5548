import { APIError } from "better-auth/api";
import { type Caller, callAuth } from "~/platform/auth/call.ts";
import { withPlainCookies } from "~/platform/auth/cookies.ts";
import { renewSession } from "~/platform/auth/renew.ts";
import type { Services } from "~/platform/services.ts";
import { forgetLevel } from "../factors/commands.server.ts";
import { lockFactors } from "../factors/queries.server.ts";
import { nameField } from "../factors/schema.ts";
import { messages, most } from "../factors/texts.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { firstMessage } from "../rules.ts";
import { countWaysIn, listPasskeys } from "./queries.server.ts";

/** What the browser made of a passkey, as JSON; null when it is none. */
function readAnswer(json: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Signs in with a passkey, which counts as both factors. */
export async function signInWithPasskey(
  services: Services,
  caller: Caller,
  json: string | undefined,
): Promise<{ setCookies: string[] } | { problem: string }> {
  const response = readAnswer(json);
  if (!response) return { problem: messages.passkey.failed };
  const answer = await callAuth(services, caller, "/passkey/verify-authentication", { response });
  if (answer.ok) return { setCookies: answer.setCookies };
  if (answer.status === 429) return { problem: messages.tooManyTries };
  if (answer.code === "PASSKEY_NOT_FOUND") return { problem: messages.passkey.unknown };
  if (answer.code === "USER_NOT_VERIFIED") return { problem: messages.passkey.notVerified };
  // Whom the site lets in nowhere is told why, as with a password.
  if (answer.status === 403 && answer.message) return { problem: answer.message };
  return { problem: messages.passkey.failed };
}

type Adding = {
  userId: string;
  sessionId: string;
  name: string;
  json: string | undefined;
  headers: Headers;
};

/**
 * Keeps a passkey that the browser has just made; the library checks it. This session then has a
 * second factor: the device has asked who she is.
 * @returns cookies to set; `stale` when she has to show first that she is the owner
 */
async function addPasskey(
  services: Services,
  { userId, sessionId, name, json, headers }: Adding,
): Promise<{ setCookies: string[] } | { problem: string } | { stale: true }> {
  const { db, auth } = services;
  const response = readAnswer(json);
  if (!response) return { problem: messages.passkey.notAdded };
  if ((await listPasskeys(services, userId)).length >= most.passkeys)
    return { problem: messages.tooManyPasskeys };
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
  if (!(await keptWithin(services, userId, added.id))) return { problem: messages.tooManyPasskeys };
  await tellOwner(services, db.write, { userId, change: "passkey-added", name });
  services.wakeWorker();
  const cookie = await renewSession(services, sessionId, "factor");
  return { setCookies: cookie ? [cookie] : [] };
}

/** Two that are added at one moment find the same number before; the one too many goes again. */
function keptWithin(services: Services, userId: string, id: string): Promise<boolean> {
  return services.db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    const hers = trx.selectFrom("passkeys").select("id").where("userId", "=", userId);
    if ((await hers.execute()).length <= most.passkeys) return true;
    await trx.deleteFrom("passkeys").where("userId", "=", userId).where("id", "=", id).execute();
    return false;
  });
}

function refusalOf({ body }: APIError): { problem: string } | { stale: true } {
  if (body?.code === "SESSION_NOT_FRESH") return { stale: true };
  if (body?.code === "USER_NOT_VERIFIED") return { problem: messages.passkey.notVerified };
  if (body?.code === "PREVIOUSLY_REGISTERED") return { problem: messages.passkey.known };
  return { problem: messages.passkey.notAdded };
}

type Form = {
  userId: string;
  sessionId: string;
  fields: Record<string, string | undefined>;
  headers: Headers;
};

/** {@link addPasskey} with the form of the page. `owner`: she has to show first that it is she. */
export async function addNamedPasskey(services: Services, { fields, ...rest }: Form) {
  const named = nameField.safeParse(fields);
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

/**
 * Removes a passkey, but never the last way in. Its owner must have shown that she is it. Twice is
 * once.
 * @returns null, or what is in the way
 */
export async function removePasskey(
  services: Services,
  { userId, id }: Named,
): Promise<string | null> {
  const isRemoved = await services.db.transaction(async (trx) => {
    await lockFactors(services, trx, userId);
    if ((await countWaysIn(services, trx, userId)) < 2) return false;
    const removed = await trx
      .deleteFrom("passkeys")
      .where("id", "=", id)
      .where("userId", "=", userId)
      .returning("name")
      .executeTakeFirst();
    if (!removed) return true;
    await forgetLevel(trx, userId);
    await tellOwner(services, trx, { userId, change: "passkey-removed", name: removed.name });
    return true;
  });
  services.wakeWorker();
  return isRemoved ? null : messages.lastWayIn;
}
