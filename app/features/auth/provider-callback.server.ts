import type { Transaction } from "kysely";
import { confirmationToken } from "~/platform/auth/confirm.ts";
import type { AuthHooks } from "~/platform/auth/hooks.ts";
import type { Identity } from "~/platform/auth/provider-identity.ts";
import { newId } from "~/platform/db/ids.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { insertLinkedAccount, sendLinkedAccountAlert } from "./linked-accounts.server.ts";
import { authPath, safeDestination } from "./rules.ts";
import { emailField, nameField } from "./schema.ts";
import { sendLimitedAlert } from "./security-alerts.server.ts";
import { hasAppOrPasskey } from "./two-factor.server.ts";
import { claimUnconfirmed } from "./users.server.ts";

/** The normalized email of a provider identity; null when it is missing or invalid. */
export function providerEmail({ email }: { email: string | null }): string | null {
  return emailField.safeParse({ email: email?.toLowerCase() }).data?.email ?? null;
}

const unprintable = /\p{Cc}+/gu;

/** A valid name (spec 5) from a provider's name, cut to length, or from the email's local part. */
export function providerUserName(claimedName: string | null, address: string): string {
  const plain = (claimedName ?? "").toWellFormed().replaceAll(unprintable, " ").trim();
  let name = "";
  for (const { segment } of new Intl.Segmenter("en").segment(plain)) {
    if (name.length + segment.length > 100) break;
    name += segment;
  }
  const parsed = nameField.safeParse({ name });
  return parsed.data?.name ?? address.slice(0, address.indexOf("@")).slice(0, 100);
}

type Profile = { id: string; name: string; email: string; emailVerified: boolean };

export type ProviderSignIn =
  | { kind: "in"; userId: string; isNew: boolean; isNews: boolean }
  | { kind: "unconfirmed" | "registered"; profile: Profile }
  /** `owner`: the user to notify that a sign-in to their account was refused. */
  | { kind: "refused"; code: string; owner: string | null };

/** A concurrent request won; nothing was written, and a retry finds its result. */
export class TryAgain extends Error {}

type Arrival = { trx: Transaction<Tables>; identity: Identity; now: Date };

const letIn = (
  userId: string,
  more: { isNew?: boolean; isNews?: boolean } = {},
): ProviderSignIn => ({
  kind: "in",
  userId,
  isNew: false,
  isNews: false,
  ...more,
});

/** Finds or creates the account of an identity. The order matters: first the linked account, then
 * the one with the same email, then a new one. An email counts only if the provider verified it. An
 * unconfirmed account may be a stranger's trap, and loses every sign-in method.
 * @throws {TryAgain} */
