import { createHash } from "node:crypto";
import type { Query } from "~/platform/db/database.ts";
import type { DeliveryState } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { addressKey, cleanDetail, issueDays, mailReportDays } from "./rules.ts";
import { suppressWithin } from "./suppressions.server.ts";

/** What a provider or a mailbox says of one address. */
export type MailReport = {
  /** The provider's own, so that a replay changes nothing. */
  id: string;
  kind: "bounce" | "complaint";
  address: string;
  /** A bounce that is not is counted, and suppresses nothing. */
  isPermanent: boolean;
  /** What the mail server said. */
  detail: string | null;
};

const dayMs = 24 * 3600_000;
const before = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);

const longestId = 200;

/** The id of a report's row. */
function rowId(source: string, { id }: Pick<MailReport, "id">): string {
  const isPlain = id.length <= longestId && /^[!-~]+$/.test(id);
  return `${source}:${isPlain ? id : createHash("sha256").update(id).digest("base64url")}`;
}

/** Records what was reported. Idempotent by the ids. Each report has a transaction of its own, so that
 * two providers' bodies never wait for each other. */
export async function recordReports(
  services: Pick<Services, "db" | "clock">,
  source: string,
  reports: readonly MailReport[],
): Promise<void> {
  const now = services.clock.now();
  for (const report of reports) {
    const address = addressKey(report.address);
    if (address === null) continue;
    await services.db.transaction((trx) => record(trx, source, { ...report, address }, now));
  }
}

/** Whether all of these were recorded before. */
export async function areRecorded(
  db: Query,
  source: string,
  reports: readonly MailReport[],
): Promise<boolean> {
  if (reports.length === 0) return true;
  const ids = [...new Set(reports.map((report) => rowId(source, report)))];
  const known = await db.selectFrom("mailReports").select("id").where("id", "in", ids).execute();
  return known.length === ids.length;
}

async function record(trx: Query, source: string, report: MailReport, now: Date): Promise<void> {
  const { kind, address, isPermanent } = report;
  const id = rowId(source, report);
  const isNew = await trx
    .insertInto("mailReports")
    .values({ id, kind, source, address, issueId: null, createdAt: now })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!isNew) return;
  const detail = cleanDetail(report.detail);
  if (kind === "complaint" || isPermanent)
    await suppressWithin(trx, { address, reason: kind, source, detail, now });
  const delivery = await newestDelivery(trx, address, now);
  if (!delivery) return;
  const { issueId } = delivery;
  await trx.updateTable("mailReports").set({ issueId }).where("id", "=", id).execute();
  if (kind === "bounce") await refuse(trx, delivery, detail);
}

type Delivery = { issueId: string; subscriberId: string; state: DeliveryState };

function newestDelivery(trx: Query, address: string, now: Date): Promise<Delivery | undefined> {
  return trx
    .selectFrom("newsletterDeliveries")
    .innerJoin("subscribers", "subscribers.id", "newsletterDeliveries.subscriberId")
    .select(["issueId", "subscriberId", "state"])
    .where("subscribers.emailKey", "=", address)
    .where("notedAt", ">", before(now, issueDays))
    .orderBy("notedAt", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** What came back was not delivered after all. An issue that is just being sent may note that it was
 * sent meanwhile: the state is then read once more. */
async function refuse(trx: Query, found: Delivery, detail: string | null): Promise<void> {
  const of = ({ issueId, subscriberId }: Delivery) =>
    trx
      .updateTable("newsletterDeliveries")
      .set({ state: "refused", error: detail })
      .where("issueId", "=", issueId)
      .where("subscriberId", "=", subscriberId);
  for (const state of [found.state, "sent"] as const) {
    if (state !== "sending" && state !== "sent" && state !== "doubtful") return;
    const { numUpdatedRows } = await of(found).where("state", "=", state).executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    await trx
      .updateTable("newsletterIssues")
      .set((eb) => ({
        refused: eb("refused", "+", 1),
        ...(state !== "sending" && { [state]: eb(state, "-", 1) }),
      }))
      .where("id", "=", found.issueId)
      .execute();
    return;
  }
}

const portion = 500;

/** They name people, and the figures look back on fewer days. */
export const deleteOldMailReports: RegularTask = {
  name: "suppressions.forget-reports",
  async run({ db, clock }) {
    const old = before(clock.now(), mailReportDays);
    let deleted = portion;
    while (deleted === portion) {
      const some = db.write
        .selectFrom("mailReports")
        .select("id")
        .where("createdAt", "<", old)
        .limit(portion);
      const { numDeletedRows } = await db.write
        .deleteFrom("mailReports")
        .where("id", "in", some)
        .executeTakeFirst();
      deleted = Number(numDeletedRows);
    }
  },
};
