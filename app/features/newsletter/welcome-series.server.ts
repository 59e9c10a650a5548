import { v5 } from "uuid";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { IssueState } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue, enqueueOnce } from "~/platform/jobs/outbox.ts";
import { morningAfter } from "~/platform/time/morning.ts";
import { knownZone } from "~/platform/time/words.ts";

/** The work that sends a part of an issue; its payload is an {@link IssuePart}. */
export const sendingKind = "newsletter.send";

export type IssuePart = { issueId: string; run: number };

/** Two transactions about one issue follow each other. */
export const lockIssue = ({ db }: Pick<Services, "db">, trx: Query, id: string) =>
  lockId(db, trx, `issue:${id}`);

/** The namespace of the ids in the outbox (RFC 9562, version 5): one for each issue, run and minute. */
const partIds = "5f0b6f5e-7c36-4d0e-9d55-3a1f0f9a4c11";
const minuteMs = 60_000;

/** Enqueues a part of an issue that is sent to one reader after another. What is for later is enqueued
 * once a minute, when the minute is over: parts that enqueue the next one never become many. */
export async function enqueueLatePart(
  trx: Query,
  part: IssuePart,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<void> {
  const { issueId, run } = part;
  const payload: IssuePart = { issueId, run };
  if (dueAt <= now) {
    await enqueue(trx, { kind: sendingKind }, payload, { now });
    return;
  }
  const minute = Math.ceil(dueAt.getTime() / minuteMs) * minuteMs;
  const id = v5(`${issueId} ${run} ${minute}`, partIds);
  const work = [{ id, payload, dueAt: new Date(minute) }];
  await enqueueOnce(trx, { kind: sendingKind }, work, now);
}

const hour = 8;
const mostOfSeries = 60;
const lastIssueSetting = "newsletter-last-issue";

/** Whether new readers get the last issue when they confirm. */
export async function givesLastIssue(db: Query): Promise<boolean> {
  const setting = db.selectFrom("settings").select("value").where("name", "=", lastIssueSetting);
  return (await setting.executeTakeFirst()) !== undefined;
}

/** Changes {@link givesLastIssue}. @returns whether it was otherwise before */
export async function setLastIssue(trx: Query, isGiven: boolean, now: Date): Promise<boolean> {
  if (isGiven) {
    const added = await trx
      .insertInto("settings")
      .values({ name: lastIssueSetting, value: "yes", createdAt: now })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    return added !== undefined;
  }
  const { numDeletedRows } = await trx
    .deleteFrom("settings")
    .where("name", "=", lastIssueSetting)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

type Newcomer = { id: string; timeZone: string | null };

/** What somebody gets who confirms now: each issue of the welcome series on its day, and the last issue
 * at once where the coach wants that. An issue that has gone to them is not sent again. */
export async function beginSeries(
  services: Pick<Services, "db" | "content">,
  trx: Query,
  newcomer: Newcomer,
  now: Date,
): Promise<void> {
  const zone = knownZone(newcomer.timeZone, services.content.site.timeZone);
  const series = await trx
    .selectFrom("newsletterIssues")
    .select(["id", "welcomeDay"])
    .where("welcomeDay", "is not", null)
    .where("state", "=", "sending")
    // All take the locks in one order.
    .orderBy("id")
    .limit(mostOfSeries)
    .execute();
  for (const { id, welcomeDay } of series) {
    const days = welcomeDay ?? 0;
    const dueAt = days > 0 ? morningAfter(now, zone, days, hour) : now;
    await addDelivery(services, trx, { issueId: id, reader: newcomer.id, dueAt, now });
  }
  const last = (await givesLastIssue(trx)) ? await findLastIssue(trx) : undefined;
  if (last)
    await addDelivery(services, trx, {
      ...{ issueId: last.id, reader: newcomer.id, dueAt: now, now },
    });
}

/** The newest issue that anybody may read and that has gone to all, or is about to. */
function findLastIssue(trx: Query) {
  return trx
    .selectFrom("newsletterIssues")
    .select("id")
    .where("startedAt", "is not", null)
    .where("slug", "is not", null)
    .where("inArchive", "=", true)
    .where("welcomeDay", "is", null)
    .where("state", "in", ["sending", "sent"])
    .orderBy("startedAt", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

type Added = { issueId: string; reader: string; dueAt: Date; now: Date };

const taking: IssueState[] = ["sending", "sent"];

async function addDelivery(
  services: Pick<Services, "db">,
  trx: Query,
  { issueId, reader, dueAt, now }: Added,
): Promise<void> {
  await lockIssue(services, trx, issueId);
  const issue = await trx
    .selectFrom("newsletterIssues")
    .select(["run", "state", "welcomeDay"])
    .where("id", "=", issueId)
    .executeTakeFirst();
  if (!issue || !taking.includes(issue.state)) return;
  const added = await trx
    .insertInto("newsletterDeliveries")
    .values({ issueId, subscriberId: reader, state: "waiting", dueAt })
    .onConflict((conflict) =>
      conflict
        .columns(["issueId", "subscriberId"])
        // Of somebody who had left before it went to them.
        .doUpdateSet({ state: "waiting", dueAt, notedAt: null })
        .where("newsletterDeliveries.state", "=", "skipped"),
    )
    .returning("subscriberId")
    .executeTakeFirst();
  if (!added) return;
  await trx
    .updateTable("newsletterIssues")
    .set((is) => ({ recipients: is("recipients", "+", 1) }))
    .where("id", "=", issueId)
    .execute();
  // One that is going to all has its own next part.
  if (issue.welcomeDay === null && issue.state === "sending") return;
  await enqueueLatePart(trx, { issueId, run: issue.run }, { now, dueAt });
}
