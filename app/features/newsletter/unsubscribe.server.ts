import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { knownZone } from "~/platform/time/words.ts";
import { emailKey } from "./rules.ts";
import type { FrequencyChange } from "./schema.ts";
import { readUnsubscribeToken, subscriberId } from "./subscribers.server.ts";

/** Unsubscribes with the token of any email; `issue` is the one whose link it was, or ''. Idempotent.
 * @returns false for an invalid token */
export async function unsubscribe(
  services: Services,
  { token, issue }: { token: string; issue: string },
): Promise<boolean> {
  const id = readUnsubscribeToken(services, token);
  if (id === null) return false;
  await end(services, id, issue);
  return true;
}

/** Ends the subscription of a user whose address is verified. Idempotent. */
export function leaveList(services: Services, email: string): Promise<void> {
  return end(services, subscriberId(services, emailKey(email)), "");
}

async function end({ db, clock }: Services, id: string, issueId: string): Promise<void> {
  await db.transaction(async (trx) => {
    const left = await trx
      .updateTable("subscribers")
      .set((eb) => ({
        status: "unsubscribed",
        generation: eb("generation", "+", 1),
        firstName: "",
        monthly: false,
        quietUntilAt: null,
        leaveReason: null,
        unsubscribedAt: clock.now(),
      }))
      .where("id", "=", id)
      .where("status", "!=", "unsubscribed")
      .returning("id")
      .executeTakeFirst();
    if (left && issueId !== "" && !issueId.includes("\0")) await countLeft(trx, id, issueId);
  });
}

/** A subscriber counts once for an issue, and only for one that was sent to them: anybody may write
 * another issue's id into the link. */
async function countLeft(trx: Query, subscriberId: string, issueId: string): Promise<void> {
  const counted = await trx
    .updateTable("subscribers")
    .set({ leftIssueId: issueId })
    .where("id", "=", subscriberId)
    .where((is) => is.or([is("leftIssueId", "is", null), is("leftIssueId", "!=", issueId)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("newsletterDeliveries")
          .select("newsletterDeliveries.issueId")
          .whereRef("newsletterDeliveries.subscriberId", "=", "subscribers.id")
          .where("newsletterDeliveries.issueId", "=", issueId)
          .where("newsletterDeliveries.state", "in", ["sending", "sent", "doubtful"]),
      ),
    )
    .returning("id")
    .executeTakeFirst();
  if (!counted) return;
  await trx
    .updateTable("newsletterIssues")
    .set((is) => ({ leftAfter: is("leftAfter", "+", 1) }))
    .where("id", "=", issueId)
    .execute();
}

/** Notes why an address left, if it has. A second answer takes the place of the first.
 * @returns whether there was anybody to note it for */
export async function saveLeaveReason(
  services: Services,
  { token, reason }: { token: string; reason: string },
): Promise<boolean> {
  const id = readUnsubscribeToken(services, token);
  if (id === null) return false;
  const { numUpdatedRows } = await services.db.write
    .updateTable("subscribers")
    .set({ leaveReason: reason })
    .where("id", "=", id)
    .where("status", "=", "unsubscribed")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How often emails come to a subscriber; `pausedUntil` is null where they are not paused. */
export type Frequency = {
  state: "on" | "off" | "invalid";
  monthly: boolean;
  pausedUntil: Date | null;
  timeZone: string;
};

/** What the token of an email says of its address: 'off' is not on the list, 'invalid' not our token. */
export async function findFrequency(services: Services, token: string): Promise<Frequency> {
  const { db, clock, content } = services;
  const none = { monthly: false, pausedUntil: null, timeZone: content.site.timeZone };
  const id = readUnsubscribeToken(services, token);
  if (id === null) return { state: "invalid", ...none };
  const row = await db.read
    .selectFrom("subscribers")
    .select(["monthly", "quietUntilAt", "timeZone"])
    .where("id", "=", id)
    .where("status", "=", "confirmed")
    .executeTakeFirst();
  if (!row) return { state: "off", ...none };
  const { monthly, quietUntilAt } = row;
  const isPaused = quietUntilAt !== null && quietUntilAt > clock.now();
  return {
    ...{ state: "on", monthly, pausedUntil: isPaused ? quietUntilAt : null },
    timeZone: knownZone(row.timeZone, content.site.timeZone),
  };
}

/** Sends less, or as much as before. Idempotent; does nothing for an address that is not on the list.
 * @returns false for an invalid token */
export async function changeFrequency(
  services: Services,
  { token, change }: { token: string; change: FrequencyChange },
): Promise<boolean> {
  const id = readUnsubscribeToken(services, token);
  if (id === null) return false;
  const now = services.clock.now().getTime();
  const days = { "pause-30": 30, "pause-90": 90 };
  const values =
    change === "monthly" || change === "weekly"
      ? { monthly: change === "monthly" }
      : { quietUntilAt: change === "go-on" ? null : new Date(now + days[change] * 24 * 3600_000) };
  await services.db.write
    .updateTable("subscribers")
    .set(values)
    .where("id", "=", id)
    .where("status", "=", "confirmed")
    .execute();
  return true;
}
