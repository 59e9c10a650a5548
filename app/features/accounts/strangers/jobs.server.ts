import type { ExpressionBuilder } from "kysely";
import type { Tables } from "~/platform/db/tables.ts";
import { noteDeletion } from "~/platform/db/wiped.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";

/** An account whose address nobody has confirmed in so many days was made for somebody else's, or by a robot. */
const unconfirmedDays = 30;
/** A letter with a link went to its address within so many days: the link works for one. */
const askedDays = 2;
const dayMs = 24 * 3600_000;
/** How many are deleted at once, and how often in an hour. */
const portion = 500;
const mostPortions = 40;

/**
 * Deletes accounts that were never confirmed, and to which nobody has given anything. Whoever comes
 * after all signs up anew; who was suspended would do so too, and is kept, as is whoever was sent a
 * link just now. Safe on several machines.
 */
export const forgetUnconfirmed: RegularTask = {
  name: "accounts.forget-unconfirmed",
  async run(services) {
    for (let count = 0; count < mostPortions; count += 1)
      if ((await forgetSome(services)) < portion) return;
  },
};

/** @returns how many were found */
async function forgetSome({ db, clock }: Pick<Services, "db" | "clock">): Promise<number> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const unconfirmed = trx
      .selectFrom("profiles")
      .select("profiles.id")
      .where((eb) => isForgettable(eb, now))
      .limit(portion);
    // Once they are held, nobody confirms them or enrolls them before they are gone.
    const held = db.engine === "postgres" ? unconfirmed.forUpdate().skipLocked() : unconfirmed;
    const ids = (await held.execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    const gone = await trx
      .deleteFrom("profiles")
      .where("id", "in", ids)
      // Somebody may have been enrolled while they were looked for.
      .where((eb) => isForgettable(eb, now))
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) await noteDeletion(trx, now);
    return ids.length;
  });
}

function isForgettable(eb: ExpressionBuilder<Tables, "profiles">, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const has = (table: "enrollments" | "formerEnrollments" | "payments") =>
    eb.exists(
      eb.selectFrom(table).select(`${table}.id`).whereRef(`${table}.userId`, "=", "profiles.id"),
    );
  return eb.and([
    eb("profiles.emailVerified", "=", false),
    eb("profiles.role", "=", "student"),
    eb("profiles.createdAt", "<", before(unconfirmedDays)),
    eb("profiles.suspendedAt", "is", null),
    eb.not(has("enrollments")),
    eb.not(has("formerEnrollments")),
    eb.not(has("payments")),
    eb.not(
      eb.exists(
        eb
          .selectFrom("sentMails")
          .select("sentMails.id")
          .whereRef("sentMails.userId", "=", "profiles.id")
          .where("sentMails.createdAt", ">", before(askedDays)),
      ),
    ),
  ]);
}
