import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { auditPayment } from "../audit/commands.server.ts";
import { StripeTrouble } from "../gateway.server.ts";
import { settlePayment } from "../settling/commands.server.ts";
import { verdictOf } from "../settling/rules.ts";
import { readPayment, refundPayment } from "./gateway.server.ts";
import { refundMessages as messages } from "./texts.ts";

type Refunding = {
  paymentId: string;
  /** What the question named: all that was left of it then. */
  cents: number;
  /** Of the form: pressed twice, it is the same refund. */
  attempt: string;
  /** The administrator's id. */
  by: string;
};

/**
 * Gives all that is left of a payment back, on the coach's word: whether the terms ask for it is
 * hers to weigh. Stripe is asked how the payment stands before, and again after: what is written
 * down here is what it says, and a press from another tab finds nothing left. Stopped in between,
 * the webhook or the reconciliation ends it.
 * @returns 'already' when it had been given back before, 'sent' when it was taken and Stripe could
 * not be asked again: then the webhook tells the rest
 * @throws {Refused} with words for the coach
 */
export async function refund(
  services: Services,
  { paymentId, cents, attempt, by }: Refunding,
): Promise<"done" | "already" | "sent"> {
  const paymentIntentId = await paidIntentOf(services, paymentId);
  const before = await readPayment(services, paymentIntentId).catch(notAsked);
  const { status, dispute } = verdictOf(before);
  if (status !== "refunded") {
    if (dispute === "open" || dispute === "lost") throw new Refused("conflict", messages.disputed);
    const left = before.receivedCents - before.refundedCents;
    if (left !== cents) {
      await settlePayment(services, paymentIntentId).catch(notAsked);
      throw new Refused("conflict", messages.changed);
    }
    // Before it is asked: what Stripe then does must not be without its entry.
    await services.db.transaction((trx) =>
      auditPayment(trx, services, {
        action: "payment.refund-asked",
        paymentId,
        details: { cents: left },
      }),
    );
    await send(services, { paymentIntentId, amountCents: left, attempt });
  }
  try {
    await settlePayment(services, paymentIntentId, by);
  } catch (error) {
    if (!(error instanceof StripeTrouble)) throw error;
    return status === "refunded" ? "already" : "sent";
  }
  return status === "refunded" ? "already" : "done";
}

async function paidIntentOf({ db }: Services, paymentId: string): Promise<string> {
  const row = await db.read
    .selectFrom("payments")
    .select(["paymentIntentId", "paidAt"])
    .where("id", "=", paymentId)
    .executeTakeFirst();
  if (!row) throw new Refused("not_found", messages.missing);
  if (!row.paymentIntentId || !row.paidAt) throw new Refused("conflict", messages.notPaid);
  return row.paymentIntentId;
}

type Sending = { paymentIntentId: string; amountCents: number; attempt: string };

/** One refund at Stripe. Somebody else's that was a moment faster is as good as ours. */
async function send(
  services: Services,
  { paymentIntentId, amountCents, attempt }: Sending,
): Promise<void> {
  const idempotencyKey = `refund-${paymentIntentId}-${attempt.slice(0, 64)}`;
  try {
    await refundPayment(services, { paymentIntentId, amountCents, idempotencyKey });
  } catch (error) {
    if (!(error instanceof StripeTrouble)) throw error;
    if (error.code === "charge_already_refunded") return;
    services.log.warn({ code: error.code }, "Stripe did not take a refund");
    if (error.isRefusal) throw new Refused("conflict", messages.keyRefused);
    if (error.isTemporary) throw new Refused("unavailable", messages.unknown);
    throw new Refused("conflict", wordsFor[error.code ?? ""] ?? messages.refused);
  }
}

const wordsFor: Record<string, string> = {
  balance_insufficient: messages.noMoney,
  insufficient_funds: messages.noMoney,
  charge_disputed: messages.disputed,
};

/** Why Stripe does not say how the payment stands, in words; anything else goes on as it is. */
function notAsked(error: unknown): never {
  if (!(error instanceof StripeTrouble)) throw error;
  if (error.code === "resource_missing") throw new Refused("conflict", messages.notAtStripe);
  if (error.isRefusal) throw new Refused("conflict", messages.keyRefused);
  throw new Refused("unavailable", messages.notAsked);
}
