import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { listRecipients, recipients } from "~/features/newsletter/segments.server.ts";
import {
  enqueueLatePart,
  type IssuePart as Part,
  sendingKind,
} from "~/features/newsletter/welcome-series.server.ts";
import { rateOfIssue } from "~/features/suppressions/rates.server.ts";
import { exceeded } from "~/features/suppressions/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import { EmailDelayed, EmailRefused, MailServerAway } from "~/platform/email/mail.ts";
import { AddressSuppressed, LeaseOver } from "~/platform/email/sent.ts";
import { bulkConnections } from "~/platform/email/smtp.ts";
import type { EmailTemplate } from "~/platform/email/template.ts";
import type { Services } from "~/platform/http/services.ts";
import { reasonOf } from "~/platform/jobs/attempt.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { atLocalTime } from "~/platform/time/morning.ts";
import { type DeliveryOutcome, deliveryId, noteOutcomes, takeRound } from "./deliveries.server.ts";
import { getIssue, holdIssue, type Issue } from "./issues.server.ts";
import { issueMessage, issueTemplate } from "./render-issue.server.ts";
import { portionOf, triedOf, warmUpAllowance } from "./rules.ts";

const dayMs = 24 * 3600_000;

/** Sends the next part of an issue, then enqueues itself for the rest. A part is short, so that a stop of
 * the site and a stop by the coach need not wait; one at a time on all machines, so that what it finds as
 * 'sending' is of a process that is gone. */
export const sendIssueJob = defineJob({
  kind: sendingKind,
  label: "Your newsletter",
  sendsEmail: false,
  recorded: false,
  priority: "bulk",
  single: true,
  payload: z.object({ issueId: z.string(), run: z.number() }),
  async run(services, part, { signal }) {
    const start = services.clock.now();
    const issue = await beginPart(services, part);
    if (!issue) return;
    const end = performance.now() + partMs;
    const mayGoOn = () => performance.now() < end && !signal.aborted;
    let isEnqueued = issue.enqueuedAt !== null;
    while (!isEnqueued && mayGoOn()) isEnqueued = await enqueueReaders(services, part);
    const sending = { ...part, issue, mayGoOn, budget: isEnqueued ? budgetOf(services, issue) : 0 };
    const { away, ...tried } = await sendRounds(services, sending);
    // This very row is tried again: with the next part there would be one more of them each time.
    if (away) throw away;
    await endPart(services, { ...part, start, ...tried });
  },
});

const partMs = 2_000;

const isOf = (issue: Issue, { run }: Part) => issue.run === run;

const goesOn = ({ state }: Issue) =>
  state === "scheduled" || state === "sending" || state === "sent";

/** Not to all at once: of the welcome series, or the last issue for somebody who is new. */
const isLate = ({ state, welcomeDay }: Issue) => state === "sent" || welcomeDay !== null;

/** Marks the issue as being sent, and what a process that is gone was sending as doubtful. Null when the
 * issue was stopped, taken back or started again since. */
async function beginPart(services: Services, part: Part): Promise<Issue | null> {
  const { db, clock } = services;
  const { issueId: id } = part;
  return db.transaction(async (trx) => {
    const issue = await holdIssue(services, trx, id).catch(() => null);
    if (!issue || !isOf(issue, part)) return null;
    if (!goesOn(issue)) return null;
    const lost = await trx
      .updateTable("newsletterDeliveries")
      .set({ state: "doubtful" })
      .where("issueId", "=", id)
      .where("state", "=", "sending")
      .returning("subscriberId")
      .execute();
    const isBeginning = issue.state === "scheduled";
    if (!isBeginning && lost.length === 0) return issue;
    await trx
      .updateTable("newsletterIssues")
      .set((is) => ({
        ...(isBeginning && { state: "sending", startedAt: issue.startedAt ?? clock.now() }),
        doubtful: is("doubtful", "+", lost.length),
      }))
      .where("id", "=", id)
      .execute();
    return getIssue(trx, id);
  });
}

/** Subscribers looked at in one transaction, so that other writers do not wait long. */
const enqueuedAtOnce = 100;

