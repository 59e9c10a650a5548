import slugify from "@sindresorhus/slugify";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { countRecipients } from "~/features/newsletter/segments.server.ts";
import { requestIssueCard } from "~/features/newsletter-archive/archive.server.ts";
import { reservedSlugs } from "~/features/newsletter-archive/rules.ts";
import { keepPictures } from "~/features/pictures/pictures.server.ts";
import { waitingPicture } from "~/features/pictures/rules.ts";
import { keepRecordings } from "~/features/recordings/recordings.server.ts";
import { hasWaitingRecording } from "~/features/recordings/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Segment } from "~/platform/db/newsletter-tables.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { receiver } from "~/platform/email/message.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { MarkdownRefused } from "~/platform/markdown/refusal.ts";
import { atLocalTime, startOfDay } from "~/platform/time/morning.ts";
import { dateAndTime, shortDate } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { addIssueVersion, getIssue, holdIssue, type Issue } from "./issues.server.ts";
import { issueMessages, welcomeInWords } from "./messages.ts";
import { previewIssue, renderIssueHtml } from "./render-issue.server.ts";
import type { SendOptions } from "./schema.ts";
import { sendIssueJob } from "./send-issue.server.ts";

const yearMs = 366 * 24 * 3600_000;

/** Where clocks are ahead of all others: there the morning of a day begins first. */
const firstZone = "Pacific/Kiritimati";

type Start = {
  options: SendOptions;
  /** In which the coach typed the time. */
  timeZone: string;
  /** The save that the coach looked at: 'draftId:revision'. */
  seen: string;
};

export const seenOf = ({ draftId, revision }: Pick<Issue, "draftId" | "revision">) =>
  `${draftId}:${revision}`;

/** Sends a draft now or at a time; a job does it. From here on its words cannot be changed.
 * @throws {Refused} invalid, conflict where it was changed since it was looked at */
export async function startIssue(services: Services, id: string, start: Start): Promise<Issue> {
  const { db, clock } = services;
  const { options, timeZone, seen } = start;
  const { inArchive, warmUp, portion, welcomeDay } = options;
  if (welcomeDay !== null) return startSeriesIssue(services, id, { welcomeDay, seen });
  const segment = segmentOf(options.segment, timeZone);
  const times = timesOf(services, options, timeZone);
  const draft = await getIssue(db.read, id);
  requireWords(draft);
  const { count } = await countRecipients(db, segment, clock.now());
  if (count === 0) throw new Refused("invalid", issueMessages.noReaders);
  const html = await rendered(services, draft);
  await db.transaction(async (trx) => {
    const issue = await holdDraft(services, trx, draft, seen);
    const now = clock.now();
    const slug = issue.slug ?? (await freeIssueSlug(services, trx, issue.subject));
    await trx
      .updateTable("newsletterIssues")
      .set({
        ...{ slug, html, state: "scheduled", segment: JSON.stringify(segment) },
        ...{ inArchive, warmUp, portion, run: issue.run + 1 },
        ...{ stoppedBecause: null, anyRate: false },
        ...{ dueAt: times.dueAt, morning: times.morning, updatedAt: now },
      })
      .where("id", "=", id)
      .execute();
    await requestIssueCard(trx, services, { id, subject: issue.subject });
    const dueAt = new Date(Math.max(times.beginsAt.getTime(), now.getTime()));
    await enqueue(trx, sendIssueJob, { issueId: id, run: issue.run + 1 }, { now, dueAt });
    const action = times.isNow ? "newsletter.sent" : "newsletter.scheduled";
    await recordAudit(trx, services, { action, id, label: issue.subject });
  });
  services.wakeWorker();
  return getIssue(db.read, id);
}

/** The draft that the coach looked at; its pictures and words are stored as they are. @throws {Refused} conflict */
async function holdDraft(services: Services, trx: Query, draft: Issue, seen: string) {
  const issue = await holdIssue(services, trx, draft.id);
  if (issue.state !== "draft" || seenOf(issue) !== seen || seenOf(draft) !== seen)
    throw new Refused("conflict", issueMessages.notNow);
  await keepPictures(trx, issue.body);
  await keepRecordings(trx, issue.body);
  await addIssueVersion(trx, services, issue.id, issue);
  return issue;
}

