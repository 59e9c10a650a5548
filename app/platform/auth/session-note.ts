import type { SessionReading } from "./session.ts";

/** What a browser may store about its session (design 6); no secret. Level 2: two-factor. */
export type SessionNote = {
  userId: string;
  expiresAt: string;
  factors: { status: "verified"; factorType: "totp" }[];
  level: 1 | 2;
};

export function noteOf({ viewer, session }: SessionReading): SessionNote | null {
  if (!viewer || !session) return null;
  return {
    userId: viewer.id,
    expiresAt: session.expiresAt.toISOString(),
    factors: session.hasFactor ? [{ status: "verified", factorType: "totp" }] : [],
    level: session.secondFactorAt ? 2 : 1,
  };
}
