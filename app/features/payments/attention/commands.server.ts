import type { Query } from "~/platform/db/database.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import {
  type AttentionReason,
  attentionReasons,
  bookingReasons,
  unfinishedReasons,
} from "../schema.ts";
import { attentionMail } from "./jobs.server.ts";

type Raising = { paymentId: string; reason: AttentionReason; now: Date };

/**
 * Puts a payment on the list of what needs the coach, on the transaction of the cause, and writes
 * to every administrator: nobody looks there every day. A newer reason takes an older one's place;
 * an older one that is not finished by it waits, and comes back when the newer one is done.
 */
export async function raiseWithin(trx: Query, { paymentId, reason, now }: Raising): Promise<void> {
  const before = await trx
    .selectFrom("payments")
    .select(["attention", "attendedAt", "waiting"])
    .where("id", "=", paymentId)
    .executeTakeFirst();
  await trx
    .updateTable("payments")
    .set({ attention: reason, attendedAt: null, updatedAt: now })
    .set({ waiting: before ? waitingBehind(reason, before) : null })
    .$if(isBookingReason(reason), (update) => update.set({ bookingReason: reason }))
    .where("id", "=", paymentId)
    .execute();
  const administrators = await trx
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .orderBy("id")
    .execute();
  for (const { id: userId } of administrators)
    await enqueue(trx, attentionMail, { paymentId, reason, userId }, { now, to: { userId } });
}

type Before = { attention: string | null; attendedAt: Date | null; waiting: string | null };

/**
 * What is still to be done behind a newer reason. Money that is gone for good leaves nothing, and a
 * bank that has decided something asks no more.
 */
function waitingBehind(reason: AttentionReason, { attention, attendedAt, waiting }: Before) {
  if (reason === "dispute_lost") return null;
  const isOver = (kept: string) => kept === "inquiry" && reason.startsWith("dispute");
  if (waiting && !isOver(waiting)) return waiting;
  const isOpen = attention !== null && attention !== reason && attendedAt === null;
  if (!isOpen || isOver(attention)) return null;
  return unfinishedReasons.includes(attention) ? attention : null;
}

const isBookingReason = (reason: AttentionReason) =>
  bookingReasons.some((booking) => booking === reason);

/**
 * She has dealt with it. Only with what she was shown: a newer reason stays.
 * @returns whether it was still on the list
 */
export async function attend(
  { db, clock }: Services,
  { paymentId, reason }: { paymentId: string; reason: string },
): Promise<boolean> {
  const now = clock.now();
  return (await attendWithin(db.write, { paymentId, reasons: [reason], now })) > 0;
}

type Attending = { paymentId: string; reasons?: readonly string[]; now: Date };

/**
 * {@link attend} on the transaction of what dealt with it; any reason, when none is named. What
 * waited behind it, and is not dealt with, is on the list again.
 * @returns how many were still on the list
 */
export async function attendWithin(
  trx: Query,
  { paymentId, reasons = attentionReasons, now }: Attending,
): Promise<number> {
  const its = () => trx.updateTable("payments").where("id", "=", paymentId);
  await its().set({ waiting: null }).where("waiting", "in", reasons).execute();
  const open = () => its().where("attention", "in", reasons).where("attendedAt", "is", null);
  const uncovered = await open()
    .set((eb) => ({ attention: eb.ref("waiting"), waiting: null, updatedAt: now }))
    .where("waiting", "is not", null)
    .executeTakeFirst();
  const done = await open().set({ attendedAt: now, updatedAt: now }).executeTakeFirst();
  return Number(uncovered.numUpdatedRows + done.numUpdatedRows);
}
