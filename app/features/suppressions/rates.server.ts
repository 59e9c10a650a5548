import { countOf, type Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { type MailRates, mailReportDays, rateDays } from "./rules.ts";

/** Of the last {@link rateDays}: emails that were handed to the mail server, and what came of them. The
 * outbox has its rows for as long; issues of the newsletter count by when they began, those of a welcome series by when they were due. */
export async function bounceRates(db: Query, now: Date): Promise<MailRates> {
  const since = new Date(now.getTime() - rateDays * 24 * 3600_000);
  const [issues, welcomes, emails, reports] = await Promise.all([
    db
      .selectFrom("newsletterIssues")
      .select(({ fn }) => [fn.sum("sent").as("sent"), fn.sum("refused").as("refused")])
      .where("startedAt", ">=", since)
      .executeTakeFirst(),
    // A welcome series began when the coach wrote it, and goes on.
    countOf(
      db
        .selectFrom("newsletterDeliveries")
        .innerJoin("newsletterIssues", "newsletterIssues.id", "newsletterDeliveries.issueId")
        .where("welcomeDay", "is not", null)
        .where("startedAt", "<", since)
        .where("newsletterDeliveries.state", "in", ["sent", "refused"])
        .where("newsletterDeliveries.dueAt", ">=", since),
    ),
    countOf(
      db.selectFrom("outbox").where("finishedAt", ">=", since).where("subject", "is not", null),
    ),
    db
      .selectFrom("mailReports")
      .select(({ fn }) => ["kind", fn.countAll().as("count")])
      .where("createdAt", ">=", since)
      .groupBy("kind")
      .execute(),
  ]);
  const of = (kind: string) => Number(reports.find((one) => one.kind === kind)?.count ?? 0);
  return {
    sent: emails + welcomes + Number(issues?.sent ?? 0) + Number(issues?.refused ?? 0),
    bounced: of("bounce"),
    complained: of("complaint"),
  };
}

/** How many readers answered an issue of the newsletter, as the mailbox shows. Null where the site reads
 * none, and where answers have been deleted as old reports are. */
export async function countAnswers(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  issue: { id: string; startedAt: Date | null; welcomeDay: number | null },
): Promise<number | null> {
  const { id, startedAt, welcomeDay } = issue;
  const from = new Date(clock.now().getTime() - mailReportDays * 24 * 3600_000);
  if (!config.bounceMailboxUrl || !startedAt) return null;
  if (welcomeDay === null && startedAt < from) return null;
  const first = startedAt < from ? from : startedAt;
  return countOf(
    db.read
      .selectFrom("mailReports")
      .where("createdAt", ">=", first)
      .where("issueId", "=", id)
      .where("kind", "=", "reply"),
  );
}

/** What came of an issue of the newsletter so far: whom it was handed over for, who refused it at once
 * or later, and who reported it as spam. */
export async function rateOfIssue(db: Query, issueId: string): Promise<MailRates> {
  const issue = await db
    .selectFrom("newsletterIssues")
    .select(["sent", "refused", "startedAt"])
    .where("id", "=", issueId)
    .executeTakeFirst();
  if (!issue?.startedAt) return { sent: 0, bounced: 0, complained: 0 };
  const { sent, refused, startedAt } = issue;
  const complained = await countOf(
    db
      .selectFrom("mailReports")
      .where("createdAt", ">=", startedAt)
      .where("issueId", "=", issueId)
      .where("kind", "=", "complaint"),
  );
  return { sent: sent + refused, bounced: refused, complained };
}