/** Makes a draft part of the welcome series: confirming enqueues its emails. */
async function startSeriesIssue(
  services: Services,
  id: string,
  { welcomeDay, seen }: { welcomeDay: number; seen: string },
): Promise<Issue> {
  const { db, clock } = services;
  const draft = await getIssue(db.read, id);
  requireWords(draft);
  const html = await rendered(services, draft);
  await db.transaction(async (trx) => {
    const issue = await holdDraft(services, trx, draft, seen);
    const now = clock.now();
    await trx
      .updateTable("newsletterIssues")
      .set({
        ...{ html, state: "sending", welcomeDay, segment: JSON.stringify({ kind: "all" }) },
        ...{ slug: null, inArchive: false, warmUp: false, portion: null, morning: null },
        ...{ run: issue.run + 1, stoppedBecause: null, anyRate: false },
        ...{ dueAt: null, startedAt: now, enqueuedAt: now, updatedAt: now },
      })
      .where("id", "=", id)
      .execute();
    await recordAudit(trx, services, { action: "newsletter.series", id, label: issue.subject });
  });
  return getIssue(db.read, id);
}

/** 'New since' a day: since it began where the coach is. */
function segmentOf(segment: Segment, timeZone: string): Segment {
  if (segment.kind !== "new-since") return segment;
  const since = startOfDay(segment.since, timeZone);
  if (!since) throw new Refused("invalid", issueMessages.noDay);
  return { ...segment, since: since.toISOString() };
}

function timesOf({ clock }: Services, { at, inMorning }: SendOptions, timeZone: string) {
  const now = clock.now();
  if (at === "") return { isNow: true, dueAt: now, beginsAt: now, morning: null };
  const dueAt = atLocalTime(at, timeZone);
  if (!dueAt) throw new Refused("invalid", issueMessages.timeUnclear);
  if (dueAt <= now) throw new Refused("invalid", issueMessages.timePast);
  if (dueAt.getTime() - now.getTime() > yearMs) throw new Refused("invalid", issueMessages.timeFar);
  const beginsAt = (inMorning && atLocalTime(at, firstZone)) || dueAt;
  return { isNow: false, dueAt, beginsAt, morning: inMorning ? at : null };
}

/** What a start would do, in words. @throws {Refused} as {@link startIssue} */
export async function reviewIssue(services: Services, id: string, start: Start) {
  const { db, clock } = services;
  const { options, timeZone } = start;
  const issue = await getIssue(db.read, id);
  requireWords(issue);
  const { subject } = issue;
  if (options.welcomeDay !== null)
    return { subject, when: welcomeInWords(options.welcomeDay), to: null, notes: seriesNotes };
  const segment = segmentOf(options.segment, timeZone);
  const { isNow, dueAt, morning } = timesOf(services, options, timeZone);
  const { count, isExact } = await countRecipients(db, segment, clock.now());
  if (count === 0) throw new Refused("invalid", issueMessages.noReaders);
  const whom = await segmentInWords(db.read, segment, timeZone);
  const notes = [
    options.portion && `First to ${options.portion} per cent of them, then it waits for you.`,
    options.warmUp && "200 on the first day, twice as many on each day after it.",
    options.inArchive ? "It is in the archive on the site." : "It is not in the archive.",
  ].filter((note) => typeof note === "string");
  const time = dateAndTime(dueAt, timeZone);
  const when = isNow ? "Now" : morning ? `${time}, where each reader is` : time;
  return { subject, when, to: { whom, count, isExact, isNow }, notes };
}

const seriesNotes = [
  "Everybody who confirms from now on gets it. Those who are on the list already do not.",
  "It is not in the archive. You can stop it whenever you like.",
];

async function segmentInWords(db: Query, segment: Segment, timeZone: string): Promise<string> {
  switch (segment.kind) {
    case "all":
      return "everybody on the list";
    case "without-account":
      return "those without an account here";
    case "new-since":
      return `those who confirmed since ${shortDate(new Date(segment.since), timeZone)}`;
    case "course": {
      const course = db.selectFrom("products").select("title").where("id", "=", segment.productId);
      const { title } = (await course.executeTakeFirst()) ?? { title: "a course" };
      return `students of ${title} who are on the list`;
    }
  }
}

/** @throws {Refused} invalid */
export function requireWords({ subject, body }: Pick<Issue, "subject" | "body">): void {
  if (subject.trim() === "") throw new Refused("invalid", issueMessages.noSubject);
  if (body.trim() === "") throw new Refused("invalid", issueMessages.noBody);
  const picture = waitingPicture(body);
  if (picture !== null) throw new Refused("invalid", issueMessages.uploading(picture));
  if (hasWaitingRecording(body)) throw new Refused("invalid", issueMessages.uploadingRecording);
}

async function rendered(services: Services, issue: Issue): Promise<string> {
  try {
    await previewIssue(services, issue, "");
    return await renderIssueHtml(services, issue.body);
  } catch (error) {
    if (error instanceof MarkdownRefused) throw new Refused("invalid", issueMessages.textRefused);
    throw error;
  }
}

