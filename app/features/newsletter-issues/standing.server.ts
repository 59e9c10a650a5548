import { visitsOfIssue } from "~/features/newsletter-archive/archive.server.ts";
import { countAnswers } from "~/features/suppressions/rates.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import type { IssueLine } from "./components/issue-list.tsx";
import type { IssueStanding } from "./components/issue-progress.tsx";
import { type Issue, listIssues } from "./issues.server.ts";
import { issueStateInWords, type StopReason } from "./messages.ts";

/** The issues of the desk's list, in words. */
export async function listIssueLines(
  services: Services,
  at: { cursor: string | null; limit: number },
  timeZone: string,
) {
  const { rows, ...pages } = await listIssues(services, at);
  const lines = rows.map((issue): IssueLine => {
    const { id, subject, state, sent, recipients } = issue;
    const time = { draft: issue.updatedAt, scheduled: issue.dueAt }[state as "draft"];
    const when = time ?? issue.startedAt;
    const isBegun = state !== "draft" && state !== "scheduled";
    const of =
      state === "sent" || issue.welcomeDay !== null
        ? ""
        : ` of ${recipients.toLocaleString("en-US")}`;
    return {
      ...{ id, subject, state: issueStateInWords(issue) },
      when: when ? dateAndTime(when, timeZone) : "",
      count: isBegun ? `${sent.toLocaleString("en-US")}${of}` : "",
    };
  });
  return { ...pages, lines };
}

const mostNamed = 100;

/** What has become of an issue, for its page. */
export async function issueStandingOf(services: Services, issue: Issue): Promise<IssueStanding> {
  const { id, state, recipients, sent, refused, doubtful, leftAfter, inArchive, slug, welcomeDay } =
    issue;
  const named = services.db.read
    .selectFrom("newsletterDeliveries")
    .innerJoin("subscribers", "subscribers.id", "newsletterDeliveries.subscriberId")
    .select("subscribers.email")
    .where("issueId", "=", id)
    .where("state", "=", "doubtful")
    .orderBy("newsletterDeliveries.subscriberId")
    .limit(mostNamed);
  return {
    ...{ state, recipients, sent, refused, doubtful, leftAfter, inArchive, slug, welcomeDay },
    stoppedBecause: issue.stoppedBecause as StopReason | null,
    isEnqueued: issue.enqueuedAt !== null,
    answered: await countAnswers(services, issue),
    visits: inArchive && slug ? (await visitsOfIssue(services, slug)).openings : null,
    doubtfulAddresses: doubtful > 0 ? (await named.execute()).map(({ email }) => email) : [],
  };
}
