import type { Query } from "../db/database.ts";
import type { Services } from "../services.ts";
import { keepCurrentId } from "./in-use.ts";
import { CannotOpen, newPersonKey, type Seal, sealWith, unwrapKey, wrapKey } from "./seal.ts";

type Parts = Pick<Services, "db" | "clock" | "journalKeys">;

/** The master key that a person's key is wrapped with is not known to this process. */
export class UnknownMasterKey extends Error {
  override name = "UnknownMasterKey";
  constructor(id: string) {
    super(
      `journals are sealed with a key that this process does not know (fingerprint ${id}); start it with that JOURNAL_KEY`,
    );
  }
}

/**
 * The seal of this person; her key is made when she has none. Inside a transaction, give its handle.
 * @throws {UnknownMasterKey | CannotOpen}
 */
export async function sealOf(services: Parts, userId: string, trx?: Query): Promise<Seal> {
  const found = await findSeal(services, userId, trx);
  if (found) return found;
  if (trx) return makeKey(services, userId, trx);
  return services.db.transaction((own) => makeKey(services, userId, own));
}

/**
 * {@link sealOf} for reading: null for whoever has no key, so that nothing of hers is sealed.
 * @throws {UnknownMasterKey | CannotOpen}
 */
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

/** Somebody else may be making it at the same moment: the first one stands. */
async function makeKey(services: Parts, userId: string, trx: Query): Promise<Seal> {
  const { db, clock, journalKeys } = services;
  const masterId = await keepCurrentId(db, trx);
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