const longestSlug = 80;

async function freeIssueSlug({ db }: Services, trx: Query, subject: string): Promise<string> {
  await lockId(db, trx, "newsletter slugs");
  const stem = slugify(subject).slice(0, longestSlug).replace(/-+$/, "") || "issue";
  const like = await trx
    .selectFrom("newsletterIssues")
    .select("slug")
    .where("slug", "like", `${stem}%`)
    .execute();
  const taken = new Set([...like.map(({ slug }) => slug), ...reservedSlugs]);
  if (!taken.has(stem)) return stem;
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

type Change = Partial<
  Pick<
    Issue,
    | "state"
    | "run"
    | "stoppedBecause"
    | "portion"
    | "anyRate"
    | "doubtful"
    | "slug"
    | "dueAt"
    | "finishedAt"
  >
>;

async function change(
  services: Services,
  id: string,
  { from, action, to }: { from: From; action: Audited; to: (issue: Issue) => Change },
  also: (trx: Query, issue: Issue) => Promise<void> = async () => {},
): Promise<void> {
  await services.db.transaction(async (trx) => {
    const issue = await holdIssue(services, trx, id);
    if (!from(issue)) throw new Refused("conflict", issueMessages.notNow);
    const values = { ...to(issue), run: issue.run + 1, updatedAt: services.clock.now() };
    await trx.updateTable("newsletterIssues").set(values).where("id", "=", id).execute();
    await also(trx, { ...issue, ...values });
    await recordAudit(trx, services, { action, id, label: issue.subject });
  });
  services.wakeWorker();
}

type From = (issue: Issue) => boolean;

const is =
  (state: Issue["state"]): From =>
  (issue) =>
    issue.state === state;

type Audited = Parameters<typeof recordAudit>[2]["action"];

/** A scheduled issue becomes a draft again. @throws {Refused} conflict when it has begun */
export function unscheduleIssue(services: Services, id: string): Promise<void> {
  const to = () => ({ state: "draft" as const, slug: null, dueAt: null });
  return change(services, id, { from: is("scheduled"), action: "newsletter.unscheduled", to });
}

/** Emails that are being handed over at this moment still arrive. @throws {Refused} conflict */
export function stopIssue(services: Services, id: string): Promise<void> {
  const to = () => ({ state: "stopped" as const, stoppedBecause: "coach" });
  return change(services, id, { from: is("sending"), action: "newsletter.stopped", to });
}

const goOn = (services: Services) => async (trx: Query, issue: Issue) => {
  await enqueue(
    trx,
    sendIssueJob,
    { issueId: issue.id, run: issue.run },
    {
      now: services.clock.now(),
    },
  );
};

/** Sends to the rest, also after a first portion. @throws {Refused} conflict */
export function resumeIssue(services: Services, id: string): Promise<void> {
  const to = ({ stoppedBecause, anyRate }: Issue) => ({
    ...{ state: "sending" as const, stoppedBecause: null, portion: null },
    anyRate: anyRate || stoppedBecause === "bounces" || stoppedBecause === "complaints",
  });
  const done = { from: is("stopped"), action: "newsletter.resumed" as const, to };
  return change(services, id, done, goOn(services));
}

/** Sends once more to those that may have got it or not. @throws {Refused} conflict */
export function sendDoubtfulAgain(services: Services, id: string): Promise<void> {
  const to = () => ({ state: "sending" as const, doubtful: 0, finishedAt: null });
  const from: From = ({ state, welcomeDay }) =>
    state === "sent" || (state === "sending" && welcomeDay !== null);
  const done = { from, action: "newsletter.sent-again" as const, to };
  return change(services, id, done, async (trx, issue) => {
    await trx
      .updateTable("newsletterDeliveries")
      .set({ state: "waiting", dueAt: services.clock.now() })
      .where("issueId", "=", id)
      .where("state", "=", "doubtful")
      .execute();
    await goOn(services)(trx, issue);
  });
}

const testsAnHour = 20;

/** Sends a draft to the admin at once, past the outbox. @throws {Refused} invalid, rate_limited */
export async function sendTestIssue(
  services: Services,
  id: string,
  admin: { id: string; name: string; email: string },
): Promise<void> {
  const { db, mail } = services;
  const issue = await getIssue(db.read, id);
  requireWords(issue);
  const limit = { what: "test issue", whose: admin.id, max: testsAnHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit)))
    throw new Refused("rate_limited", issueMessages.testLimit);
  const body = await previewIssue(services, issue, admin.name);
  const to = receiver(admin.name, admin.email);
  await mail.send(
    { id: newId(), to, subject: issue.subject, ...body },
    AbortSignal.timeout(10_000),
  );
}
