import { sql } from "kysely";
import { v5 } from "uuid";
import { z } from "zod";
import { exceeded } from "~/features/suppressions/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { retryAfterMs } from "~/platform/jobs/claim.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { getIssue, type Issue } from "./issues.server.ts";
import { singleIssueMessage } from "./render-issue.server.ts";
import { triedOf } from "./rules.ts";

/** What became of handing one email to the mail server. `back`: it was not handed over. */
export type DeliveryOutcome = { subscriberId: string; attempts: number; address: string } & (
  | { is: "sent" }
  | { is: "refused" | "delayed" | "doubtful"; reason: string }
  | { is: "back"; reason: string; error: Error }
);

/** The Message-ID of an email: a bounce names it, and by the subscriber in it is believed. */
export const deliveryId = (issueId: string, subscriberId: string) => `${issueId}.${subscriberId}`;

/** The namespace of refused emails on the email log (RFC 9562, version 5). */
const refusedIds = "0c6d2a86-5b1e-4a39-9b0c-9d5c7be0d0a4";

type Part = { issueId: string; run: number };

/** Notes what came of a round, and that the next one begins, in one transaction.
 * @returns those of the next round that are still wanted; null where the issue was stopped, or too
 * many are refused */
export function takeRound(
  services: Services,
  { issueId, run }: Part,
  { outcomes, next }: { outcomes: readonly DeliveryOutcome[]; next: string[] },
): Promise<Set<string> | null> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const issue = await note(trx, services, issueId, outcomes);
    if (issue.run !== run || (issue.state !== "sending" && issue.state !== "sent")) return null;
    const rates = { sent: triedOf(issue), bounced: issue.refused, complained: 0 };
    if (issue.state === "sending" && !issue.anyRate && exceeded(rates).bounces) return null;
    const taken = await trx
      .updateTable("newsletterDeliveries")
      .set({ state: "sending", notedAt: clock.now() })
      .where("issueId", "=", issueId)
      .where("subscriberId", "in", next)
      .where("state", "=", "waiting")
      // Read once more, and last: somebody may have unsubscribed a moment ago.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("subscribers")
            .select("subscribers.id")
            .whereRef("subscribers.id", "=", "newsletterDeliveries.subscriberId")
            .where("subscribers.status", "=", "confirmed"),
        ),
      )
      .returning("subscriberId")
      .execute();
    return new Set(taken.map(({ subscriberId }) => subscriberId));
  });
}

export function noteOutcomes(
  services: Services,
  { issueId }: Part,
  outcomes: readonly DeliveryOutcome[],
): Promise<unknown> {
  return services.db.transaction((trx) => note(trx, services, issueId, outcomes));
}

const noted = ["state", "run", "anyRate", "sent", "refused", "doubtful"] as const;

