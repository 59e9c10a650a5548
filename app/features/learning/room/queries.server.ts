import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { Refused } from "~/platform/http/errors.ts";
import { isAlive } from "../drafts/queries.server.ts";
import { isTooMuch, type Used } from "./rules.ts";
import { roomTexts } from "./texts.ts";

/** What this person's words take. Inside a transaction, give its handle. */
export async function roomUsed(db: Query, userId: string): Promise<Used> {
  const entries = await db
    .selectFrom("progress")
    .select(sql<number>`coalesce(sum(octet_length(journal_answer)), 0)`.as("bytes"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  const drafts = await db
    .selectFrom("lessonDrafts")
    .select([
      sql<number>`coalesce(sum(octet_length(sealed_answers)), 0)`.as("bytes"),
      ({ fn }) => fn.countAll<number>().filterWhere(isAlive).as("count"),
    ])
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return { bytes: Number(entries.bytes) + Number(drafts.bytes), drafts: Number(drafts.count) };
}

/**
 * Writes words of this person, if there is room for them. What takes no more than before is always
 * written, also by somebody who has more than the room.
 * @param write on the handle of the transaction, which it then must not outlive
 * @throws {Refused} no_room, which takes the transaction back
 */
export async function withinRoom<T>(
  trx: Query,
  userId: string,
  write: () => Promise<T>,
): Promise<T> {
  const before = await roomUsed(trx, userId);
  const result = await write();
  if (isTooMuch(before, await roomUsed(trx, userId))) throw new Refused("no_room", roomTexts.full);
  return result;
}
