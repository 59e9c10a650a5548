import type { SessionReading } from "./session.ts";

/**
 * What a browser may know and keep of a session (design 6): no secret. `factors` are those that are
 * asked for at sign-in; `level` is 2 once a second factor was given.
 */
export type SessionNote = {
  userId: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  factors: { status: "verified"; factorType: "totp" }[];
  level: 1 | 2;
};

/** The note of somebody who is signed in; null for everybody else. */
export function noteOf({ viewer, session }: SessionReading): SessionNote | null {
  if (!viewer || !session) return null;
  return {
    userId: viewer.id,
    expiresAt: session.expiresAt.toISOString(),
    factors: session.hasFactor ? [{ status: "verified", factorType: "totp" }] : [],
    level: session.secondFactorAt ? 2 : 1,
  };
}
