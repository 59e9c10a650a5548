import { createHmac } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { isSameText } from "../signed-token.ts";
import { sessionCookie } from "./constants.ts";
import { readCookie } from "./cookies.ts";
import { owesSecondFactor } from "./second-factor.ts";

type Parts = { db: Database; config: Config };

/** Sessions joined with whose they are, and whether these have a second factor. */
function sessionsAndPeople(db: Database) {
  return db.read
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

type Found = Awaited<ReturnType<ReturnType<typeof sessionsAndPeople>["executeTakeFirstOrThrow"]>>;

/** A session that is good, with its owner. */
export type SessionRow = Found & {
  /** She still owes her second factor. */
  isPending: boolean;
  /** An administrator, but not in this session: it has no second factor, and she must have one. */
  lacksFactor: boolean;
};

/**
 * What a session is worth. This is the one place where ADMIN_SECOND_FACTOR makes of an
 * administrator somebody like everybody else, whatever she then asks for, and by whatever way.
 */
async function unlessOver(
  { db, config }: Parts,
  row: Found | undefined,
): Promise<SessionRow | null> {
  // Sessions are the library's, which reads the machine's own clock.
  if (!row || row.expiresAt.getTime() <= Date.now()) return null;
  const lacksFactor =
    config.adminSecondFactor && row.role === "admin" && row.secondFactorAt === null;
  if (!lacksFactor) {
    const isPending = Boolean(row.hasFactor) && row.secondFactorAt === null;
    return { ...row, isPending, lacksFactor };
  }
  const isPending = await owesSecondFactor({ db, config }, row.id);
  return { ...row, role: "student", isPending, lacksFactor };
}

/**
 * The session that a request's cookie names, in one join; the cookie's signature is checked first.
 * Whatever is wrong with it is null.
 */
export async function findSession(parts: Parts, headers: Headers) {
  return findSessionByRefreshToken(parts, readCookie(headers, sessionCookie) ?? "");
}

/** The session with this id; null when it has ended. */
export async function findSessionById({ db, config }: Parts, id: string) {
  const rows = sessionsAndPeople(db).where("sessions.id", "=", id);
  return unlessOver({ db, config }, await rows.executeTakeFirst());
}

/** The session that a refresh token names: the value of the cookie, handed over by itself. */
export async function findSessionByRefreshToken({ db, config }: Parts, refreshToken: string) {
  const token = openToken(refreshToken, config.authSecret);
  if (!token) return null;
  const rows = sessionsAndPeople(db).where("sessions.token", "=", token);
  return unlessOver({ db, config }, await rows.executeTakeFirst());
}

/** The token that a request's cookie has; null when there is none, or none of ours. */
export function tokenOf(headers: Headers, config: Config): string | null {
  return openToken(readCookie(headers, sessionCookie), config.authSecret);
}

/** A token as its cookie has it: `token.signature`. */
export function sealToken(token: string, secret: string): string {
  return `${token}.${signatureOf(token, secret)}`;
}

function signatureOf(token: string, secret: string): string {
  return createHmac("sha256", secret).update(token).digest("base64");
}

/** The token in a signed value `token.signature`, as the library writes it; null when it is not ours. */
export function openToken(value: string | null, secret: string): string | null {
  const dot = value?.lastIndexOf(".") ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  return isSameText(value.slice(dot + 1), signatureOf(token, secret)) ? token : null;
}
