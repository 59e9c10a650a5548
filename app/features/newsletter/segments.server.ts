import { sql } from "kysely";
import { countOf, type Query } from "~/platform/db/database.ts";
import type { Segment } from "~/platform/db/newsletter-tables.ts";
import { isSuppressed } from "~/platform/email/sent.ts";

type Db = { read: Query };

/** Who gets the newsletter now, at every issue or once a month: confirmed, not suppressed, not asking for
 * quiet, without an account that is suspended or being deleted. Rows are `subscribers`. */
export function reachedSubscribers(db: Query, now: Date) {
  return db
    .selectFrom("subscribers")
    .where("subscribers.status", "=", "confirmed")
    .where(({ or, eb }) => or([eb("quietUntilAt", "is", null), eb("quietUntilAt", "<=", now)]))
    .where(({ not }) => not(isSuppressed("subscribers.emailKey")))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("profiles")
            .select(sql`1`.as("one"))
            .whereRef("profiles.email", "=", "subscribers.emailKey")
            .where(({ or, eb }) =>
              or([eb("suspendedAt", "is not", null), eb("deletionDueAt", "is not", null)]),
            ),
        ),
      ),
    );
}

/** The zone of a row's reader: of their account, else of the browser that signed up; null if unknown. */
export const readerZone = sql<string | null>`coalesce(
  (select time_zone from profiles where profiles.email = subscribers.email_key),
  subscribers.time_zone)`;

/** Who gets an issue now, narrowed by its segment. Rows are `subscribers`. */
export function recipients(db: Query, segment: Segment, now: Date) {
  const query = reachedSubscribers(db, now).where("subscribers.monthly", "=", false);
  if (segment.kind === "new-since")
    return query.where("subscribers.confirmedAt", ">=", new Date(segment.since));
  if (segment.kind === "course")
    return query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("profiles")
          .innerJoin("enrollments", "enrollments.userId", "profiles.id")
          .select(sql`1`.as("one"))
          .whereRef("profiles.email", "=", "subscribers.emailKey")
          .where("enrollments.productId", "=", segment.productId),
      ),
    );
  if (segment.kind === "without-account")
    return query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("profiles")
            .select(sql`1`.as("one"))
            .whereRef("profiles.email", "=", "subscribers.emailKey"),
        ),
      ),
    );
  return query;
}

/** The confirmed subscriber with whom a portion of `limit` ends; null when these are the last. */
async function endOfPortion(db: Query, after: string | null, limit: number) {
  let ids = db
    .selectFrom("subscribers")
    .select("id")
    .where("status", "=", "confirmed")
    .orderBy("id")
    .limit(limit);
  if (after !== null) ids = ids.where("id", ">", after);
  const { last, count } = await db
    .selectFrom(ids.as("some"))
    .select(({ fn }) => [fn.max("id").as("last"), fn.countAll().as("count")])
    .executeTakeFirstOrThrow();
  return Number(count) < limit ? null : last;
}

function portion(db: Query, segment: Segment, { now, after, end }: Between) {
  let query = recipients(db, segment, now);
  if (after !== null) query = query.where("subscribers.id", ">", after);
  if (end !== null) query = query.where("subscribers.id", "<=", end);
  return query;
}

type Between = { now: Date; after: string | null; end: string | null };

/** The recipients among the next `limit` confirmed subscribers, by id. A portion looks at no more
 * than `limit` rows, however few of them the segment has, so it may be empty before the end.
 * @returns `position` for the next call; null when this was the last portion */
export async function listRecipients(
  db: Query,
  segment: Segment,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
) {
  const end = await endOfPortion(db, after, limit);
  const rows = await portion(db, segment, { now, after, end })
    .select([
      "subscribers.id",
      "subscribers.email",
      "subscribers.firstName",
      readerZone.as("timeZone"),
    ])
    .orderBy("subscribers.id")
    .execute();
  return { rows, position: end };
}

/** Beyond it, a segment is counted by a sample. */
const mostCounted = 10_000;
const countedAtOnce = 2500;

/** How many recipients a segment has: exact up to 10,000, then estimated from as many as that. Ids
 * are keyed hashes, so the first of them stand for all. */
export async function countRecipients(
  { read }: Db,
  segment: Segment,
  now: Date,
): Promise<{ count: number; isExact: boolean }> {
  let [count, looked] = [0, 0];
  let after: string | null = null;
  do {
    const end: string | null = await endOfPortion(read, after, countedAtOnce);
    count += await countOf(portion(read, segment, { now, after, end }));
    looked += countedAtOnce;
    after = end;
  } while (after !== null && count <= mostCounted);
  if (after === null) return { count, isExact: true };
  const confirmed = await countOf(read.selectFrom("subscribers").where("status", "=", "confirmed"));
  return { count: Math.round((count * Math.max(confirmed, looked)) / looked), isExact: false };
}
