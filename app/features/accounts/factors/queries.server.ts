import { expressionBuilder } from "kysely";
import { encode } from "uqr";
import { openSecret, setupAddress } from "~/platform/auth/totp.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/services.ts";
import { typedSecret } from "./rules.ts";

/** All that changes somebody's factors waits for one another: what is first or last must be certain. */
export function lockFactors(
  { db }: Pick<Services, "db">,
  trx: Query,
  userId: string,
): Promise<void> {
  return lockId(db, trx, `factors ${userId}`);
}

/** An authenticator app of somebody's. */
export type App = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** Apps that are asked for at sign-in, oldest first. */
export async function listApps({ db }: Services, userId: string): Promise<App[]> {
  return db.write
    .selectFrom("factors")
    .select(["id", "friendlyName as name", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}

/** A condition on a row of either table: its account has an authenticator app or a passkey. */
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

/** How many apps are asked for at sign-in. */
export async function countApps(db: Query, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("factors")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What an app is set up with, as long as it has shown no code. */
export type AppSetup = {
  id: string;
  name: string;
  /** `otpauth:` link for the phone that shows the page itself. */
  address: string;
  /** The same for typing, in groups of four. */
  secret: string;
  /** A QR code of the address: an SVG path of squares of 1, within `size` by `size`. */
  qr: { size: number; path: string };
};

/** The app that somebody is about to set up; null when it is not there, or has been set up. */
export async function findSetup(
  { db, config }: Services,
  { userId, id, issuer }: { userId: string; id: string; issuer: string },
): Promise<AppSetup | null> {
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

function qrOf(text: string): AppSetup["qr"] {
  // Scanners want four squares of quiet around it.
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const rows = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: rows.join("") };
}
