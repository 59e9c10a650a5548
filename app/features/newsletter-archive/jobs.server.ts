import { v5 } from "uuid";
import { z } from "zod";
import { reachedSubscribers, readerZone } from "~/features/newsletter/segments.server.ts";
import { frequencyUrl, unsubscribeUrl } from "~/features/newsletter/subscribers.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { unsubscribeHeaders } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueueOnce } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { localHour, nextMorning, startOfDay } from "~/platform/time/morning.ts";
import { knownZone } from "~/platform/time/words.ts";
import { archivedIssues } from "./archive.server.ts";
import { MonthlyDigest } from "./emails/monthly-digest.tsx";
import { issuePath, monthAfter, monthBefore } from "./rules.ts";

/** In a month's first days, so that a site that was away on the first still sends it. */
const lastDay = 3;
const hour = 8;
const mostIssues = 31;
/** Subscribers looked at in one transaction. */
const portion = 500;

/** The namespace of the ids in the outbox (RFC 9562, version 5): one for each month and subscriber. */
const digestIds = "0d3bb2a4-6a0e-4f0f-9b64-0b8c9a2f6a17";

/** Who gets the email of a month. */
const digestReaders = (db: Query, now: Date) =>
  reachedSubscribers(db, now).where("subscribers.monthly", "=", true);

/** What the archive has of a month such as '2026-11' in the site's zone, oldest first. */
async function issuesOfMonth({ db, content }: Services, month: string) {
  const { timeZone } = content.site;
  const [from, until] = [month, monthAfter(month)].map((one) => startOfDay(`${one}-01`, timeZone));
  if (!from || !until) return [];
  return archivedIssues(db.read)
    .select(["slug", "subject", "preview"])
    .where("startedAt", ">=", from)
    .where("startedAt", "<", until)
    .orderBy("startedAt")
    .orderBy("id")
    .limit(mostIssues)
    .execute();
}

/** Sends a month's email to one subscriber, if they still want it. */
export const monthlyDigestEmail = defineJob({
  kind: "newsletter.digest",
  label: "Newsletter: once a month",
  priority: "bulk",
  recorded: false,
  payload: z.object({ subscriberId: z.string(), month: z.string() }),
  async run(services, { subscriberId, month }, { id }) {
    const { db, clock, config } = services;
    const reader = await digestReaders(db.read, clock.now())
      .select(["firstName", "email"])
      .where("id", "=", subscriberId)
      .executeTakeFirst();
    if (!reader) return;
    const rows = await issuesOfMonth(services, month);
    if (rows.length === 0) return;
    const name = monthName(month);
    const unsubscribe = unsubscribeUrl(services, subscriberId);
    const message = {
      ...{ id, subject: `The newsletters of ${name}` },
      to: { name: reader.firstName, address: reader.email },
      headers: unsubscribeHeaders(unsubscribe),
    };
    await sendEmail(services, message, MonthlyDigest, {
      month: name,
      issues: rows.map(({ slug, ...issue }) => ({
        ...issue,
        url: config.appUrl + issuePath(slug ?? ""),
      })),
      frequency: frequencyUrl(services, subscriberId),
      unsubscribe,
    });
  },
});

const monthName = (month: string) =>
  new Date(`${month}-15T00:00:00Z`).toLocaleDateString("en-US", { month: "long", timeZone: "UTC" });

/** Enqueues a month's emails. After a crash it begins again: what is enqueued stays as it is. */
export const monthlyDigestPortions = defineJob({
  kind: "newsletter.digest-portions",
  label: "Newsletter: once a month",
  sendsEmail: false,
  priority: "bulk",
  payload: z.object({ month: z.string() }),
  async run(services, { month }, { signal }) {
    if ((await issuesOfMonth(services, month)).length === 0) return;
    let place: Place | null = { createdAt: new Date(0), id: "" };
    while (place) {
      signal.throwIfAborted();
      place = await enqueueDigests(services, month, place);
    }
    services.wakeWorker();
  },
});

type Place = { createdAt: Date; id: string };

/** @returns where the next portion begins; null after the last one */
async function enqueueDigests(
  { db, clock, content }: Services,
  month: string,
  place: Place,
): Promise<Place | null> {
  const now = clock.now();
  const looked = await db.read
    .selectFrom("subscribers")
    .select(["id", "createdAt"])
    .where("status", "=", "confirmed")
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("createdAt", "id"), ">", tuple(place.createdAt, place.id)),
    )
    .orderBy("createdAt")
    .orderBy("id")
    .limit(portion)
    .execute();
  const last = looked.at(-1);
  if (!last) return null;
  const readers = await digestReaders(db.read, now)
    .select(["id", "email", readerZone.as("timeZone")])
    .where(
      "id",
      "in",
      looked.map(({ id }) => id),
    )
    .execute();
  const emails = readers.map(({ id: subscriberId, email, timeZone }) => ({
    id: v5(`${month} ${subscriberId}`, digestIds),
    payload: { subscriberId, month },
    dueAt: nextMorning(now, knownZone(timeZone, content.site.timeZone), hour).at,
    to: { address: email },
  }));
  await enqueueOnce(db.write, monthlyDigestEmail, emails, now);
  return looked.length < portion ? null : last;
}

/** Once a month, for those who want one email a month. Any number of machines may do it. */
export const scheduleMonthlyDigest: RegularTask = {
  name: "newsletter.digest",
  async run(services) {
    const { db, clock, config, content } = services;
    const now = clock.now();
    const { day } = localHour(now, content.site.timeZone);
    if (config.newsletterForm || Number(day.slice(-2)) > lastDay) return;
    const month = monthBefore(day);
    const work = { id: v5(month, digestIds), payload: { month }, dueAt: now };
    await enqueueOnce(db.write, monthlyDigestPortions, [work], now);
    services.wakeWorker();
  },
};
