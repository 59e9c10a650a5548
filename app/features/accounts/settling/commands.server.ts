import type { Transaction } from "kysely";
import type { Identity } from "~/platform/auth/providers/identity.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { hasAppOrPasskey } from "../factors/queries.server.ts";
import { addIdentity, tellOwner } from "../identities/commands.server.ts";
import { addressOf, nameOf } from "./rules.ts";

type Profile = { id: string; name: string; email: string; emailVerified: boolean };

/** What came of an arrival: in; not before a letter was answered; or a reason why not. */
export type Found =
  | { kind: "in"; userId: string; isNew: boolean; isNews: boolean }
  | { kind: "unconfirmed" | "registered"; profile: Profile }
  /** `owner`: whose account was not entered, and hears of it. */
  | { kind: "refused"; code: string; owner: string | null };

/** Somebody else was a moment faster: nothing was written, and looking again finds it. */
export class TryAgain extends Error {}

type Arrival = { trx: Transaction<Tables>; identity: Identity; now: Date };

const letIn = (userId: string, more: { isNew?: boolean; isNews?: boolean } = {}): Found => ({
  kind: "in",
  userId,
  isNew: false,
  isNews: false,
  ...more,
});

/**
 * Finds or makes the account of an identity. The order matters: first whoever has it linked, then
 * whoever has its address, then a new one. An address counts as hers only where the provider has
 * confirmed it; an account that nobody has confirmed may be a stranger's trap, and loses every way
 * in that it had.
 * @throws {TryAgain}
 */
export async function settle(
  trx: Transaction<Tables>,
  identity: Identity,
  now: Date,
): Promise<Found> {
  const arrival = { trx, identity, now };
  const owner = await ownerOf(arrival);
  if (owner) return known(arrival, owner);
  const email = addressOf(identity);
  if (!email) return { kind: "refused", code: "no_address", owner: null };
  const profile = await trx
    .selectFrom("profiles")
    .select(["id", "name", "email", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();
  if (!profile) return signUp(arrival, email);
  if (!identity.emailVerified) return { kind: "registered", profile };
  if (await isProtected(arrival, profile.id)) return notLinked(profile.id);
  if (!profile.emailVerified) return takeOver(arrival, profile);
  return linkByAddress(arrival, profile);
}

const notLinked = (owner: string): Found => ({
  kind: "refused",
  code: "account_not_linked",
  owner,
});

/**
 * Whether an account has rights, or a second factor or passkey of its owner. It is linked from
 * inside alone: what a provider says of an address is one factor, and somebody else's word.
 */
async function isProtected({ trx }: Arrival, userId: string): Promise<boolean> {
  const found = await trx
    .selectFrom("profiles")
    .select("profiles.id")
    .where("profiles.id", "=", userId)
    .where(({ eb, or }) => or([eb("profiles.role", "=", "admin"), hasAppOrPasskey("profiles.id")]))
    .executeTakeFirst();
  return found !== undefined;
}

function ownerOf({ trx, identity }: Arrival): Promise<Profile | undefined> {
  return trx
    .selectFrom("accounts")
    .innerJoin("profiles", "profiles.id", "accounts.userId")
    .select(["profiles.id", "profiles.name", "profiles.email", "profiles.emailVerified"])
    .where("accounts.providerId", "=", identity.provider.id)
    .where("accounts.accountId", "=", identity.subject)
    .executeTakeFirst();
}

async function known(arrival: Arrival, owner: Profile): Promise<Found> {
  const { trx, identity, now } = arrival;
  if (!owner.emailVerified) {
    const isHers = identity.emailVerified && addressOf(identity) === owner.email;
    if (!isHers) return { kind: "unconfirmed", profile: owner };
    return (await isProtected(arrival, owner.id)) ? notLinked(owner.id) : takeOver(arrival, owner);
  }
  await trx
    .updateTable("accounts")
    .set({ providerEmail: identity.email, updatedAt: now })
    .where("providerId", "=", identity.provider.id)
    .where("accountId", "=", identity.subject)
    .where("providerEmail", "is distinct from", identity.email)
    .execute();
  return letIn(owner.id);
}

async function signUp({ trx, identity, now }: Arrival, email: string): Promise<Found> {
  const { emailVerified } = identity;
  const profile = { id: newId(), name: nameOf(identity.name, email), email, emailVerified };
  const made = await trx
    .insertInto("profiles")
    .values({ ...profile, role: "student", createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made || !(await addIdentity(trx, { identity, userId: profile.id, now })))
    throw new TryAgain();
  return emailVerified ? letIn(profile.id, { isNew: true }) : { kind: "unconfirmed", profile };
}

/** She reads this mailbox: whoever made the account before, by whatever way, has no way in any more. */
async function takeOver({ trx, identity, now }: Arrival, profile: Profile): Promise<Found> {
  const { numUpdatedRows } = await trx
    .updateTable("profiles")
    .set({ name: nameOf(identity.name, profile.email), emailVerified: true, updatedAt: now })
    .where("id", "=", profile.id)
    .where("emailVerified", "=", false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new TryAgain();
  for (const table of ["sessions", "accounts", "passkeys", "factors", "recoveryCodes"] as const)
    await trx.deleteFrom(table).where("userId", "=", profile.id).execute();
  if (!(await addIdentity(trx, { identity, userId: profile.id, now }))) throw new TryAgain();
  return letIn(profile.id, { isNew: true });
}

/**
 * Both sides have confirmed the address. A second account of the same provider with it is somebody
 * who got the address after her, and a provider that only once saw it read may be out of date.
 */
async function linkByAddress({ trx, identity, now }: Arrival, profile: Profile): Promise<Found> {
  const other = await trx
    .selectFrom("accounts")
    .select("id")
    .where("userId", "=", profile.id)
    .where("providerId", "=", identity.provider.id)
    .executeTakeFirst();
  if (other || !identity.isMailHost) return notLinked(profile.id);
  if (!(await addIdentity(trx, { identity, userId: profile.id, now }))) throw new TryAgain();
  await tellOwner(trx, profile.id, { change: "linked", method: identity.provider.name, now });
  return letIn(profile.id, { isNews: true });
}
