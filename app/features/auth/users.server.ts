import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";

/** The account with this address (stored in lower case), or null. */
export async function findProfile({ db }: Pick<Services, "db">, email: string) {
  const row = await db.read
    .selectFrom("profiles")
    .select(["id", "name", "email", "emailVerified", "role"])
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

/** Counts suspended administrators, too. */
export async function hasAdmin({ db }: Services): Promise<boolean> {
  return isAny(db.read.selectFrom("profiles").where("role", "=", "admin"));
}

type Person = { name: string; email: string; password: string };

/** Creates a confirmed account with a password. The address must be free. @returns its id */
export async function createVerifiedUser(
  { auth }: Services,
  person: Person & { role: "admin" | "student" },
) {
  const { internalAdapter, password } = await auth.$context;
  const hash = await password.hash(person.password);
  const user = await internalAdapter.createUser(
    {
      name: person.name,
      email: person.email.toLowerCase(),
      emailVerified: true,
      role: person.role,
    },
    { method: "email-password" },
  );
  await internalAdapter.linkAccount({
    userId: user.id,
    providerId: "credential",
    accountId: user.id,
    password: hash,
  });
  return user.id;
}

/** For a user with proven access to the mailbox. @returns its id; null if a confirmed one exists */
export async function createUserForMailbox(
  services: Services,
  person: Person,
): Promise<string | null> {
  const profile = await findProfile(services, person.email);
  if (profile?.emailVerified) return null;
  // Anyone may have created an unconfirmed account, so it gets this name and password.
  if (profile) return (await takeOver(services, profile.id, person)) ? profile.id : null;
  try {
    return await createVerifiedUser(services, { ...person, role: "student" });
  } catch (error) {
    // A concurrent request may have created it.
    if (!(await findProfile(services, person.email))) throw error;
    return createUserForMailbox(services, person);
  }
}

/** Confirms an account and removes every way in. @returns false when it is confirmed already */
export async function claimUnconfirmed(
  trx: Query,
  { userId, name, now }: { userId: string; name: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("profiles")
    .set({ name, emailVerified: true, updatedAt: now })
    .where("id", "=", userId)
    .where("emailVerified", "=", false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const table of ["sessions", "accounts", "passkeys", "factors", "backupCodes"] as const)
    await trx.deleteFrom(table).where("userId", "=", userId).execute();
  return true;
}

// One transaction, applied once: a password that a stranger chose is never confirmed.
async function takeOver({ db, auth, clock }: Services, userId: string, person: Person) {
  const password = await (await auth.$context).password.hash(person.password);
  const now = clock.now();
  return db.transaction(async (trx) => {
    if (!(await claimUnconfirmed(trx, { userId, name: person.name, now }))) return false;
    const ids = { id: newId(), accountId: userId, providerId: "credential", userId };
    await trx
      .insertInto("accounts")
      .values({ ...ids, password, createdAt: now, updatedAt: now })
      .execute();
    return true;
  });
}

/** Ensures the confirmed administrator of ADMIN_EMAIL and ADMIN_PASSWORD. That an account which is
 * there becomes one stands on the audit log. */
export async function ensureAdmin(services: Services, email: string, password: string) {
  const { db } = services;
  const profile = await findProfile(services, email);
  if (!profile) {
    const admin = { name: "Administrator", email, password, role: "admin" } as const;
    await createVerifiedUser(services, admin).catch(async (error: unknown) => {
      // Of two processes that start together, the other may have created it.
      if (!(await findProfile(services, email))) throw error;
    });
    return;
  }
  // A confirmed account keeps its password; anyone may have created an unconfirmed one.
  if (!profile.emailVerified)
    await takeOver(services, profile.id, { name: profile.name, email, password });
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ role: "admin", emailVerified: true })
      .where("id", "=", profile.id)
      .where("role", "!=", "admin")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const actor = { id: null, name: "ADMIN_EMAIL" };
    const audit = { action: "account.made-admin", personId: profile.id } as const;
    await recordAudit(trx, { actor, clock: services.clock }, audit);
  });
}

/** Also unsuspends the account. @returns whether it was suspended; null without an account */
export async function makeAdmin(
  services: Services,
  email: string,
): Promise<{ wasSuspended: boolean } | null> {
  const profile = await findProfile(services, email);
  if (!profile) return null;
  const { id: personId } = profile;
  return services.db.transaction(async (trx) => {
    const before = await trx
      .selectFrom("profiles")
      .select(["role", "suspendedAt"])
      .where("id", "=", personId)
      .executeTakeFirst();
    await trx
      .updateTable("profiles")
      .set({ role: "admin", suspendedAt: null, suspendedReason: null })
      .where("id", "=", personId)
      .execute();
    const wasSuspended = Boolean(before?.suspendedAt);
    if (before?.role !== "admin")
      await recordAudit(trx, services, { action: "account.made-admin", personId });
    if (wasSuspended) await recordAudit(trx, services, { action: "account.let-in", personId });
    return { wasSuspended };
  });
}

const setupSetting = "setup-token";
const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/** Invalidates earlier tokens; only the hash is stored. Null when there is an administrator. */
export async function newSetupToken(services: Services): Promise<string | null> {
  if (await hasAdmin(services)) return null;
  const token = randomBytes(24).toString("base64url");
  await services.db.write
    .insertInto("settings")
    .values({ name: setupSetting, value: digest(token), createdAt: services.clock.now() })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: digest(token) }))
    .execute();
  return token;
}

export async function isSetupToken(services: Services, token: string): Promise<boolean> {
  if (await hasAdmin(services)) return false;
  const setting = await services.db.read
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setupSetting)
    .executeTakeFirst();
  const given = Buffer.from(digest(token));
  return setting !== undefined && timingSafeEqual(given, Buffer.from(setting.value));
}

/** Works once. @returns 'token' for an invalid token, 'taken' when the address has an account */
export async function createFirstAdmin(
  services: Services,
  token: string,
  person: Person,
): Promise<"done" | "token" | "taken"> {
  if (!(await isSetupToken(services, token))) return "token";
  if (await findProfile(services, person.email)) return "taken";
  const { numDeletedRows } = await services.db.write
    .deleteFrom("settings")
    .where("name", "=", setupSetting)
    .where("value", "=", digest(token))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return "token";
  await createVerifiedUser(services, { ...person, role: "admin" });
  return "done";
}

export async function findEmailRecipient({ db }: Pick<Services, "db">, userId: string) {
  const row = await db.read
    .selectFrom("profiles")
    .select(["name", "email", "timeZone", "deletionDueAt"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

export async function isSuspended({ db }: Pick<Services, "db">, userId: string): Promise<boolean> {
  // Read from the writer, so that a suspension takes effect at once.
  return isAny(
    db.write.selectFrom("profiles").where("id", "=", userId).where("suspendedAt", "is not", null),
  );
}
