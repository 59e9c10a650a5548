import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { readLinkToken, signToken } from "~/platform/signed-token.ts";
import { type LetterChoices, type LetterKind, type LetterLinks, letterKinds } from "./schema.ts";
import { offPath, preferencesPath } from "./texts.ts";

type Addressed = { userId: string; kind: LetterKind };

/** A purpose of its own, so that no other link of the site opens this door, nor this one another. */
const choosing = "letter preferences";

/**
 * Whether somebody wants this kind of letter now. Ask when it is sent, not when it is written down.
 * Nobody does whose account is about to be deleted, or shut.
 */
export async function wantsLetter(db: Query, { userId, kind }: Addressed): Promise<boolean> {
  const isReader = await db
    .selectFrom("profiles")
    .leftJoin("declinedMails", (join) =>
      join.onRef("declinedMails.userId", "=", "profiles.id").on("declinedMails.kind", "=", kind),
    )
    .select("profiles.id")
    .where("profiles.id", "=", userId)
    .where("profiles.suspendedAt", "is", null)
    .where("profiles.deletionDueAt", "is", null)
    .where("declinedMails.kind", "is", null)
    .executeTakeFirst();
  return isReader !== undefined;
}

/** Whoever chooses her letters. */
export type Reader = {
  choices: LetterChoices;
  /** Null while nobody has shown that it is hers. */
  confirmedAddress: string | null;
};

/** What an account has chosen; null when there is no such account any more. */
export async function findReader({ db }: Services, userId: string): Promise<Reader | null> {
  const profile = await db.read
    .selectFrom("profiles")
    .select(["email", "emailVerified"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!profile) return null;
  const rows = await db.read
    .selectFrom("declinedMails")
    .select("kind")
    .where("userId", "=", userId)
    .execute();
  const declined = new Set(rows.map(({ kind }) => kind));
  const choices = letterKinds.map((kind) => [kind, !declined.has(kind)]);
  return {
    choices: Object.fromEntries(choices) as LetterChoices,
    confirmedAddress: profile.emailVerified ? profile.email : null,
  };
}

/** The page on which this account's letters are chosen, for whoever has its letters. Works for good. */
export function preferencesUrl({ config }: Services, userId: string): string {
  return `${config.appUrl}${preferencesPath}?token=${signToken(config.authSecret, choosing, userId)}`;
}

/** Both addresses for the foot of a letter. */
export function letterLinks(services: Services, { userId, kind }: Addressed): LetterLinks {
  const { config } = services;
  const token = signToken(config.authSecret, choosing, userId);
  return {
    preferences: preferencesUrl(services, userId),
    off: `${config.appUrl}${offPath}?letter=${kind}&token=${token}`,
  };
}

/** The headers by which mail programs switch this kind of letter off with one press (RFC 8058). */
export function letterHeaders(services: Services, addressed: Addressed): Record<string, string> {
  return {
    "List-Unsubscribe": `<${letterLinks(services, addressed).off}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Whose letters a token is about, or null when this site never made it. */
export function readPreferencesToken(services: Services, token: string): string | null {
  return readLinkToken(services, choosing, token);
}