async function note(
  trx: Query,
  { clock }: Services,
  issueId: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<Pick<Issue, (typeof noted)[number]>> {
  const now = clock.now();
  const ofState = (is: DeliveryOutcome["is"]) => outcomes.filter((one) => one.is === is);
  const change = { state: "sent" as const, notedAt: now, error: null };
  const sent = await mark(trx, issueId, ofState("sent"), change);
  await mark(trx, issueId, ofState("back"), { state: "waiting" });
  let [refused, doubtful] = [0, 0];
  for (const one of outcomes) {
    if (one.is === "sent" || one.is === "back") continue;
    const { reason: error, attempts } = one;
    const delay = one.is === "delayed" ? retryAfterMs(attempts) : null;
    const values = { error, attempts, notedAt: now };
    if (one.is === "doubtful")
      doubtful += await mark(trx, issueId, [one], { ...values, state: "doubtful" });
    else if (delay !== null) {
      const dueAt = new Date(now.getTime() + delay);
      await mark(trx, issueId, [one], { ...values, state: "waiting", dueAt });
    } else {
      refused += await mark(trx, issueId, [one], { ...values, state: "refused" });
      await logRefusal(trx, issueId, one, { error, now });
    }
  }
  return trx
    .updateTable("newsletterIssues")
    .set((is) => ({
      sent: is("sent", "+", sent),
      refused: is("refused", "+", refused),
      doubtful: is("doubtful", "+", doubtful),
    }))
    .where("id", "=", issueId)
    .returning(noted)
    .executeTakeFirstOrThrow();
}

type Noted = {
  state: "sent" | "waiting" | "refused" | "doubtful";
  dueAt?: Date;
  notedAt?: Date;
  attempts?: number;
  error?: string | null;
};

/** @returns how many were 'sending' until now: a process that was paused for long may come too late */
async function mark(
  trx: Query,
  issueId: string,
  some: readonly DeliveryOutcome[],
  values: Noted,
): Promise<number> {
  if (some.length === 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable("newsletterDeliveries")
    .set(values)
    .where("issueId", "=", issueId)
    .where(
      "subscriberId",
      "in",
      some.map(({ subscriberId }) => subscriberId),
    )
    .where("state", "=", "sending")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** One email of an issue, which the coach lets go once more from the email log. */
export const refusedIssueEmail = defineJob({
  kind: "newsletter.issue",
  label: "Newsletter",
  recorded: false,
  payload: z.object({ issueId: z.string(), subscriberId: z.string() }),
  async run(services, { issueId, subscriberId }, { id }) {
    const { db, clock } = services;
    const reader = await db.read
      .selectFrom("newsletterDeliveries")
      .innerJoin("subscribers", "subscribers.id", "newsletterDeliveries.subscriberId")
      .select(["subscribers.id", "subscribers.email", "subscribers.firstName"])
      .where("issueId", "=", issueId)
      .where("subscriberId", "=", subscriberId)
      .where("state", "=", "refused")
      .where("subscribers.status", "=", "confirmed")
      .executeTakeFirst();
    if (!reader) return;
    const issue = await getIssue(db.read, issueId);
    await services.mail.send(await singleIssueMessage(services, issue, reader, id));
    await db.transaction(async (trx) => {
      const sent = { state: "sent" as const, notedAt: clock.now(), error: null };
      await trx
        .updateTable("newsletterDeliveries")
        .set(sent)
        .where("issueId", "=", issueId)
        .where("subscriberId", "=", subscriberId)
        .execute();
      await trx
        .updateTable("newsletterIssues")
        .set((is) => ({ sent: is("sent", "+", 1), refused: is("refused", "-", 1) }))
        .where("id", "=", issueId)
        .execute();
    });
  },
});

/** What the mail server refused stands on the email log, as every email that failed. */
async function logRefusal(
  trx: Query,
  issueId: string,
  { subscriberId, address, attempts, is }: DeliveryOutcome,
  { error, now }: { error: string; now: Date },
): Promise<void> {
  await trx
    .insertInto("outbox")
    .values({
      id: v5(`${issueId} ${subscriberId}`, refusedIds),
      kind: refusedIssueEmail.kind,
      payload: JSON.stringify({ issueId, subscriberId }),
      ...{ dueAt: now, createdAt: now, failedAt: now },
      address: address.trim().toLowerCase(),
      ...{ attempts, lastError: error, failure: is === "refused" ? "refused" : "exhausted" },
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

const deliveryDays = 90;
const deletedAtOnce = 500;
const issuesAtOnce = 5;

/** To whom an issue went is deleted 90 days later (content/pages/privacy.md); how many they were stays
 * with the issue. */
export const deleteOldDeliveries: RegularTask = {
  name: "newsletter.deliveries",
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - deliveryDays * 24 * 3600_000);
    const done = (trx: Query) =>
      trx
        .selectFrom("newsletterDeliveries")
        .select("subscriberId")
        .where("state", "not in", ["waiting", "sending"])
        .where("notedAt", "<", before);
    const old = await db.read
      .selectFrom("newsletterIssues as issue")
      .select("issue.id")
      .where("issue.startedAt", "<", before)
      .where(({ exists }) =>
        exists(done(db.read).where("issueId", "=", sql.ref<string>("issue.id"))),
      )
      .limit(issuesAtOnce)
      .execute();
    for (const { id } of old)
      for (;;) {
        const some = done(db.write).where("issueId", "=", id).limit(deletedAtOnce);
        const { numDeletedRows } = await db.write
          .deleteFrom("newsletterDeliveries")
          .where("issueId", "=", id)
          .where("subscriberId", "in", some)
          .executeTakeFirstOrThrow();
        if (Number(numDeletedRows) < deletedAtOnce) break;
      }
  },
};
