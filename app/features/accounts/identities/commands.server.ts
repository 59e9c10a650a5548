import type { Transaction } from "kysely";
import { type Caller, callerHeaders } from "~/platform/auth/call.ts";
import type { Identity } from "~/platform/auth/providers/identity.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { withinPlace } from "~/platform/http/rate-limit.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { lockFactors } from "../factors/queries.server.ts";
import { methodChangedMail } from "./jobs.server.ts";

type Trx = Transaction<Tables>;
type Needs = Pick<Services, "db" | "clock" | "wakeWorker">;

/** @returns whether it was free: an identity opens one account */
export async function addIdentity(
  trx: Trx,
  { identity, userId, now }: { identity: Identity; userId: string; now: Date },
): Promise<boolean> {
  // The provider's tokens are not kept: nobody here asks it for anything afterwards.
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

/** Writes to somebody that a way to sign in was linked to her account, or unlinked. */
export async function tellOwner(
  trx: Trx,
  userId: string,
  { change, method, now }: { change: "linked" | "unlinked"; method: string; now: Date },
): Promise<void> {
  const { name, email } = await trx
    .selectFrom("profiles")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const payload = { to: { name, address: email }, change, method };
  await enqueue(trx, methodChangedMail, payload, { now, to: { userId } });
}

/** Ways into one account: its password, and accounts of providers. */
const mostWays = 10;

/** Links an identity to an account. Twice is once. @returns why not, or null */
export async function linkIdentity(
  { db, clock, wakeWorker }: Needs,
  identity: Identity,
  userId: string,
): Promise<"linked_elsewhere" | "enough" | null> {
  const now = clock.now();
  const result = await db.transaction(async (trx) => {
    await lockFactors({ db }, trx, userId);
    const known = trx.selectFrom("accounts").select("id").where("userId", "=", userId);
    const linked = (await known.execute()).length;
    if (linked < mostWays && (await addIdentity(trx, { identity, userId, now }))) {
      await tellOwner(trx, userId, { change: "linked", method: identity.provider.name, now });
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

/**
 * Unlinks a provider from her account, unless nothing else would open it: a password, another
 * provider that is set up, or a passkey.
 */
export async function unlinkIdentity(
  services: Services,
  { userId, id }: { userId: string; id: string },
): Promise<"unlinked" | "last" | "unknown"> {
  const { db, clock, config } = services;
  const now = clock.now();
  const usable = ["credential", ...config.providers.map((provider) => provider.id)];
  const result = await db.transaction(async (trx) => {
    // Whoever takes another way in away at this moment waits, and sees what is left.
    await lockFactors(services, trx, userId);
    const hers = trx.selectFrom("accounts").where("userId", "=", userId);
    const row = await hers
      .select(["id", "providerId"])
      .where("id", "=", id)
      .where("providerId", "!=", "credential")
      .executeTakeFirst();
    if (!row) return "unknown";
    const other = await hers
      .select("id")
      .where("id", "!=", id)
      .where("providerId", "in", usable)
      .executeTakeFirst();
    const passkey = await trx
      .selectFrom("passkeys")
      .select("id")
      .where("userId", "=", userId)
      .executeTakeFirst();
    if (!other && !passkey) return "last";
    await trx.deleteFrom("accounts").where("id", "=", id).execute();
    const method = config.providers.find((provider) => provider.id === row.providerId)?.name;
    await tellOwner(trx, userId, { change: "unlinked", method: method ?? row.providerId, now });
    return "unlinked";
  });
  services.wakeWorker();
  return result;
}

type Leaving = {
  provider: string;
  /** Paths of this site: where to go on, and where a reason why not is told. */
  to: string;
  otherwise: string;
  isLink: boolean;
};

/**
 * Somebody leaves for a provider: where to send her, and the cookies that know her when she comes
 * back; or a code why not (arrival/texts.ts).
 */
export async function leaveFor(
  services: Services,
  caller: Caller,
  { provider, to, otherwise, isLink }: Leaving,
): Promise<{ url: string; setCookies: string[] } | { code: string }> {
  const limit = { what: "leave-for-provider", max: 20, windowSeconds: 300 };
  if (!(await withinPlace(services, limit, caller.address))) return { code: "too_many" };
  const { appUrl } = services.config;
  const response = await services.auth.api.leaveForProvider({
    headers: callerHeaders(services, caller),
    body: { provider, callbackURL: appUrl + to, errorCallbackURL: appUrl + otherwise, isLink },
    asResponse: true,
  });
  const answer = (await response.json()) as { url?: string; code?: string };
  if (!answer.url) return { code: answer.code ?? "trouble" };
  return { url: answer.url, setCookies: response.headers.getSetCookie() };
}
