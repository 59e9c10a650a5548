import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { putOff } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { type Morning, mornings } from "~/platform/time/morning.ts";
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
 * Puts a letter off until the next morning, wherever she is by now. One that was never tried puts
 * its lines into that morning's, and is no more. One that was may have arrived (a server's yes can
 * get lost): it stays what it is, with its row and so its Message-ID and its failed attempts. It
 * has that morning to itself, as there is one letter a day, and what was to go out then waits.
 */
export function postponeLetter(
  { db, clock }: Services,
  letter: Letter & { timeZone: string | null },
): Promise<void> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    const gone = await trx
      .deleteFrom("lessonLetters")
      .where("userId", "=", letter.userId)
      .where("day", "=", letter.day)
      .where("outboxId", "=", letter.id)
      .where("closedAt", "is", null)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n)
      return await writeLetters(db, trx, await linesOf(trx, letter, now), now);
    if (!(await find(trx, letter))) return;
    const { next, displaced } = await makeRoom(trx, letter, now);
    await move(trx, letter, next, now);
    await writeLetters(db, trx, displaced, now);
  });
}

/** Puts some lines into later letters: their lessons do not open yet after all. */
export function postponeLines({ db, clock }: Services, lines: Line[]): Promise<void> {
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    await writeLetters(db, trx, lines, clock.now());
  });
}

/** The next morning without a letter that was tried; of one that was not, the lines. */
async function makeRoom(
  trx: Query,
  { userId, day, timeZone }: Letter & { timeZone: string | null },
  now: Date,
): Promise<{ next: Morning; displaced: Line[] }> {
  const find = mornings({ now, hour: morning.from, otherwise: site.timeZone });
  for (let from = now; ; ) {
    const next = find(timeZone, from);
    const { day: taken } = next;
    if (taken === day) return { next, displaced: [] };
    const lines = await linesOf(trx, { userId, day: taken }, next.at);
    const gone = await trx
      .deleteFrom("lessonLetters")
      .where("userId", "=", userId)
      .where("day", "=", taken)
      .where("closedAt", "is", null)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) return { next, displaced: lines };
    const other = await trx
      .selectFrom("lessonLetters")
      .select("day")
      .where("userId", "=", userId)
      .where("day", "=", taken)
      .executeTakeFirst();
    if (!other) return { next, displaced: [] };
    from = new Date(next.at.getTime() + 1);
  }
}

async function move(trx: Query, letter: Letter, { day, at: dueAt }: Morning, now: Date) {
  const { id, userId } = letter;
  await rowOf(trx, letter).set({ day }).execute();
  await trx
    .updateTable("lessonLetterLines")
    .set({ day })
    .where("day", "=", letter.day)
    .where("enrollmentId", "in", enrollmentsOf(trx, userId))
    .execute();
  await putOff(trx, id, { payload: { userId, day }, dueAt, now });
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

const enrollmentsOf = (db: Query, userId: string) =>
  db.selectFrom("enrollments").select("id").where("userId", "=", userId);

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
