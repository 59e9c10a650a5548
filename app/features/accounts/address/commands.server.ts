import { createHash, randomBytes } from "node:crypto";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";
import { endOtherSessions } from "../devices/commands.server.ts";
import { proveOwner } from "../owner/commands.server.ts";
import { firstComplaint } from "../rules.ts";
import { emailField } from "../schema.ts";
import type { Complaint } from "../settings/commands.server.ts";
import { changedMail, newAddressMail, oldAddressMail, takenMail } from "./jobs.server.ts";
import { addressWords, confirmAddressPath } from "./texts.ts";

/** How long both letters are good for, in milliseconds. */
const worksMs = 24 * 3600_000;

export const digestOf = (token: string) => createHash("sha256").update(token).digest("hex");
const newToken = () => randomBytes(32).toString("base64url");

type Wish = {
  userId: string;
  sessionId: string;
  /** The address so far. */
  email: string;
  fields: Record<string, string | undefined>;
};

/**
 * Somebody wants another address for her account: a letter goes to both, and nothing changes before
 * both are confirmed. An address that has an account gets another letter; the answer is the same.
 * An earlier wish is forgotten, and its links die.
 * @returns what is wrong with what she typed, or null
 */
export async function wishForAddress(services: Services, wish: Wish): Promise<Complaint | null> {
  const parsed = emailField.safeParse({ email: wish.fields.email });
  if (!parsed.success) return firstComplaint(parsed);
  const newEmail = parsed.data.email.toLowerCase();
  if (newEmail === wish.email) return { field: "email", message: addressWords.same };
  const complaint = await proveOwner(services, wish);
  if (complaint) return complaint;
  const { userId } = wish;
  const limit = { what: "address-change", whose: userId, max: 5, windowSeconds: 24 * 3600 };
  if (!(await withinLimit(services, limit)))
    return { field: "email", message: addressWords.tooMany };
  await writeDown(services, { userId, email: wish.email, newEmail });
  services.wakeWorker();
  return null;
}

async function writeDown(
  { db, clock, config }: Services,
  { userId, email, newEmail }: { userId: string; email: string; newEmail: string },
) {
  const [oldToken, newOne] = [newToken(), newToken()];
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + worksMs);
  const link = (token: string) => `${config.appUrl}${confirmAddressPath}?token=${token}`;
  const change = {
    newEmail,
    oldTokenHash: digestOf(oldToken),
    newTokenHash: digestOf(newOne),
    oldConfirmedAt: null,
    newConfirmedAt: null,
    expiresAt,
    createdAt: now,
  };
  await db.transaction(async (trx) => {
    await trx
      .insertInto("emailChanges")
      .values({ userId, ...change })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet(change))
      .execute();
    const taken = await isTaken(trx, newEmail);
    const writing = { now, worksUntil: expiresAt };
    const old = { userId, email, newEmail, link: link(oldToken) };
    await enqueue(trx, oldAddressMail, old, { ...writing, to: { userId } });
    const to = { userId, address: newEmail };
    if (taken)
      await enqueue(
        trx,
        takenMail,
        { email: newEmail, link: `${config.appUrl}/auth` },
        { now, to },
      );
    else
      await enqueue(
        trx,
        newAddressMail,
        { email: newEmail, link: link(newOne) },
        { ...writing, to },
      );
  });
}

async function isTaken(db: Query, email: string): Promise<boolean> {
  const row = await db
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirst();
  return row !== undefined;
}

/** She keeps her address; the links of both letters die. */
export async function cancelWish({ db }: Services, userId: string): Promise<void> {
  await db.write.deleteFrom("emailChanges").where("userId", "=", userId).execute();
}

/** Takes away what was asked for and not confirmed in time: a typed address is somebody's. */
export const forgetWishes: RegularTask = {
  name: "accounts.forget-address-changes",
  async run({ db, clock }) {
    await db.write.deleteFrom("emailChanges").where("expiresAt", "<", clock.now()).execute();
  },
};

/**
 * What a press on the page of a letter came to: the address is changed; the other letter is still
 * to be confirmed; the address has an account by now; the link is dead; or it is the new mailbox's,
 * and whoever presses is not signed in to the account that asked.
 */
export type Confirmed = "changed" | "waits" | "taken" | "dead" | "stranger";

/**
 * Confirms one of the two addresses with the token of its letter, in any order, as often as it is
 * pressed. The second one changes the address, once, and ends the other sessions.
 * The new one is confirmed by whoever is signed in to the account alone: somebody else may have asked
 * for her address, and she must not make it good for an account that is his (docs/decisions/006).
 * @param by who presses, in which session, which stays if it is hers
 */
export async function confirmAddress(
  services: Services,
  token: string,
  by: Presser | null,
): Promise<Confirmed> {
  const hash = digestOf(token);
  try {
    const result = await services.db.transaction((trx) => confirm(services, trx, { hash, by }));
    if (result === "changed") services.wakeWorker();
    return result;
  } catch (error) {
    // Somebody signed up with it in this very moment.
    if (!isDuplicate(error)) throw error;
    await services.db.write
      .deleteFrom("emailChanges")
      .where((eb) => eb.or([eb("oldTokenHash", "=", hash), eb("newTokenHash", "=", hash)]))
      .execute();
    return "taken";
  }
}

type Presser = { userId: string; sessionId: string };
type Press = { hash: string; by: Presser | null };

async function confirm({ clock }: Services, trx: Query, { hash, by }: Press): Promise<Confirmed> {
  const now = clock.now();
  if (await isStrangers(trx, { hash, by })) return "stranger";
  const change = await noteConfirmation(trx, hash, now);
  if (!change) return "dead";
  const { userId, newEmail, oldConfirmedAt, newConfirmedAt } = change;
  if (!oldConfirmedAt || !newConfirmedAt) return "waits";
  await trx.deleteFrom("emailChanges").where("userId", "=", userId).execute();
  if (await isTaken(trx, newEmail)) return "taken";
  const before = await trx
    .selectFrom("profiles")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("profiles")
    .set({ email: newEmail, updatedAt: now })
    .where("id", "=", userId)
    .execute();
  await endOtherSessions(trx, { userId, sessionId: by?.sessionId ?? null });
  // A link by which whoever reads the old mailbox could choose a password.
  await trx.deleteFrom("verifications").where("value", "=", userId).execute();
  const { name, email } = before;
  // What knows the account by its old address: nothing may be left of that when the account goes.
  await trx
    .deleteFrom("invitations")
    .where("email", "=", email)
    .where("acceptedAt", "is not", null)
    .execute();
  await trx
    .updateTable("outbox")
    .set({ userId })
    .where("address", "=", email)
    .where("kind", "not like", "newsletter.%")
    .execute();
  await enqueue(trx, changedMail, { name, email, newEmail }, { now, to: { userId } });
  return "changed";
}

async function isStrangers(trx: Query, { hash, by }: Press): Promise<boolean> {
  const change = await trx
    .selectFrom("emailChanges")
    .select("userId")
    .where("newTokenHash", "=", hash)
    .executeTakeFirst();
  return change !== undefined && change.userId !== by?.userId;
}

/** One statement a side: of two that come at once, the second sees what the first has written. */
async function noteConfirmation(trx: Query, hash: string, now: Date) {
  for (const side of ["old", "new"] as const) {
    const change = await trx
      .updateTable("emailChanges")
      .set({ [`${side}ConfirmedAt`]: now })
      .where(`${side}TokenHash`, "=", hash)
      .where("expiresAt", ">", now)
      .returningAll()
      .executeTakeFirst();
    if (change) return change;
  }
  return null;
}
