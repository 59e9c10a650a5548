import { createHmac } from "node:crypto";
import type { Config } from "../config/config.ts";
import { isSameText } from "../crypto/signed-token.ts";
import { compiledOnce } from "../db/compiled.ts";
import { type Database, isAny, type Query } from "../db/database.ts";
import { sessionCookie } from "./constants.ts";
import { readCookie } from "./cookies.ts";

type Parts = { db: Database; config: Config };

function sessionsAndPeople(db: Query) {
  return db
    .selectFrom("sessions")
    .innerJoin("profiles", "profiles.id", "sessions.userId")
    .select(["profiles.id", "profiles.name", "profiles.email", "profiles.role"])
    .select(["profiles.timeZone", "sessions.id as sessionId", "sessions.expiresAt"])
    .select(["profiles.timeZoneChosenAt", "profiles.deletionDueAt"])
    .select(["sessions.secondFactorAt", "sessions.lastUsedAt"])
    .where("profiles.suspendedAt", "is", null)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("factors")
          .select("factors.id")
          .whereRef("factors.userId", "=", "sessions.userId")
          .where("factors.status", "=", "verified"),
      ).as("hasFactor"),
    );
}

const sessionByToken = compiledOnce((db, { token }: { token: string }) =>
  sessionsAndPeople(db).where("sessions.token", "=", token),
);

type Found = Awaited<ReturnType<ReturnType<typeof sessionsAndPeople>["executeTakeFirstOrThrow"]>>;

/** A valid session with its owner. */
export type SessionRow = Found & {
  /** The second factor is still to be given. */
  isPending: boolean;
  /** The owner is an administrator whose session lacks a required second factor. */
  lacksFactor: boolean;
};

// Applies expiry and ADMIN_SECOND_FACTOR. This is the only place that demotes an administrator
// without a second factor to a student, for every request and sign-in method.
async function unlessOver(
  { db, config }: Parts,
  row: Found | undefined,
): Promise<SessionRow | null> {
  // The library sets the expiry by the machine's clock, not by ours.
  if (!row || row.expiresAt.getTime() <= Date.now()) return null;
  const lacksFactor =
    config.adminSecondFactor && row.role === "admin" && row.secondFactorAt === null;
  if (!lacksFactor) {
    const isPending = Boolean(row.hasFactor) && row.secondFactorAt === null;
    return { ...row, isPending, lacksFactor };
  }
  const isPending = await needsSecondFactor({ db, config }, row.id);
  return { ...row, role: "student", isPending, lacksFactor };
}

/** The session of a request's signed cookie, read in one join; null if it is missing or invalid. */
export async function findSession(parts: Parts, headers: Headers) {
  return findSessionByRefreshToken(parts, readCookie(headers, sessionCookie) ?? "");
}

export async function findSessionById({ db, config }: Parts, id: string) {
  const rows = sessionsAndPeople(db.read).where("sessions.id", "=", id);
  return unlessOver({ db, config }, await rows.executeTakeFirst());
}

/** The session of a refresh token, which is the value of the session cookie. */
export async function findSessionByRefreshToken({ db, config }: Parts, refreshToken: string) {
  const token = openToken(refreshToken, config.authSecret);
  if (!token) return null;
  const [row] = await sessionByToken(db.read, { token });
  return unlessOver({ db, config }, row);
}

export function tokenOf(headers: Headers, config: Config): string | null {
  return openToken(readCookie(headers, sessionCookie), config.authSecret);
}

export function sealToken(token: string, secret: string): string {
  return `${token}.${signatureOf(token, secret)}`;
}

function signatureOf(token: string, secret: string): string {
  return createHmac("sha256", secret).update(token).digest("base64");
}

/** The token in a signed `token.signature` value of the library; null if it is not valid. */
export function openToken(value: string | null, secret: string): string | null {
  const dot = value?.lastIndexOf(".") ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  return isSameText(value.slice(dot + 1), signatureOf(token, secret)) ? token : null;
}

const pendingSeconds = 10 * 60;

/** Whether a sign-in by password or provider must be followed by a second factor: an authenticator
 * app or, for an administrator who is required to have one, a passkey. */
async function needsSecondFactor({ db, config }: Parts, userId: string): Promise<boolean> {
  const apps = db.write.selectFrom("factors").where("userId", "=", userId);
  if (await isAny(apps.where("status", "=", "verified"))) return true;
  if (!config.adminSecondFactor) return false;
  return isAny(
    db.write
      .selectFrom("passkeys")
      .innerJoin("profiles", "profiles.id", "passkeys.userId")
      .where("passkeys.userId", "=", userId)
      .where("profiles.role", "=", "admin"),
  );
}

/** Extra columns of a new session. A passkey counts as both factors, as it verifies the user. */
export async function sessionWithLevel(parts: Parts, session: { userId: string }, path?: string) {
  const now = new Date();
  const begun = { lastUsedAt: now };
  if (path === "/passkey/verify-authentication") return { ...begun, secondFactorAt: now };
  return (await needsSecondFactor(parts, session.userId))
    ? { ...begun, expiresAt: new Date(now.getTime() + pendingSeconds * 1000) }
    : begun;
}