/** Writes down who gets the issue, in portions. The position moves in the same transaction: after a crash
 * the next portion is the one that was missing. @returns whether that was the last */
export async function enqueueReaders(services: Services, part: Part): Promise<boolean> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const issue = await holdIssue(services, trx, part.issueId);
    if (!isOf(issue, part) || issue.enqueuedAt) return true;
    const now = clock.now();
    const { id: issueId, segment, position: after, morning, dueAt } = issue;
    const found = await listRecipients(trx, segment, { now, after, limit: enqueuedAtOnce });
    const rows = found.rows.map(({ id: subscriberId, timeZone }) => ({
      ...{ issueId, subscriberId, state: "waiting" as const },
      dueAt: (morning && timeZone && atLocalTime(morning, timeZone)) || dueAt || now,
    }));
    const added =
      rows.length === 0
        ? []
        : await trx
            .insertInto("newsletterDeliveries")
            .values(rows)
            .onConflict((conflict) => conflict.columns(["issueId", "subscriberId"]).doNothing())
            .returning("subscriberId")
            .execute();
    const isLast = found.position === null;
    await trx
      .updateTable("newsletterIssues")
      .set((is) => ({
        recipients: is("recipients", "+", added.length),
        position: found.position ?? after,
        ...(isLast && { enqueuedAt: now }),
      }))
      .where("id", "=", issueId)
      .execute();
    return isLast;
  });
}

/** How many emails may be tried in this part. */
function budgetOf({ config, clock }: Services, issue: Issue): number {
  const { mailPerHour } = config;
  const tried = triedOf(issue);
  const aMinute = mailPerHour
    ? Math.max(1, Math.floor(mailPerHour / 60))
    : Number.POSITIVE_INFINITY;
  const portion =
    issue.portion && !isLate(issue) ? portionOf(issue.recipients, issue.portion) - tried : aMinute;
  const day = issue.startedAt ? warmUpDay(issue.startedAt, clock.now()) : 0;
  const warmUp = issue.warmUp ? warmUpAllowance(day) - tried : aMinute;
  return Math.max(0, Math.min(aMinute, portion, warmUp));
}

const warmUpDay = (startedAt: Date, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / dayMs));

type Sending = Part & { issue: Issue; budget: number; mayGoOn: () => boolean };

/** How a part ended: how many were tried, whether the server delays everything, or cannot be reached. */
type Tried = { tried: number; isDelayed: boolean; away: Error | null };

/** Sends in rounds of as many emails as there are connections. What a round is about to send is noted
 * before it begins, what came of it together with the beginning of the next. */
async function sendRounds(services: Services, sending: Sending): Promise<Tried> {
  const { issueId, run, issue, budget, mayGoOn } = sending;
  const end: Tried = { tried: 0, isDelayed: false, away: null };
  let outcomes: DeliveryOutcome[] = [];
  let ready: Reader[] = [];
  try {
    while (end.tried < budget && !end.isDelayed && !end.away && mayGoOn()) {
      if (ready.length === 0) ready = await listReady(services, issueId, budget - end.tried);
      if (ready.length === 0) break;
      const round = ready.splice(0, Math.min(bulkConnections, budget - end.tried));
      const noted = outcomes;
      outcomes = [];
      const taken = await insist(services, () =>
        takeRound(services, { issueId, run }, { outcomes: noted, next: round.map(({ id }) => id) }),
      );
      if (!taken) break;
      const template = await templateOf(services, issue);
      const now = round.filter(({ id }) => taken.has(id));
      outcomes = await Promise.all(
        now.map((reader) => handOver(services, { issue, template }, reader)),
      );
      end.tried += outcomes.filter(({ is }) => is !== "back").length;
      end.isDelayed = outcomes.length > 0 && outcomes.every(({ is }) => is === "delayed");
      end.away = outcomes.find((one) => one.is === "back")?.error ?? null;
    }
    return end;
  } finally {
    const last = outcomes;
    if (last.length > 0)
      await insist(services, () => noteOutcomes(services, { issueId, run }, last));
  }
}

type Reader = { id: string; email: string; firstName: string; attempts: number };

