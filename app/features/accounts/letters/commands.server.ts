import type { Services } from "~/platform/services.ts";
import { readPreferencesToken } from "./queries.server.ts";
import { type LetterKind, letterKind } from "./schema.ts";

type Chosen = {
  userId: string;
  /** The kinds that were asked about: a form from before a kind existed says nothing of it. */
  asked: readonly LetterKind[];
  /** Those of them that she wants. */
  wanted: readonly LetterKind[];
};

/** Keeps which letters somebody wants. Twice is once. @returns false when the account is gone */
export async function chooseLetters(
  { db, clock }: Services,
  { userId, asked, wanted }: Chosen,
): Promise<boolean> {
  const createdAt = clock.now();
  const declined = asked.filter((kind) => !wanted.includes(kind));
  return db.transaction(async (trx) => {
    // Held until the end, so that it cannot go away meanwhile.
    const account = trx.selectFrom("profiles").select("id").where("id", "=", userId);
    const held = db.engine === "postgres" ? account.forKeyShare() : account;
    if (!(await held.executeTakeFirst())) return false;
    if (wanted.length > 0)
      await trx
        .deleteFrom("declinedMails")
        .where("userId", "=", userId)
        .where("kind", "in", wanted)
        .execute();
    for (const kind of declined)
      await trx
        .insertInto("declinedMails")
        .values({ userId, kind, createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return true;
  });
}

/**
 * Switches one kind of letter off with the token of any letter that may be switched off, whatever
 * was chosen before. Twice is once.
 * @returns whose letters they are; null when this site never made the token, or for no such kind
 */
export async function switchOff(
  services: Services,
  { token, letter }: { token: string; letter: string },
): Promise<string | null> {
  const userId = readPreferencesToken(services, token);
  const { data: kind } = letterKind.safeParse(letter);
  if (userId === null || !kind) return null;
  await chooseLetters(services, { userId, asked: [kind], wanted: [] });
  return userId;
}
