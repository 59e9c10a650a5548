import type { Database, Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { putOff } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { mornings } from "~/platform/time/morning.ts";
import { site } from "~content/site.ts";
import { type Line, writeLetters } from "../mornings/commands.server.ts";
import { morning } from "./texts.ts";

/** `id` is that of the row that sends it. */
type Letter = { id: string; userId: string; day: string };

/** From now on the letter takes no more lines. @returns whether it is this row's, and was closed before */
export async function closeLetter(
  { db, clock }: Services,
  letter: Letter,
): Promise<{ isOurs: boolean; isTriedAgain: boolean }> {
  const closed = await rowOf(db.write, letter)
    .set({ closedAt: clock.now() })
    .where("closedAt", "is", null)
    .executeTakeFirst();
  if (closed.numUpdatedRows > 0n) return { isOurs: true, isTriedAgain: false };
  const again = await find(db.write, letter);
  return { isOurs: again !== undefined, isTriedAgain: true };
}

/** It certainly went to nobody: it is as if it had not been tried. */
export async function reopenLetter({ db }: Services, letter: Letter): Promise<void> {
  await rowOf(db.write, letter).set({ closedAt: null }).execute();
}

/**
 * A letter whose own morning is over. One that was never tried puts its lines into the next
 * morning's, and is no more. One that was may have arrived (a server's yes can get lost): it stays
 * what it is, with its lines, its row and so its Message-ID and its failed attempts, and goes in any
 * morning, beside that day's own: a mailbox that does not take the one holds back no other.
 * @returns whether it may go now
 */
export function letterIsLate(
  { db, clock }: Services,
  letter: Letter & { timeZone: string | null; isMorning: boolean },
): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    if (await takeBack(db, trx, letter, now)) return false;
    if (!(await find(trx, letter))) return false;
    if (letter.isMorning) return true;
    const { id, userId, day, timeZone } = letter;
    const nextMorning = mornings({ now, hour: morning.from, otherwise: site.timeZone });
    const { at: dueAt } = nextMorning(timeZone, now);
    await putOff(trx, id, { payload: { userId, day }, dueAt, now });
    return false;
  });
}

/**
 * A letter about lessons has just gone out that was not of a morning: it is this day's, and what
 * was to come on the same day waits for the next.
 */
export function countAsLetterOfDay({ db, clock }: Services, { id, userId, day }: Letter) {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    const taken = { userId, day, outboxId: id, closedAt: now };
    const lines = await linesOf(trx, { userId, day }, now);
    const { numInsertedOrUpdatedRows: isTaken } = await trx
      .insertInto("lessonLetters")
      .values(taken)
      .onConflict((conflict) =>
        conflict
          .columns(["userId", "day"])
          .doUpdateSet({ outboxId: id, closedAt: now })
          .where("lessonLetters.closedAt", "is", null),
      )
      .executeTakeFirstOrThrow();
    if (isTaken) await writeLetters(db, trx, lines, now);
  });
}

/** Puts some lines into later letters: their lessons do not open yet after all. */
export function postponeLines({ db, clock }: Services, lines: Line[]): Promise<void> {
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    await writeLetters(db, trx, lines, clock.now());
  });
}

/** A letter that was not tried is no more, and its lines go into the next. @returns whether it was one */
async function takeBack(db: Database, trx: Query, letter: Letter, now: Date): Promise<boolean> {
  const gone = await trx
    .deleteFrom("lessonLetters")
    .where("userId", "=", letter.userId)
    .where("day", "=", letter.day)
    .where("outboxId", "=", letter.id)
    .where("closedAt", "is", null)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) return false;
  await writeLetters(db, trx, await linesOf(trx, letter, now), now);
  return true;
}

/** The lines of a day's letter, to be told from `notBefore` on. */
async function linesOf(
  trx: Query,
  { userId, day }: { userId: string; day: string },
  notBefore: Date,
): Promise<Line[]> {
  const rows = await trx
    .selectFrom("lessonLetterLines")
    .innerJoin("enrollments", "enrollments.id", "lessonLetterLines.enrollmentId")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select(["lessonLetterLines.enrollmentId", "lessonLetterLines.lessonId"])
    .select("profiles.timeZone")
    .where("enrollments.userId", "=", userId)
    .where("lessonLetterLines.day", "=", day)
    .execute();
  return rows.map(({ lessonId, ...row }) => ({ ...row, userId, lessonIds: [lessonId], notBefore }));
}

const rowOf = (db: Query, { id, userId, day }: Letter) =>
  db
    .updateTable("lessonLetters")
    .where("userId", "=", userId)
    .where("day", "=", day)
    .where("outboxId", "=", id);

const find = (db: Query, { id, userId, day }: Letter) =>
  db
    .selectFrom("lessonLetters")
    .select("day")
    .where("userId", "=", userId)
    .where("day", "=", day)
    .where("outboxId", "=", id)
    .executeTakeFirst();
