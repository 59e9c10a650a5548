import type Stripe from "stripe";
import {
  ApiError,
  missing,
  newCharge,
  newDispute,
  newEvent,
  newPaymentIntent,
  newRefund,
  newSession,
  type Params,
} from "./objects.ts";

type Session = Stripe.Checkout.Session;

function found<T>(one: T | undefined, what: string, id: string): T {
  if (!one) throw missing(what, id);
  return one;
}

/** What one account at Stripe holds, and what happens in it; each happening is an event. */
export class Account {
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  /** Oldest first. */
  readonly events: Stripe.Event[] = [];
  /** What the account holds, in cents: refunds are paid from it. */
  balance = Number.POSITIVE_INFINITY;
  /** Whether a charge's own sum still holds refunds that did not arrive. */
  countsFailedRefunds = false;
  private readonly intentData = new Map<string, Params>();
  private readonly clock: () => Date;

  constructor(clock: () => Date) {
    this.clock = clock;
  }

  private now() {
    return Math.floor(this.clock().getTime() / 1000);
  }

  /** Records that something happened. */
  emit(type: string, object: { id: string; object: string }): Stripe.Event {
    const event = newEvent(type, object, this.now());
    this.events.push(event);
    return event;
  }

  createSession(params: Params, origin: string): Session {
    const session = newSession(params, this.now(), origin);
    this.sessions.set(session.id, session);
    this.intentData.set(session.id, params.payment_intent_data ?? {});
    return session;
  }

  session(id: string): Session {
    const session = found(this.sessions.get(id), "checkout.session", id);
    // Time alone ends an open one; its event follows.
    if (session.status === "open" && session.expires_at <= this.now()) this.end(session);
    return session;
  }

  expire(id: string): Session {
    const session = this.session(id);
    if (session.status !== "open")
      throw new ApiError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    this.end(session);
    return session;
  }

  private end(session: Session) {
    session.status = "expired";
    session.url = null;
    this.emit("checkout.session.expired", session);
  }

  /** A user pays at Stripe's page; `slowly` by a way that takes days. */
  pay(id: string, { slowly = false } = {}): Stripe.Event {
    const session = this.session(id);
    if (session.status !== "open") throw new ApiError(400, `this session is ${session.status}`);
    const status = slowly ? "processing" : "succeeded";
    const data = this.intentData.get(id) ?? {};
    const intent = newPaymentIntent(session, { status, now: this.now(), data });
    this.intents.set(intent.id, intent);
    if (!slowly) this.charge(intent, true);
    session.payment_intent = intent.id;
    session.status = "complete";
    session.payment_status = slowly ? "unpaid" : "paid";
    session.url = null;
    return this.emit("checkout.session.completed", session);
  }

  // A slow payment's charge is as old as the payment, too.
  private charge(intent: Stripe.PaymentIntent, paid: boolean) {
    const charge = newCharge(intent, paid);
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    this.emit(paid ? "charge.succeeded" : "charge.failed", charge);
  }

  /** A slow payment ends, well or not. */
  settle(id: string, success: boolean): Stripe.Event {
    const session = this.session(id);
    const intent = this.intent(String(session.payment_intent));
    if (intent.status !== "processing") throw new Error("nothing is on its way");
    this.charge(intent, success);
    intent.status = success ? "succeeded" : "requires_payment_method";
    intent.amount_received = success ? intent.amount : 0;
    session.payment_status = success ? "paid" : "unpaid";
    const word = success ? "succeeded" : "failed";
    return this.emit(`checkout.session.async_payment_${word}`, session);
  }

  intent(id: string): Stripe.PaymentIntent {
    return found(this.intents.get(id), "payment_intent", id);
  }

  chargeOf(intentId: string): Stripe.Charge {
    const id = String(this.intent(intentId).latest_charge);
    return found(this.charges.get(id), "charge", id);
  }

  /** Refunds money, by the API or by hand in Stripe's own pages. */
  refund(params: Params): Stripe.Refund {
    const charge = this.chargeOf(params.payment_intent);
    const left = charge.amount_captured - this.goneBack(charge.id);
    const amount = Number(params.amount ?? left);
    const code =
      left === 0
        ? "charge_already_refunded"
        : charge.disputed
          ? "charge_disputed"
          : amount > left
            ? "parameter_invalid"
            : amount > this.balance && "balance_insufficient";
    if (code) throw new ApiError(400, `Charge ${charge.id}: ${code}`, { code });
    const refund = newRefund(charge, { amount, now: this.now(), params });
    this.refunds.set(refund.id, refund);
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.emit("refund.created", refund);
    this.emit("charge.refunded", charge);
    return refund;
  }

  /** What went back of a charge and did not return. */
  private goneBack(chargeId: string): number {
    return [...this.refunds.values()]
      .filter(({ charge, status }) => charge === chargeId && status === "succeeded")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** The bank refuses a refund days later, or it is called off: the money comes back to the account. */
  failRefund(id: string, status: "failed" | "canceled" = "failed"): Stripe.Event {
    const refund = found(this.refunds.get(id), "refund", id);
    const charge = this.charges.get(String(refund.charge));
    refund.status = status;
    if (charge && !this.countsFailedRefunds) {
      charge.amount_refunded -= refund.amount;
      charge.refunded = false;
    }
    return this.emit(status === "failed" ? "refund.failed" : "refund.updated", refund);
  }

  /** The payer's bank asks for the money back. */
  dispute(intentId: string, { status = "needs_response" } = {}): Stripe.Dispute {
    const charge = this.chargeOf(intentId);
    const dispute = newDispute(charge, { now: this.now(), status });
    this.disputes.set(dispute.id, dispute);
    charge.disputed = true;
    this.emit("charge.dispute.created", dispute);
    return dispute;
  }

  closeDispute(id: string, status: "won" | "lost" | "warning_closed"): Stripe.Event {
    const dispute = found(this.disputes.get(id), "dispute", id);
    dispute.status = status;
    return this.emit("charge.dispute.closed", dispute);
  }
}
