import type { Services } from "~/platform/services.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";
import { digestOf } from "./commands.server.ts";

export type Wish = { newEmail: string; until: string; isOldDone: boolean; isNewDone: boolean };

/** The address that somebody has asked for and not yet got, with whom it waits for; null without one. */
export async function findWish(
  { db, clock }: Services,
  { userId, timeZone }: { userId: string; timeZone: string },
): Promise<Wish | null> {
  const now = clock.now();
  const row = await db.read
    .selectFrom("emailChanges")
    .select(["newEmail", "oldConfirmedAt", "newConfirmedAt", "expiresAt"])
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  if (!row) return null;
  const { newEmail, oldConfirmedAt, newConfirmedAt, expiresAt } = row;
  const until = `${dayInWords(expiresAt, now, timeZone)}, ${clockTime(expiresAt, timeZone)}`;
  const [isOldDone, isNewDone] = [oldConfirmedAt !== null, newConfirmedAt !== null];
  return { newEmail, until, isOldDone, isNewDone };
}

/** What the page of a letter is about. Whoever reads the new mailbox is not told the old address. */
export type Letter = {
  side: "old" | "new";
  newEmail: string;
  isDone: boolean;
  /** It is confirmed in the account that asked for it alone, and this is not it. */
  isElsewhere: boolean;
};

/** The change that a letter's token belongs to; null when its link is dead. */
export async function findLetter(
  { db, clock }: Services,
  { token, viewerId }: { token: string; viewerId: string | null },
): Promise<Letter | null> {
  const hash = digestOf(token);
  const row = await db.read
    .selectFrom("emailChanges")
    .selectAll()
    .where((eb) => eb.or([eb("oldTokenHash", "=", hash), eb("newTokenHash", "=", hash)]))
    .where("expiresAt", ">", clock.now())
    .executeTakeFirst();
  if (!row) return null;
  const { newEmail, oldConfirmedAt, newConfirmedAt } = row;
  return row.oldTokenHash === hash
    ? { side: "old", newEmail, isDone: oldConfirmedAt !== null, isElsewhere: false }
    : {
        side: "new",
        newEmail,
        isDone: newConfirmedAt !== null,
        isElsewhere: row.userId !== viewerId,
      };
}
