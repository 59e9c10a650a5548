import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { auditPayment } from "../audit/commands.server.ts";
import { type AttentionReason, attentionReasons, bookingReasons, type Matter } from "../schema.ts";
import type { Verdict } from "../settling/rules.ts";
import { attentionMail } from "./jobs.server.ts";

type Raising = Matter & {
  paymentId: string;
  now: Date;
  /** It was over before anybody was told: it is written down, and nobody is. */
  isOver?: boolean;
};

/**
 * Puts something about a payment on the list of what needs the coach, on the transaction of its
 * cause, and writes to every administrator: nobody looks there every day. The same thing is raised
 * once, however often Stripe tells of it, and pushes nothing else off the list.
 * @returns whether it is new
 */
export async function raiseWithin(
  trx: Query,
  { paymentId, reason, cause, now, isOver = false }: Raising,
): Promise<boolean> {
  const id = newId();
  const result = await trx
    .insertInto("paymentAttentions")
    .values({ id, paymentId, reason, cause, raisedAt: now, attendedAt: isOver ? now : null })
    .onConflict((conflict) => conflict.columns(["paymentId", "reason", "cause"]).doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (!isNew || isOver) return isNew;
  const administrators = await trx
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .where("suspendedAt", "is", null)
    .orderBy("id")
    .execute();
  for (const { id: userId } of administrators)
    await enqueue(trx, attentionMail, { attentionId: id, userId }, { now, to: { userId } });
  return true;
}

/** Whether the coach has this of a payment before her. */
export async function isOpen(
  trx: Query,
  { paymentId, reason }: { paymentId: string; reason: AttentionReason },
): Promise<boolean> {
  const row = await trx
    .selectFrom("paymentAttentions")
    .select("id")
    .where("paymentId", "=", paymentId)
    .where("reason", "=", reason)
    .where("attendedAt", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Beside what stopped a booking, what money that is gone to a bank makes pointless. */
const overWhenLost: readonly AttentionReason[] = ["dispute_won", "deletion_scheduled"];

type TakingOver = { paymentId: string; verdict: Verdict; now: Date };

/**
 * Brings the list to what Stripe says of a payment: what is over is off it, what is new is on it.
 * Given back in full, only what a bank takes beside it is left to be looked at; money that is gone
 * to a bank opens nothing any more.
 */
export async function takeOverWithin(
  trx: Query,
  { paymentId, verdict: { status, dispute, matters }, now }: TakingOver,
): Promise<void> {
  const isHers = ({ reason }: Matter) => status !== "refunded" || reason.startsWith("dispute");
  const causesOf = (reason: string) =>
    matters.filter((one) => one.reason === reason && isHers(one)).map(({ cause }) => cause);
  for (const reason of ["disputed", "inquiry"])
    await attendWithin(trx, { paymentId, reasons: [reason], unless: causesOf(reason), now });
  if (status === "refunded") {
    const ofBanks = ["disputed", "dispute_lost"];
    const reasons = attentionReasons.filter((reason) => !ofBanks.includes(reason));
    await attendWithin(trx, { paymentId, reasons, now });
  } else if (dispute === "lost")
    await attendWithin(trx, { paymentId, reasons: [...bookingReasons, ...overWhenLost], now });
  for (const matter of matters)
    await raiseWithin(trx, { ...matter, paymentId, now, isOver: !isHers(matter) });
}

/**
 * She has dealt with it. Only with what she was shown: what happened since stays on the list.
 * @param id of the entry
 * @returns whether it was still on the list
 */
export async function attend(
  services: Services,
  { paymentId, id }: { paymentId: string; id: string },
): Promise<boolean> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const matter = await trx
      .updateTable("paymentAttentions")
      .set({ attendedAt: clock.now() })
      .where("id", "=", id)
      .where("paymentId", "=", paymentId)
      .where("attendedAt", "is", null)
      .returning("reason")
      .executeTakeFirst();
    if (!matter) return false;
    await auditPayment(trx, services, { action: "payment.attended", paymentId });
    return true;
  });
}

type Attending = {
  paymentId: string;
  reasons: readonly string[];
  /** Causes that are still to be looked at. */
  unless?: readonly string[];
  now: Date;
};

/**
 * What of a payment is dealt with by something else than her word, on the transaction of that.
 * @returns whether anything was
 */
export async function attendWithin(
  trx: Query,
  { paymentId, reasons, unless = [], now }: Attending,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("paymentAttentions")
    .set({ attendedAt: now })
    .where("paymentId", "=", paymentId)
    .where("reason", "in", reasons)
    .where("attendedAt", "is", null)
    .$if(unless.length > 0, (update) => update.where("cause", "not in", unless))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
