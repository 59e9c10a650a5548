import { z } from "zod";
import { readLinkToken, signToken } from "~/platform/crypto/signed-token.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import {
  adminEmailKinds,
  type EmailKind,
  emailKinds,
  offPath,
  preferencesPath,
} from "./messages.ts";
import type { EmailPreferences, UnsubscribeLinks } from "./rules.ts";

/** A kind of email as a link names it. */
export const emailKind = z.enum(emailKinds);

type Addressed = { userId: string; kind: EmailKind };

// A purpose of its own, so that this token and those of other links are not interchangeable.
const choosing = "email preferences";

/** Check when sending, not when queueing. False for a suspended account or one to be deleted. */
export async function wantsEmail(db: Query, { userId, kind }: Addressed): Promise<boolean> {
  const isReader = await db
    .selectFrom("profiles")
    .leftJoin("declinedEmails", (join) =>
      join.onRef("declinedEmails.userId", "=", "profiles.id").on("declinedEmails.kind", "=", kind),
    )
    .select("profiles.id")
    .where("profiles.id", "=", userId)
    .where("profiles.suspendedAt", "is", null)
    .where("profiles.deletionDueAt", "is", null)
    .where("declinedEmails.kind", "is", null)
    .executeTakeFirst();
  return isReader !== undefined;
}

export async function findEmailPreferences({ db }: Services, userId: string) {
  const profile = await db.read
    .selectFrom("profiles")
    .select(["email", "emailVerified", "role"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!profile) return null;
  const rows = await db.read
    .selectFrom("declinedEmails")
    .select("kind")
    .where("userId", "=", userId)
    .execute();
  const declined = new Set(rows.map(({ kind }) => kind));
  const choices: EmailPreferences = {};
  for (const kind of emailKinds)
    if (profile.role === "admin" || !adminEmailKinds.includes(kind))
      choices[kind] = !declined.has(kind);
  return {
    choices,
    confirmedAddress: profile.emailVerified ? profile.email : null,
  };
}

/** The preferences page of this account, for any reader of its emails. Never expires. */
export function emailPreferencesUrl({ config }: Services, userId: string): string {
  return `${config.appUrl}${preferencesPath}?token=${signToken(config.authSecret, choosing, userId)}`;
}

export function unsubscribeLinks(
  services: Services,
  { userId, kind }: Addressed,
): UnsubscribeLinks {
  const { config } = services;
  const token = signToken(config.authSecret, choosing, userId);
  return {
    preferences: emailPreferencesUrl(services, userId),
    off: `${config.appUrl}${offPath}?kind=${kind}&token=${token}`,
  };
}

/** The user id in a token; null when the token is not ours. */
export function readPreferencesToken(services: Services, token: string): string | null {
  return readLinkToken(services, choosing, token);
}

type Chosen = {
  userId: string;
  /** The kinds in the form: an old form says nothing about newer kinds. */
  asked: readonly EmailKind[];
  wanted: readonly EmailKind[];
};

/** Saves email preferences. Idempotent. @returns false when the account does not exist */
export async function saveEmailPreferences(
  { db, clock }: Services,
  { userId, asked, wanted }: Chosen,
): Promise<boolean> {
  const createdAt = clock.now();
  const declined = asked.filter((kind) => !wanted.includes(kind));
  return db.transaction(async (trx) => {
    // The lock keeps the account from being deleted until the end.
    const account = trx.selectFrom("profiles").select("id").where("id", "=", userId);
    const held = db.engine === "postgres" ? account.forKeyShare() : account;
    if (!(await held.executeTakeFirst())) return false;
    if (wanted.length > 0)
      await trx
        .deleteFrom("declinedEmails")
        .where("userId", "=", userId)
        .where("kind", "in", wanted)
        .execute();
    for (const kind of declined)
      await trx
        .insertInto("declinedEmails")
        .values({ userId, kind, createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return true;
  });
}

/** Idempotent. @returns the user id; null for an invalid token or an unknown kind */
export async function turnOffEmails(
  services: Services,
  { token, kind: asked }: { token: string; kind: string },
): Promise<string | null> {
  const userId = readPreferencesToken(services, token);
  const { data: kind } = emailKind.safeParse(asked);
  if (userId === null || !kind) return null;
  await saveEmailPreferences(services, { userId, asked: [kind], wanted: [] });
  return userId;
}
