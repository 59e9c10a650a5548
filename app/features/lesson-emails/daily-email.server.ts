import type { Database, Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueueAll, rescheduleJob } from "~/platform/jobs/outbox.ts";
import { type Morning, mornings } from "~/platform/time/morning.ts";
import { site } from "~content/site.ts";
import { lessonEmailKind, morning } from "./messages.ts";

/** Lessons that a student is to be told of, in their first morning at `notBefore` or after it. */
export type LessonEmailLine = {
  userId: string;
  enrollmentId: string;
  lessonIds: readonly string[];
  notBefore: Date;
  /** Hers; null where they have not told, and then it is the site's. */
  timeZone: string | null;
};

type Placed = { line: LessonEmailLine; morning: Morning };

/** Lines a statement: SQLite binds 32,766 values at once. */
const most = 2000;

/**
 * Puts lines into emails: one a day for each student, whatever the number of courses and lessons,
 * in a morning that has not come yet. An email that is on its way takes nothing more: then it is
 * the next morning's.
 */
export async function addToDailyEmails(
  db: Database,
  trx: Query,
  lines: LessonEmailLine[],
  now: Date,
) {
  const find = mornings({ now, hour: morning.from, otherwise: site.timeZone });
  const place = (line: LessonEmailLine, from: Date): Placed => ({
    line,
    morning: find(line.timeZone, from),
  });
  let left = lines.map((line) => place(line, line.notBefore > now ? line.notBefore : now));
  while (left.length > 0) {
    const open = await openDailyEmails(db, trx, left, now);
    const isOpen = (placed: Placed) => open.has(keyOf(placed));
    await addLines(trx, left.filter(isOpen));
    left = left
      .filter((placed) => !isOpen(placed))
      .map(({ line, morning }) => place(line, new Date(morning.at.getTime() + 1)));
  }
}

const keyOf = ({ line, morning }: Placed) => `${line.userId} ${morning.day}`;

