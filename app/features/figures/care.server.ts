import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { keysetPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { careMessages } from "./messages.ts";
import { quietMs } from "./rules.ts";

/** Students who asked to be written to and gave no sign for three weeks, while something is left of a
 * course of theirs; who became quiet last comes first. No word of theirs is read. */
export async function listQuietStudents(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
) {
  const before = new Date(clock.now().getTime() - quietMs);
  const query = db.read
    .selectFrom("careRequests as care")
    // SQLite begins with the left side of a cross join: few ask, and there may be many profiles.
    .crossJoin("profiles")
    .whereRef("profiles.id", "=", "care.userId")
    .select(["profiles.id", "profiles.name", "profiles.email", "care.activeAt"])
    .select("care.activeAt as sortValue")
    .where("care.writtenAt", "is", null)
    .where("care.activeAt", "<=", before)
    .where("profiles.role", "=", "student")
    .where("profiles.suspendedAt", "is", null)
    .where("profiles.deletionDueAt", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("enrollments")
          .innerJoin("products", "products.id", "enrollments.productId")
          .innerJoin("modules", "modules.productId", "products.id")
          .innerJoin("lessons", "lessons.moduleId", "modules.id")
          .leftJoin("progress", (join) =>
            join
              .onRef("progress.userId", "=", "enrollments.userId")
              .onRef("progress.lessonId", "=", "lessons.id"),
          )
          .select("lessons.id")
          .whereRef("enrollments.userId", "=", "care.userId")
          .where("products.deletedAt", "is", null)
          .where("modules.deletedAt", "is", null)
          .where("lessons.deletedAt", "is", null)
          .where("progress.userId", "is", null),
      ),
    );
  const order = { column: "care.activeAt", id: "profiles.id", direction: "desc" } as const;
  return keysetPage(query, order, page);
}

const shown = 10;

/** The first of them for the overview, in the coach's time zone. */
export async function readCareList(services: Services, timeZone: string) {
  const { rows, next } = await listQuietStudents(services, { cursor: null, limit: shown });
  const students = rows.map(({ id, name, email, activeAt }) => ({
    ...{ id, name, email },
    since: shortDate(activeAt, timeZone),
  }));
  return { students, hasMore: next !== null };
}

export type QuietStudents = Awaited<ReturnType<typeof readCareList>>;

/** The coach has written to a student, who is on the list again three weeks after the next sign.
 * @throws {Refused} not_found for who did not ask */
export async function markWritten(services: Services, userId: string): Promise<void> {
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    const row = await trx
      .updateTable("careRequests")
      .set({ writtenAt: clock.now() })
      .where("userId", "=", userId)
      .where("writtenAt", "is", null)
      .returning("userId")
      .executeTakeFirst();
    if (!row) throw new Refused("not_found", careMessages.gone);
    const about = { id: userId, label: "", personId: userId };
    await recordAudit(trx, services, { action: "account.written-to", ...about });
  });
}
