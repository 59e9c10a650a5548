import type { Database, Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { enqueueAll } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { type Morning, mornings } from "~/platform/time/morning.ts";
import { site } from "~content/site.ts";
import { lessonLetterKind, morning } from "../letters/texts.ts";

/** Lessons that a student is to be told of, in her first morning at `notBefore` or after it. */
export type Line = {
  userId: string;
  enrollmentId: string;
  lessonIds: readonly string[];
  notBefore: Date;
  /** Hers; null where she has not told, and then it is the site's. */
  timeZone: string | null;
};

type Placed = { line: Line; morning: Morning };

/** Lines a statement: SQLite binds 32,766 values at once. */
const most = 2000;

/**
 * Puts lines into letters: one a day for each student, whatever the number of courses and lessons,
 * in a morning that has not come yet. A letter that is on its way takes nothing more: then it is
 * the next morning's.
 */
export async function writeLetters(db: Database, trx: Query, lines: Line[], now: Date) {
  const find = mornings({ now, hour: morning.from, otherwise: site.timeZone });
  const place = (line: Line, from: Date): Placed => ({ line, morning: find(line.timeZone, from) });
  let left = lines.map((line) => place(line, line.notBefore > now ? line.notBefore : now));
  while (left.length > 0) {
    const open = await openLetters(db, trx, left, now);
    const isOpen = (placed: Placed) => open.has(keyOf(placed));
    await addLines(trx, left.filter(isOpen));
    left = left
      .filter((placed) => !isOpen(placed))
      .map(({ line, morning }) => place(line, new Date(morning.at.getTime() + 1)));
  }
}

const keyOf = ({ line, morning }: Placed) => `${line.userId} ${morning.day}`;

/** Makes the letters that are missing. @returns the keys of those that still take lines */
async function openLetters(db: Database, trx: Query, placed: Placed[], now: Date) {
  const wanted = new Map(placed.map((one) => [keyOf(one), one]));
  const made = await trx
    .insertInto("lessonLetters")
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
  await enqueueAll(trx, { kind: lessonLetterKind }, work, now);
  const others = [...wanted].filter(([key]) => !open.has(key)).map(([, one]) => one);
  if (others.length === 0) return open;
  const waiting = trx
    .selectFrom("lessonLetters")
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
      .insertInto("lessonLetterLines")
      .values(rows.slice(start, start + most))
      .onConflict((conflict) =>
        conflict
          .columns(["enrollmentId", "lessonId"])
          .doUpdateSet(({ ref }) => ({ day: ref("excluded.day") })),
      )
      .execute();
}

const keptMs = 30 * 24 * 3600_000;
/** Rows a statement, for the sake of the other writers. */
const forgotten = 1000;

/**
 * Deletes what letters of more than a month ago were about; their lessons' marks say that they were
 * told. What is written down for a day to come stays, however long ago that was.
 */
export async function forgetLetters({ db, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
    .toISOString()
    .slice(0, "2026-11-22".length);
  await inPortions(() =>
    db.write
      .deleteFrom("lessonLetterLines")
      .where(({ refTuple, selectFrom, eb }) =>
        eb(
          refTuple("enrollmentId", "lessonId"),
          "in",
          selectFrom("lessonLetterLines")
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
      .deleteFrom("lessonLetters")
      .where(({ refTuple, selectFrom, eb }) =>
        eb(
          refTuple("userId", "day"),
          "in",
          selectFrom("lessonLetters")
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
