import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { AuditAction } from "~/features/accounts/audit/texts.ts";
import type { Query } from "~/platform/db/database.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { mayGoAgain } from "./queries.server.ts";
import { messages } from "./texts.ts";

/** Rows changed at once: whoever else writes does not wait long. */
export const portion = 500;

/** What the site stopped at so far stays counted: such a row goes on going alone (platform/jobs/interrupted.ts). */
const again = (now: Date) => ({
  dueAt: now,
  failedAt: null,
  failure: null,
  lastError: null,
  attempts: 0,
});

/**
 * Sends a failed letter again, from the beginning: under the Message-ID that it had.
 * @throws {Refused} invalid when its link is dead or what it said is forgotten; not_found when it
 * has not failed, or not any more
 */
export async function sendAgain(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const isOnItsWay = await db.transaction(async (trx) => {
    const row = await trx
      .updateTable("outbox")
      .set(again(now))
      .where("id", "=", id)
      .where((is) => mayGoAgain(is, now))
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    return auditOne(trx, services, "mail.sent-again", row);
  });
  if (!isOnItsWay) {
    const failed = await db.read
      .selectFrom("outbox")
      .select("id")
      .where("id", "=", id)
      .where("failedAt", "is not", null)
      .executeTakeFirst();
    throw failed ? new Refused("invalid", messages.dead) : new Refused("not_found", messages.gone);
  }
  services.wakeWorker();
}

/**
 * Sends everything again that was given up for want of an answer, as after an outage, or everything
 * that was refused, as when that was the fault of nobody to whom it was to go.
 * @returns how much
 */
export async function sendAllAgain(
  services: Services,
  failure: "exhausted" | "refused",
): Promise<number> {
  const { db, clock } = services;
  const now = clock.now();
  const portionAgain = (trx: Query) => {
    const some = failedRows(trx)
      .where("failure", "=", failure)
      .where((is) => mayGoAgain(is, now));
    return trx.updateTable("outbox").set(again(now)).where("id", "in", some).executeTakeFirst();
  };
  const count = await inPortions(() =>
    db.transaction(async (trx) => {
      const { numUpdatedRows } = await portionAgain(trx);
      return auditMany(trx, services, "mail.sent-again", numUpdatedRows);
    }),
  );
  services.wakeWorker();
  return count;
}

/**
 * Tries something that waits for its next turn at once.
 * @throws {Refused} not_found when it is not waiting, or just being sent
 */
export async function tryNow(services: Services, id: string): Promise<void> {
  const isTried = await services.db.transaction(async (trx) => {
    const row = await trx
      .updateTable("outbox")
      .set({ dueAt: services.clock.now() })
      .where("id", "=", id)
      .where("finishedAt", "is", null)
      .where("failedAt", "is", null)
      .where("lastError", "is not", null)
      .where("leaseOwner", "is", null)
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    return auditOne(trx, services, "mail.tried", row);
  });
  if (!isTried) throw new Refused("not_found", messages.gone);
  services.wakeWorker();
}

/** Gives something up that has failed: nothing of it stays. Twice is once. */
export async function remove(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    const row = await trx
      .deleteFrom("outbox")
      .where("id", "=", id)
      .where("failedAt", "is not", null)
      .returning(["id", "kind", "userId"])
      .executeTakeFirst();
    await auditOne(trx, services, "mail.removed", row);
  });
}

/** The same for everything that has failed. @returns how much */
export function removeAll(services: Services): Promise<number> {
  return inPortions(() =>
    services.db.transaction(async (trx) => {
      const portionGone = trx.deleteFrom("outbox").where("id", "in", failedRows(trx));
      const { numDeletedRows } = await portionGone.executeTakeFirst();
      return auditMany(trx, services, "mail.removed", numDeletedRows);
    }),
  );
}

type Changed = { id: string; kind: string; userId: string | null } | undefined;

/** @returns whether there was anything to write down */
async function auditOne(trx: Query, services: Services, action: AuditAction, row: Changed) {
  if (!row) return false;
  const label = services.workKinds.get(row.kind)?.label ?? row.kind;
  await audit(trx, services, { action, id: row.id, label, personId: row.userId });
  return true;
}

async function auditMany(trx: Query, services: Services, action: AuditAction, count: bigint) {
  if (count > 0n) await audit(trx, services, { action, details: { count: Number(count) } });
  return count;
}

const failedRows = (db: Query) =>
  db.selectFrom("outbox").select("id").where("failedAt", "is not", null).limit(portion);

/** Repeats a change of one portion until there is nothing left to change. */
export async function inPortions(change: () => Promise<bigint>): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = Number(await change());
    count += changed;
    if (changed < portion) return count;
  }
}