const readAhead = 240;

/** Readers whose time has come. Those who left, are suppressed or suspended by now are skipped. */
async function listReady(services: Services, issueId: string, most: number): Promise<Reader[]> {
  const { db, clock } = services;
  const now = clock.now();
  const due = await db.read
    .selectFrom("newsletterDeliveries")
    .select(["subscriberId", "attempts"])
    .where("issueId", "=", issueId)
    .where("state", "=", "waiting")
    .where("dueAt", "<=", now)
    .orderBy("dueAt")
    .orderBy("subscriberId")
    .limit(Math.min(readAhead, most))
    .execute();
  if (due.length === 0) return [];
  const attempts = new Map(due.map((one) => [one.subscriberId, one.attempts]));
  const ids = [...attempts.keys()];
  const readers = await recipients(db.read, { kind: "all" }, now)
    .select(["subscribers.id", "subscribers.email", "subscribers.firstName"])
    .where("subscribers.id", "in", ids)
    .execute();
  const here = new Set(readers.map(({ id }) => id));
  const gone = ids.filter((id) => !here.has(id));
  if (gone.length > 0) await skip(services, issueId, gone);
  if (readers.length === 0) return listReady(services, issueId, most);
  return readers.map((reader) => ({ ...reader, attempts: attempts.get(reader.id) ?? 0 }));
}

async function skip({ db, clock }: Services, issueId: string, ids: string[]): Promise<void> {
  await db.transaction(async (trx) => {
    const skipped = await trx
      .updateTable("newsletterDeliveries")
      .set({ state: "skipped", notedAt: clock.now() })
      .where("issueId", "=", issueId)
      .where("subscriberId", "in", ids)
      .where("state", "=", "waiting")
      .returning("subscriberId")
      .execute();
    await trx
      .updateTable("newsletterIssues")
      .set((is) => ({ recipients: is("recipients", "-", skipped.length) }))
      .where("id", "=", issueId)
      .execute();
  });
}

let last: { key: string; template: Promise<EmailTemplate> } | null = null;

/** Of the issue that is being sent: parts follow each other, and are the same email. */
function templateOf(services: Services, issue: Issue): Promise<EmailTemplate> {
  const key = `${services.config.appUrl} ${issue.id} ${issue.run}`;
  if (last?.key !== key) last = { key, template: issueTemplate(services, issue) };
  const { template } = last;
  template.catch(() => {
    last = null;
  });
  return template;
}

/** Hands an email over to the mail server. Where the connection ended before its answer, it may have been
 * taken: that is doubtful, and not tried again. */
async function handOver(
  services: Services,
  email: { issue: Issue; template: EmailTemplate },
  reader: Reader,
): Promise<DeliveryOutcome> {
  const { id: subscriberId, attempts, email: address } = reader;
  const of = { subscriberId, attempts: attempts + 1, address };
  try {
    const id = deliveryId(email.issue.id, subscriberId);
    await services.mail.send(issueMessage(services, email, reader, id));
    return { ...of, is: "sent" };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof EmailRefused || error instanceof AddressSuppressed)
      return { ...of, is: "refused", reason };
    if (error instanceof EmailDelayed) return { ...of, is: "delayed", reason };
    if (error instanceof MailServerAway || error instanceof LeaseOver)
      return { ...of, is: "back", reason, error };
    return { ...of, is: "doubtful", reason };
  }
}

const insistMs = 500;
const insistTimes = 20;

/** What was sent and is not noted would be in doubt: a database that is away is waited for. */
async function insist<T>({ log }: Services, write: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await write();
    } catch (err) {
      if (times === insistTimes) throw err;
      log.warn({ err }, "what came of emails could not be noted yet");
      await setTimeout(insistMs);
    }
  }
}

const delayedMs = 60_000;

