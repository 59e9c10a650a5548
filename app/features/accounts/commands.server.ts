import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { audit } from "./audit/commands.server.ts";
import { findProfile, hasAdmin } from "./queries.server.ts";

type Person = { name: string; email: string; password: string };

/** Makes a confirmed account with a password. The address must be free. @returns its id */
export async function createConfirmed(
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

/**
 * An account for somebody who has proved that she reads this mailbox. The address may have an
 * account that was never confirmed: who made it, and chose its password, nobody knows, so it gets
 * this name and password. A confirmed one stays as it is.
 * @returns its id; null when there is a confirmed account
 */
export async function openAccount(services: Services, person: Person): Promise<string | null> {
  const profile = await findProfile(services, person.email);
  if (profile?.emailVerified) return null;
  if (profile) return (await takeOver(services, profile.id, person)) ? profile.id : null;
  try {
    return await createConfirmed(services, { ...person, role: "student" });
  } catch (error) {
    // Somebody else may have been a moment faster.
    if (!(await findProfile(services, person.email))) throw error;
    return openAccount(services, person);
  }
}

/** Name, password and confirmation change together, once: a stranger's password never comes alive. */
async function takeOver({ db, auth, clock }: Services, userId: string, person: Person) {
  const password = await (await auth.$context).password.hash(person.password);
  const now = clock.now();
  return db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ name: person.name, emailVerified: true, updatedAt: now })
      .where("id", "=", userId)
      .where("emailVerified", "=", false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    for (const table of ["sessions", "factors", "recoveryCodes", "passkeys"] as const)
      await trx.deleteFrom(table).where("userId", "=", userId).execute();
    await trx.deleteFrom("accounts").where("userId", "=", userId).execute();
    await trx
      .insertInto("accounts")
      .values({
        id: newId(),
        accountId: userId,
        providerId: "credential",
        userId,
        password,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    return true;
  });
}

/**
 * ADMIN_EMAIL and ADMIN_PASSWORD (design section 4): afterwards this confirmed
 * administrator exists. The password of a confirmed account is left alone; an
 * unconfirmed one was made by who knows whom, so it gets the configured password.
 */
export async function ensureAdmin(services: Services, email: string, password: string) {
  const { db } = services;
  const profile = await findProfile(services, email);
  if (!profile) {
    const admin = { name: "Administrator", email, password, role: "admin" } as const;
    await createConfirmed(services, admin).catch(async (error: unknown) => {
      // Of two processes that start at once, the other one may have been first.
      if (!(await findProfile(services, email))) throw error;
    });
    return;
  }
  if (!profile.emailVerified)
    await takeOver(services, profile.id, { name: profile.name, email, password });
  await db.write
    .updateTable("profiles")
    .set({ role: "admin", emailVerified: true })
    .where("id", "=", profile.id)
    .execute();
}

/**
 * Makes an account an administrator. Whoever may do that may also let her in: a suspended account
 * is one no longer.
 * @returns whether it was suspended; null when nobody has that address
 */
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
      await audit(trx, services, { action: "account.made-admin", personId });
    if (wasSuspended) await audit(trx, services, { action: "account.let-in", personId });
    return { wasSuspended };
  });
}

const setupSetting = "setup-token";
const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/**
 * A new one-time token for the page that creates the first administrator; earlier
 * ones no longer work. Null when there is an administrator. Only its hash is kept.
 */
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

/** Whether a token would create the first administrator now. */
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

/**
 * Creates the first administrator with a token of {@link newSetupToken}, once.
 * @returns 'done', 'token' when the token is not (or no longer) good, 'taken' when the address has an account
 */
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
  await createConfirmed(services, { ...person, role: "admin" });
  return "done";
}
