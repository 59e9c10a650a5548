import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";

/** A passkey of somebody's. */
export type Passkey = { id: string; name: string; createdAt: Date | null; lastUsedAt: Date | null };

/** Oldest first. */
export async function listPasskeys({ db }: Services, userId: string): Promise<Passkey[]> {
  const rows = await db.write
    .selectFrom("passkeys")
    .select(["id", "name", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map(({ name, ...row }) => ({ ...row, name: name || "Passkey" }));
}

/**
 * How many ways into her account somebody has: a password, providers that are set up, passkeys. To
 * be asked within a transaction that holds {@link lockFactors}, before one is taken away.
 */
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