/** Stops the issue where it must, ends it where it is done, or enqueues the next part. */
async function endPart(
  services: Services,
  { start, tried, isDelayed, ...part }: Part & Omit<Tried, "away"> & { start: Date },
): Promise<void> {
  const { db, clock, config } = services;
  const { issueId: id } = part;
  const isMore = await db.transaction(async (trx) => {
    const issue = await holdIssue(services, trx, id);
    if (!isOf(issue, part) || !goesOn(issue)) return false;
    const now = clock.now();
    const set = (values: Partial<Pick<Issue, "state" | "stoppedBecause" | "finishedAt">>) =>
      trx.updateTable("newsletterIssues").set(values).where("id", "=", id).execute();
    const waiting = issue.enqueuedAt ? await nextDue(trx, id) : now;
    if (!waiting) {
      // One that goes to newcomers waits for the next.
      if (!isLate(issue)) await set({ state: "sent", finishedAt: now });
      return false;
    }
    const stop = issue.state === "sent" ? null : await whyStop(trx, issue);
    if (stop) {
      await set({ state: "stopped", stoppedBecause: stop });
      return false;
    }
    const pace = config.mailPerHour ? (tried * 3600_000) / config.mailPerHour : 0;
    const earliest = Math.max(
      waiting.getTime(),
      start.getTime() + pace,
      isDelayed ? now.getTime() + delayedMs : 0,
      issue.warmUp ? warmUpUntil(issue, now) : 0,
    );
    const dueAt = new Date(Math.max(earliest, now.getTime()));
    if (isLate(issue)) await enqueueLatePart(trx, part, { now, dueAt });
    else await enqueue(trx, sendIssueJob, part, { now, dueAt });
    return dueAt <= now;
  });
  if (isMore) services.wakeWorker();
}

/** Lets an issue go on whose part has failed for good, as after many crashes in a row. */
export const resumeStuckIssues: RegularTask = {
  name: "newsletter.resume",
  async run(services) {
    const { db, clock } = services;
    const issues = await db.read
      .selectFrom("newsletterIssues as issue")
      .select(["issue.id", "issue.run"])
      .where("issue.state", "in", ["scheduled", "sending", "sent"])
      .where(({ or, eb }) => or([eb("dueAt", "is", null), eb("dueAt", "<=", clock.now())]))
      .where(({ or, and, eb, exists, selectFrom }) => {
        const readers = selectFrom("newsletterDeliveries").select("subscriberId");
        const waiting = readers.whereRef("issueId", "=", "issue.id").where("state", "=", "waiting");
        // A welcome series is never done.
        const isOpen = and([eb("issue.state", "!=", "sent"), eb("welcomeDay", "is", null)]);
        return or([isOpen, exists(waiting)]);
      })
      .execute();
    const open = await db.read
      .selectFrom("outbox")
      .select("payload")
      .where("kind", "=", sendIssueJob.kind)
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .execute();
    const known = open.map(({ payload }) => sendIssueJob.payload.parse(payload));
    for (const { id: issueId, run } of issues) {
      const part = { issueId, run };
      if (known.some((one) => one.issueId === issueId && one.run === run)) continue;
      await enqueue(db.write, sendIssueJob, part, { now: clock.now() });
    }
  },
};

async function nextDue(trx: Query, issueId: string): Promise<Date | null> {
  const next = await trx
    .selectFrom("newsletterDeliveries")
    .select("dueAt")
    .where("issueId", "=", issueId)
    .where("state", "=", "waiting")
    .orderBy("dueAt")
    .limit(1)
    .executeTakeFirst();
  return next?.dueAt ?? null;
}

/** When the next day of a warm-up begins, where this one's emails have gone; else 0. */
function warmUpUntil(issue: Issue, now: Date): number {
  const startedAt = issue.startedAt ?? now;
  const day = warmUpDay(startedAt, now);
  return triedOf(issue) < warmUpAllowance(day) ? 0 : startedAt.getTime() + (day + 1) * dayMs;
}

async function whyStop(trx: Query, issue: Issue) {
  const tried = triedOf(issue);
  const isPortion = issue.portion !== null && tried >= portionOf(issue.recipients, issue.portion);
  if (isPortion) return "portion";
  if (issue.anyRate) return null;
  const { bounces, complaints } = exceeded(await rateOfIssue(trx, issue.id));
  return complaints ? "complaints" : bounces ? "bounces" : null;
}