export async function resolveProviderSignIn(
  trx: Transaction<Tables>,
  identity: Identity,
  now: Date,
): Promise<ProviderSignIn> {
  const arrival = { trx, identity, now };
  const owner = await ownerOf(arrival);
  if (owner) return known(arrival, owner);
  const email = providerEmail(identity);
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

const notLinked = (owner: string): ProviderSignIn => ({
  kind: "refused",
  code: "account_not_linked",
  owner,
});

// Accounts of administrators or with a second factor are linked only while signed in: a provider's
// claim about an address is one factor, and someone else's word.
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

async function known(arrival: Arrival, owner: Profile): Promise<ProviderSignIn> {
  const { trx, identity, now } = arrival;
  if (!owner.emailVerified) {
    const isHers = identity.emailVerified && providerEmail(identity) === owner.email;
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

async function signUp({ trx, identity, now }: Arrival, email: string): Promise<ProviderSignIn> {
  const { emailVerified } = identity;
  const profile = {
    id: newId(),
    name: providerUserName(identity.name, email),
    email,
    emailVerified,
  };
  const made = await trx
    .insertInto("profiles")
    .values({ ...profile, role: "student", createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made || !(await insertLinkedAccount(trx, { identity, userId: profile.id, now })))
    throw new TryAgain();
  return emailVerified ? letIn(profile.id, { isNew: true }) : { kind: "unconfirmed", profile };
}

// The user has the mailbox, so all earlier sign-in methods of the unconfirmed account are removed.
async function takeOver(
  { trx, identity, now }: Arrival,
  { id: userId, email }: Profile,
): Promise<ProviderSignIn> {
  const name = providerUserName(identity.name, email);
  if (!(await claimUnconfirmed(trx, { userId, name, now }))) throw new TryAgain();
  if (!(await insertLinkedAccount(trx, { identity, userId, now }))) throw new TryAgain();
  return letIn(userId, { isNew: true });
}

// Both sides have verified the address. A second identity of the same provider may be a later owner
// of the address, and a provider that does not host the mailbox may have outdated information.
async function linkByAddress(
  { trx, identity, now }: Arrival,
  profile: Profile,
): Promise<ProviderSignIn> {
  const other = await trx
    .selectFrom("accounts")
    .select("accountId")
    .where("userId", "=", profile.id)
    .where("providerId", "=", identity.provider.id)
    .executeTakeFirst();
  // On PostgreSQL a sign-up of the same identity may have ended since its owner was looked for.
  if (other?.accountId === identity.subject) throw new TryAgain();
  if (other || !identity.isMailHost) return notLinked(profile.id);
  if (!(await insertLinkedAccount(trx, { identity, userId: profile.id, now })))
    throw new TryAgain();
  await sendLinkedAccountAlert(trx, profile.id, {
    change: "linked",
    method: identity.provider.name,
    now,
  });
  return letIn(profile.id, { isNews: true });
}

type Needs = Pick<Services, "db" | "clock" | "config" | "wakeWorker" | "log">;
type EmailHooks = Pick<AuthHooks, "verifyEmail" | "alreadyRegistered">;

const emailLimit = { what: "provider-email", max: 3, windowSeconds: 3600 };

/** Signs in, signs up or links after a provider's answer, by the rules of decision 008. */
export async function handleProviderCallback(
  services: Needs,
  emails: EmailHooks,
  identity: Identity,
  { redirectTo }: { redirectTo: string },
): ReturnType<AuthHooks["signInWithProvider"]> {
  const found = await resolveOnce(services, identity);
  if (found.kind === "refused") {
    const { name } = identity.provider;
    if (found.owner)
      await sendLimitedAlert(
        services,
        { userId: found.owner, change: "provider-refused", name },
        { what: "provider-refused-email", hours: 24 },
      );
    return { code: found.code };
  }
  if (found.kind === "in") {
    if (found.isNews) services.wakeWorker();
    const path = redirectTo.slice(services.config.appUrl.length);
    const to = `${authPath(safeDestination(path))}&arrived=${found.isNew ? "new" : "known"}`;
    return { userId: found.userId, to: services.config.appUrl + to };
  }
  const { profile } = found;
  // The provider has not verified the email. The answer must not reveal whether an account exists.
  if (await withinLimit(services, { ...emailLimit, whose: profile.id })) {
    if (found.kind === "registered") await emails.alreadyRegistered(profile);
    else {
      const token = await confirmationToken(services.config, profile);
      await emails.verifyEmail(profile, { token, redirectTo });
    }
  }
  // The cookie must look the same for a registered address, so it gets a random id.
  const id = found.kind === "unconfirmed" ? profile.id : newId();
  return { code: "unconfirmed", made: { id, email: profile.email } };
}

// Concurrent callbacks conflict once; the retry finds what the first one created.
async function resolveOnce(
  services: Needs,
  identity: Identity,
  tries = 3,
): Promise<ProviderSignIn> {
  try {
    return await services.db.transaction((trx) =>
      resolveProviderSignIn(trx, identity, services.clock.now()),
    );
  } catch (error) {
    if (!(error instanceof TryAgain) || tries <= 1) throw error;
    return resolveOnce(services, identity, tries - 1);
  }
}
