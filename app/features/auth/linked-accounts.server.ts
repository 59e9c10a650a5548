import type { Transaction } from "kysely";
import { type Caller, callerHeaders } from "~/platform/auth/call.ts";
import type { Identity } from "~/platform/auth/provider-identity.ts";
import { isAny } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { withinPlace } from "~/platform/db/rate-limit.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { linkedAccountChangedEmail } from "./jobs.server.ts";
import { lockTwoFactor } from "./two-factor.server.ts";

/** The sign-in methods of an account, except for passkeys, which have a page of their own.
 * `email`: as the provider last reported it; `canGo`: another sign-in method remains. */
export async function getSignInMethods({ db, config }: Services, userId: string) {
  const rows = await db.read
    .selectFrom("accounts")
    .select(["id", "providerId", "providerEmail", "createdAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const hasPasskey = await isAny(db.read.selectFrom("passkeys").where("userId", "=", userId));
  const nameOf = (id: string) => config.providers.find((provider) => provider.id === id)?.name;
  const opens = ({ providerId }: { providerId: string }) =>
    providerId === "credential" || nameOf(providerId) !== undefined;
  return {
    passwordSince: rows.find((row) => row.providerId === "credential")?.createdAt ?? null,
    linked: rows
      .filter(({ providerId }) => providerId !== "credential")
      .map((row) => ({
        id: row.id,
        name: nameOf(row.providerId) ?? row.providerId,
        email: row.providerEmail ?? null,
        since: row.createdAt,
        canGo: hasPasskey || rows.some((other) => other !== row && opens(other)),
      })),
    linkable: listProviders(config).filter(
      ({ id }) => !rows.some(({ providerId }) => providerId === id),
    ),
  };
}

/** The configured providers, without their secrets. */
export function listProviders({ providers }: Services["config"]) {
  return providers.map(({ id, name }) => ({ id, name }));
}

type Trx = Transaction<Tables>;
/** @returns false when the identity is already linked to an account */
export async function insertLinkedAccount(
  trx: Trx,
  { identity, userId, now }: { identity: Identity; userId: string; now: Date },
): Promise<boolean> {
  // The provider's tokens are not stored: the site makes no further requests to it.
  const added = await trx
    .insertInto("accounts")
    .values({
      id: newId(),
      providerId: identity.provider.id,
      accountId: identity.subject,
      userId,
      providerEmail: identity.email,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.columns(["providerId", "accountId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

export async function sendLinkedAccountAlert(
  trx: Trx,
  userId: string,
  { change, method, now }: { change: "linked" | "unlinked"; method: string; now: Date },
): Promise<void> {
  const { name, email, timeZone } = await trx
    .selectFrom("profiles")
    .select(["name", "email", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const at = now.toISOString();
  const payload = { to: { name, address: email }, change, method, at, timeZone };
  await enqueue(trx, linkedAccountChangedEmail, payload, { now, to: { userId } });
}

const mostWays = 10;

/** Links a provider identity to an account. Idempotent. @returns a refusal code, or null */
export async function linkAccount(
  { db, clock, wakeWorker }: Pick<Services, "db" | "clock" | "wakeWorker">,
  identity: Identity,
  userId: string,
): Promise<"linked_elsewhere" | "enough" | null> {
  const now = clock.now();
  const result = await db.transaction(async (trx) => {
    await lockTwoFactor({ db }, trx, userId);
    const known = trx.selectFrom("accounts").select("id").where("userId", "=", userId);
    const linked = (await known.execute()).length;
    if (linked < mostWays && (await insertLinkedAccount(trx, { identity, userId, now }))) {
      await sendLinkedAccountAlert(trx, userId, {
        change: "linked",
        method: identity.provider.name,
        now,
      });
      return null;
    }
    const owner = await trx
      .selectFrom("accounts")
      .select("userId")
      .where("providerId", "=", identity.provider.id)
      .where("accountId", "=", identity.subject)
      .executeTakeFirst();
    if (owner?.userId === userId) return null;
    return owner ? "linked_elsewhere" : "enough";
  });
  wakeWorker();
  return result;
}

/** Unlinks a provider, unless it is the last sign-in method that works. */
export async function unlinkAccount(
  services: Services,
  { userId, id }: { userId: string; id: string },
): Promise<"unlinked" | "last" | "unknown"> {
  const { db, clock, config } = services;
  const now = clock.now();
  const usable = ["credential", ...config.providers.map((provider) => provider.id)];
  const result = await db.transaction(async (trx) => {
    // Serializes with other removals of sign-in methods, so each sees what is left.
    await lockTwoFactor(services, trx, userId);
    const own = trx.selectFrom("accounts").where("userId", "=", userId);
    const row = await own
      .select(["id", "providerId"])
      .where("id", "=", id)
      .where("providerId", "!=", "credential")
      .executeTakeFirst();
    if (!row) return "unknown";
    const others = own.where("id", "!=", id).where("providerId", "in", usable);
    const passkeys = trx.selectFrom("passkeys").where("userId", "=", userId);
    if (!(await isAny(others)) && !(await isAny(passkeys))) return "last";
    await trx.deleteFrom("accounts").where("id", "=", id).execute();
    const method = config.providers.find((provider) => provider.id === row.providerId)?.name;
    await sendLinkedAccountAlert(trx, userId, {
      change: "unlinked",
      method: method ?? row.providerId,
      now,
    });
    return "unlinked";
  });
  services.wakeWorker();
  return result;
}

type Leaving = {
  provider: string;
  // Paths of this site, for success and for an error.
  to: string;
  otherwise: string;
  isLink: boolean;
};

/** @returns the provider's URL and the cookies that its callback checks, or an error code */
export async function startProviderSignIn(
  services: Services,
  caller: Caller,
  { provider, to, otherwise, isLink }: Leaving,
): Promise<{ url: string; setCookies: string[] } | { code: string }> {
  const limit = { what: "provider-start", max: 20, windowSeconds: 300 };
  if (!(await withinPlace(services, limit, caller.address))) return { code: "too_many" };
  const { appUrl } = services.config;
  const response = await services.auth.api.startProviderSignIn({
    headers: callerHeaders(services, caller),
    body: { provider, callbackURL: appUrl + to, errorCallbackURL: appUrl + otherwise, isLink },
    asResponse: true,
  });
  const answer = (await response.json()) as { url?: string; code?: string };
  if (!answer.url) return { code: answer.code ?? "trouble" };
  return { url: answer.url, setCookies: response.headers.getSetCookie() };
}
