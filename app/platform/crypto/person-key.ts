import type { Database, Query } from "../db/database.ts";
import type { Clock } from "../utils/clock.ts";
import type { Keyring } from "./keyring.ts";
import { lockCurrentId } from "./keys-in-use.ts";
import { CannotOpen, newPersonKey, type Seal, sealWith, unwrapKey, wrapKey } from "./seal.ts";

type Parts = { db: Database; clock: Clock; journalKeys: Keyring };

export class UnknownMasterKey extends Error {
  override name = "UnknownMasterKey";
  constructor(id: string) {
    super(
      `journals are sealed with a key that this process does not know (fingerprint ${id}); start it with that JOURNAL_KEY`,
    );
  }
}

/** The user's seal; creates their key if missing. @throws {UnknownMasterKey | CannotOpen} */
export async function sealOf(services: Parts, userId: string, trx?: Query): Promise<Seal> {
  const found = await findSeal(services, userId, trx);
  if (found) return found;
  if (trx) return makeKey(services, userId, trx);
  return services.db.transaction((own) => makeKey(services, userId, own));
}

/** Null for a user without a key. @throws {UnknownMasterKey | CannotOpen} */
export async function findSeal(
  { db, journalKeys }: Parts,
  userId: string,
  handle: Query = db.read,
): Promise<Seal | null> {
  const row = await handle
    .selectFrom("journalKeys")
    .select(["wrappedKey", "masterId"])
    .where("userId", "=", userId)
    .executeTakeFirst();
  if (!row) return null;
  const master = journalKeys.find(row.masterId);
  if (!master) throw new UnknownMasterKey(row.masterId);
  return sealWith(unwrapKey(master, userId, row.wrappedKey), userId);
}

// Another request may create it at the same moment: the first one wins.
async function makeKey(services: Parts, userId: string, trx: Query): Promise<Seal> {
  const { db, clock, journalKeys } = services;
  const masterId = await lockCurrentId(db, trx);
  const master = journalKeys.find(masterId);
  if (!master) throw new UnknownMasterKey(masterId);
  const wrappedKey = wrapKey(master, userId, newPersonKey());
  await trx
    .insertInto("journalKeys")
    .values({ userId, wrappedKey, masterId, createdAt: clock.now() })
    .onConflict((conflict) => conflict.column("userId").doNothing())
    .execute();
  const made = await findSeal(services, userId, trx);
  if (!made) throw new CannotOpen(`the key of ${userId}`);
  return made;
}
