import type { Services } from "~/platform/services.ts";

/** A provider that somebody signs in with. */
export type LinkedProvider = {
  id: string;
  name: string;
  /** Her address there, as it was told last. */
  email: string | null;
  since: Date;
  /** Whether something else would still open the account. */
  canGo: boolean;
};

/** How somebody signs in. */
export type SignInMethods = {
  /** Since when she has a password; null when she has none. */
  passwordSince: Date | null;
  linked: LinkedProvider[];
  /** What is set up here and she has not linked. */
  linkable: { id: string; name: string }[];
};

/** The ways into an account, but for passkeys, which have a page of their own. */
export async function findMethods(
  { db, config }: Services,
  userId: string,
): Promise<SignInMethods> {
  const rows = await db.read
    .selectFrom("accounts")
    .select(["id", "providerId", "providerEmail", "createdAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const passkey = await db.read
    .selectFrom("passkeys")
    .select("id")
    .where("userId", "=", userId)
    .executeTakeFirst();
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
        canGo: passkey !== undefined || rows.some((other) => other !== row && opens(other)),
      })),
    linkable: providersOf(config).filter(
      ({ id }) => !rows.some(({ providerId }) => providerId === id),
    ),
  };
}

/** The providers that are set up, as far as pages may know them. */
export function providersOf({ providers }: Services["config"]) {
  return providers.map(({ id, name }) => ({ id, name }));
}