/** Makes the emails that are missing. @returns the keys of those that still take lines */
async function openDailyEmails(db: Database, trx: Query, placed: Placed[], now: Date) {
  const wanted = new Map(placed.map((one) => [keyOf(one), one]));
  const made = await trx
    .insertInto("dailyEmails")
    .values(
      [...wanted.values()].map(({ line: { userId }, morning: { day } }) => ({
        userId,
        day,
        outboxId: newId(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(["userId", "day", "outboxId as id"])
    .execute();
  const open = new Set<string>();
  const work = made.map(({ userId, day, id }) => {
    const key = `${userId} ${day}`;
    open.add(key);
    const { at: dueAt } = (wanted.get(key) as Placed).morning;
    return { id, payload: { userId, day }, dueAt, to: { userId } };
  });
  await enqueueAll(trx, { kind: lessonEmailKind }, work, now);
  const others = [...wanted].filter(([key]) => !open.has(key)).map(([, one]) => one);
  if (others.length === 0) return open;
  const waiting = trx
    .selectFrom("dailyEmails")
    .select(["userId", "day"])
    .where("userId", "in", unique(others.map(({ line }) => line.userId)))
    .where("day", "in", unique(others.map(({ morning }) => morning.day)))
    .where("closedAt", "is", null);
  // Held, so that none begins to go out before the lines are in it.
  const held = await (db.engine === "postgres" ? waiting.forUpdate() : waiting).execute();
  for (const { userId, day } of held) open.add(`${userId} ${day}`);
  return open;
}

const unique = (list: string[]) => [...new Set(list)];

async function addLines(trx: Query, placed: Placed[]) {
  const rows = placed.flatMap(({ line: { enrollmentId, lessonIds }, morning: { day } }) =>
    lessonIds.map((lessonId) => ({ enrollmentId, lessonId, day })),
  );
  for (let start = 0; start < rows.length; start += most)
    await trx
      .insertInto("dailyEmailLines")
      .values(rows.slice(start, start + most))
      .onConflict((conflict) =>
        conflict
          .columns(["enrollmentId", "lessonId"])
          .doUpdateSet(({ ref }) => ({ day: ref("excluded.day") })),
      )
      .execute();
}

const keptMs = 30 * 24 * 3600_000;
const forgotten = 1000;

/**
 * Deletes what emails of more than a month ago were about; their lessons' marks say that they were
 * told. What is written down for a day to come stays, however long ago that was.
 */
export async function deleteOldDailyEmails({ db, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
    .toISOString()
    .slice(0, "2026-11-22".length);
  await inPortions(() =>
    db.write
      .deleteFrom("dailyEmailLines")
      .where(({ refTuple, selectFrom, eb }) =>
        eb(
          refTuple("enrollmentId", "lessonId"),
          "in",
          selectFrom("dailyEmailLines")
            .select(["enrollmentId", "lessonId"])
            .where("day", "<", before)
            .limit(forgotten)
            .$asTuple("enrollmentId", "lessonId"),
        ),
      )
      .executeTakeFirst(),
  );
  await inPortions(() =>
    db.write
      .deleteFrom("dailyEmails")
      .where(({ refTuple, selectFrom, eb }) =>
        eb(
          refTuple("userId", "day"),
          "in",
          selectFrom("dailyEmails")
            .select(["userId", "day"])
            .where("day", "<", before)
            .limit(forgotten)
            .$asTuple("userId", "day"),
        ),
      )
      .executeTakeFirst(),
  );
}

async function inPortions(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  for (;;) if ((await remove()).numDeletedRows < forgotten) return;
}

type Letter = { id: string; userId: string; day: string };

/** From now on the email takes no more lines. @returns whether it is this row's, and was closed before */
export async function closeDailyEmail(
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
export async function reopenDailyEmail({ db }: Services, letter: Letter): Promise<void> {
  await rowOf(db.write, letter).set({ closedAt: null }).execute();
}

/**
 * An email whose own morning is over. One that was never tried puts its lines into the next
 * morning's, and is no more. One that was may have arrived (a server's yes can get lost): it stays
 * what it is, with its lines, its row and so its Message-ID and its failed attempts, and goes in any
 * morning, beside that day's own: a mailbox that does not take the one holds back no other.
 * @returns whether it may go now
 */
export function moveLateDailyEmail(
  { db, clock }: Services,
  letter: Letter & { timeZone: string | null; isMorning: boolean },
): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson emails");
    if (await takeBack(db, trx, letter, now)) return false;
    if (!(await find(trx, letter))) return false;
    if (letter.isMorning) return true;
    const { id, userId, day, timeZone } = letter;
    const nextMorning = mornings({ now, hour: morning.from, otherwise: site.timeZone });
    const { at: dueAt } = nextMorning(timeZone, now);
    await rescheduleJob(trx, id, { payload: { userId, day }, dueAt, now });
    return false;
  });
}

/**
 * An email about lessons has just gone out that was not of a morning: it is this day's, and what
 * was to come on the same day waits for the next.
 */
export function countAsDailyEmail({ db, clock }: Services, { id, userId, day }: Letter) {
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson emails");
    const taken = { userId, day, outboxId: id, closedAt: now };
    const lines = await linesOf(trx, { userId, day }, now);
    const { numInsertedOrUpdatedRows: isTaken } = await trx
      .insertInto("dailyEmails")
      .values(taken)
      .onConflict((conflict) =>
        conflict
          .columns(["userId", "day"])
          .doUpdateSet({ outboxId: id, closedAt: now })
          .where("dailyEmails.closedAt", "is", null),
      )
      .executeTakeFirstOrThrow();
    if (isTaken) await addToDailyEmails(db, trx, lines, now);
  });
}

/** Puts some lines into later emails: their lessons do not open yet after all. */
export function postponeLines({ db, clock }: Services, lines: LessonEmailLine[]): Promise<void> {
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson emails");
    await addToDailyEmails(db, trx, lines, clock.now());
  });
}

/** An email that was not tried is no more, and its lines go into the next. @returns whether it was one */
async function takeBack(db: Database, trx: Query, letter: Letter, now: Date): Promise<boolean> {
  const gone = await trx
    .deleteFrom("dailyEmails")
    .where("userId", "=", letter.userId)
    .where("day", "=", letter.day)
    .where("outboxId", "=", letter.id)
    .where("closedAt", "is", null)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) return false;
  await addToDailyEmails(db, trx, await linesOf(trx, letter, now), now);
  return true;
}

async function linesOf(
  trx: Query,
  { userId, day }: { userId: string; day: string },
  notBefore: Date,
): Promise<LessonEmailLine[]> {
  const rows = await trx
    .selectFrom("dailyEmailLines")
    .innerJoin("enrollments", "enrollments.id", "dailyEmailLines.enrollmentId")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select(["dailyEmailLines.enrollmentId", "dailyEmailLines.lessonId"])
    .select("profiles.timeZone")
    .where("enrollments.userId", "=", userId)
    .where("dailyEmailLines.day", "=", day)
    .execute();
  return rows.map(({ lessonId, ...row }) => ({ ...row, userId, lessonIds: [lessonId], notBefore }));
}

const rowOf = (db: Query, { id, userId, day }: Letter) =>
  db
    .updateTable("dailyEmails")
    .where("userId", "=", userId)
    .where("day", "=", day)
    .where("outboxId", "=", id);

const find = (db: Query, { id, userId, day }: Letter) =>
  db
    .selectFrom("dailyEmails")
    .select("day")
    .where("userId", "=", userId)
    .where("day", "=", day)
    .where("outboxId", "=", id)
    .executeTakeFirst();
