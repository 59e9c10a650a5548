import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/services.ts";
import { lastEnrolled, type Mark } from "../letters/rules.ts";
import { writeLetters } from "../mornings/commands.server.ts";
import { opensAt } from "../rules.ts";
import {
  lastEnrolledOf,
  listOpenings,
  listTurned,
  nextEnrolled,
  type Opening,
  standsStill,
  tellingSince,
} from "./queries.server.ts";

/** Letters are written down before their lessons open: by more than the hour between two looks. */
const aheadMs = 2 * 3600_000;
/** Enrollments a transaction: other writers wait for it. */
const portion = 250;

/**
 * Writes down the letters about all lessons that have opened since the last look, or will before
 * the next. Every lesson has a mark up to which its students are dealt with: so nothing is left
 * out while the site is down, nobody is told twice, and several machines share the work.
 * @returns how many students' lessons were looked at
 */
export async function planLessonLetters(services: Services): Promise<number> {
  const { db, clock, log } = services;
  const since = await tellingSince(db.write, clock.now());
  await turnMarks(services);
  let looked = 0;
  for (const opening of await listOpenings(db.read, since))
    try {
      looked += opening.isSilent
        ? await passSilently(services, opening)
        : await planOpening(services, opening);
    } catch (err) {
      // The others are not to wait for it: it is tried again with the next look.
      const { productId, dripDay } = opening;
      log.error({ err, productId, dripDay }, "letters about lessons could not be written down");
    }
  return looked;
}

/**
 * Notes which lessons open with the enrollment. One that gets a day later on is told to those for
 * whom it opens from now on: the others have had it.
 */
async function turnMarks({ db, clock }: Services): Promise<void> {
  if ((await listTurned(db.read)).length === 0) return;
  const now = clock.now();
  await db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    for (const { id, dripDay } of await listTurned(trx)) {
      const mark = { enrolledAt: lastEnrolled(dripDay, now), enrollmentId: "" };
      await setMarks(trx, [id], { ...mark, fromStart: dripDay === 0 });
    }
  });
}

async function planOpening(services: Services, opening: Opening): Promise<number> {
  const { db, clock } = services;
  const until = lastEnrolled(opening.dripDay, new Date(clock.now().getTime() + aheadMs));
  // Most have nobody between: reading that stops no writer.
  if (!(await lastEnrolledOf(db.read, { ...opening, until }))) return 0;
  let looked = 0;
  let { mark } = opening;
  for (;;) {
    const students = await planPortion(services, { ...opening, mark }, until);
    looked += students.length;
    const last = students.at(-1);
    if (!last || students.length < portion) return looked;
    mark = { enrolledAt: last.createdAt, enrollmentId: last.id };
  }
}

function planPortion({ db, clock }: Services, opening: Opening, until: Date) {
  const { dripDay, lessonIds } = opening;
  const now = clock.now();
  return db.transaction(async (trx) => {
    await lockId(db, trx, "lesson letters");
    if (!(await standsStill(trx, opening))) return [];
    const students = await nextEnrolled(trx, { ...opening, until, limit: portion });
    const last = students.at(-1);
    if (!last) return [];
    const lines = students
      .filter(({ declined }) => declined === null)
      .map(({ id, userId, createdAt, timeZone }) => ({
        userId,
        timeZone,
        enrollmentId: id,
        lessonIds,
        notBefore: opensAt(dripDay, createdAt),
      }));
    await writeLetters(db, trx, lines, now);
    await moveMarks(trx, lessonIds, last);
    return students;
  });
}

/** What opens while a course sends no letters is not told of later either. */
async function passSilently({ db, clock }: Services, opening: Opening): Promise<number> {
  const until = lastEnrolled(opening.dripDay, clock.now());
  const last = await lastEnrolledOf(db.read, { ...opening, until });
  if (last)
    await db.transaction(async (trx) => {
      await lockId(db, trx, "lesson letters");
      if (await standsStill(trx, opening)) await moveMarks(trx, opening.lessonIds, last);
    });
  return 0;
}

function moveMarks(
  trx: Query,
  lessonIds: readonly string[],
  { createdAt: enrolledAt, id: enrollmentId }: { createdAt: Date; id: string },
) {
  return setMarks(trx, lessonIds, { enrolledAt, enrollmentId, fromStart: false });
}

async function setMarks(
  trx: Query,
  lessonIds: readonly string[],
  mark: Mark & { fromStart: boolean },
) {
  await trx
    .insertInto("lessonMarks")
    .values(lessonIds.map((lessonId) => ({ lessonId, ...mark })))
    .onConflict((conflict) => conflict.column("lessonId").doUpdateSet(mark))
    .execute();
}
