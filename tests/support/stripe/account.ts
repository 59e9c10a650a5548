import type Stripe from "stripe";
import { checkSession } from "./checks.ts";
import { ApiError, invalid, missing } from "./errors.ts";
import { newCharge, newDispute, newRefund } from "./money.ts";
import { newEvent, newPaymentIntent, newSession, type StripeObject } from "./objects.ts";
import type { Params } from "./params.ts";

type Session = Stripe.Checkout.Session;
type Dispute = Omit<Stripe.Dispute, "evidence" | "evidence_details">;

/** What one account at Stripe holds, and what happens in it; each happening is an event. */
export class Account {
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Dispute>();
  /** Oldest first. */
  readonly events: Stripe.Event[] = [];
  /** What the next refunds are at first: 'succeeded', 'pending', 'failed'. */
  refundStatus = "succeeded";
  /** What the account holds, in cents: refunds are paid from it. */
  balance = Number.POSITIVE_INFINITY;
  /** Whether a charge's own sum still holds refunds that did not arrive. */
  countsFailedRefunds = false;
  onEvent: (event: Stripe.Event) => void = () => {};
  private readonly intentData = new Map<string, Params>();
  private readonly clock: () => Date;

  constructor(clock: () => Date) {
    this.clock = clock;
  }

  private now() {
    return Math.floor(this.clock().getTime() / 1000);
  }

  /** Writes down that something happened. */
  emit(type: string, object: StripeObject): Stripe.Event {
    const event = newEvent(type, object, this.now());
    this.events.push(event);
    this.onEvent(event);
    return event;
  }

  createSession(params: Params, origin: string): Session {
    const price = checkSession(params, this.now());
    const session = newSession(params, this.now(), origin);
    if (Number(price.unit_amount) < 50)
      throw invalid(
        "The total amount must be at least $0.50 usd.",
        "line_items",
        "amount_too_small",
      );
    this.sessions.set(session.id, session);
    this.intentData.set(session.id, params.payment_intent_data ?? {});
    return session;
  }

  session(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw missing("checkout.session", id);
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

  /** Somebody pays at Stripe's page; `slowly` by a way that takes days. */
  pay(id: string, { slowly = false, email = "" } = {}): Stripe.Event {
    const session = this.session(id);
    if (session.status !== "open") throw new ApiError(400, `this session is ${session.status}`);
    const status = slowly ? "processing" : "succeeded";
    const data = this.intentData.get(id) ?? {};
    const intent = newPaymentIntent(session, { status, now: this.now(), data });
    this.intents.set(intent.id, intent);
    if (!slowly) this.charge(intent, session.customer_email ?? email, true);
    session.payment_intent = intent.id;
    session.status = "complete";
    session.payment_status = slowly ? "unpaid" : "paid";
    session.url = null;
    return this.emit("checkout.session.completed", session);
  }

  private charge(intent: Stripe.PaymentIntent, email: string | null, paid: boolean) {
    const charge = newCharge(intent, { now: this.now(), email, paid });
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    this.emit(paid ? "charge.succeeded" : "charge.failed", charge);
    return charge;
  }

  /** A slow payment ends, well or not. */
  settle(id: string, success: boolean): Stripe.Event {
    const session = this.session(id);
    const intent = this.intent(String(session.payment_intent));
    if (intent.status !== "processing") throw new Error("nothing is on its way");
    // Its charge was there from the beginning, and is as old as that.
    this.charge(intent, session.customer_email, success).created = intent.created;
    intent.status = success ? "succeeded" : "requires_payment_method";
    intent.amount_received = success ? intent.amount : 0;
    session.payment_status = success ? "paid" : "unpaid";
    const word = success ? "succeeded" : "failed";
    return this.emit(`checkout.session.async_payment_${word}`, session);
  }

  intent(id: string): Stripe.PaymentIntent {
    const intent = this.intents.get(id);
    if (!intent) throw missing("payment_intent", id);
    return intent;
  }

  chargeOf(intentId: string): Stripe.Charge {
    const id = String(this.intent(intentId).latest_charge);
    const charge = this.charges.get(id);
    if (!charge)
      throw new ApiError(400, "This PaymentIntent does not have a successful charge to refund.");
    return charge;
  }

  /** Gives money back, by the API or by hand in Stripe's own pages. */
  refund(params: Params): Stripe.Refund {
    const charge = params.charge
      ? this.charges.get(params.charge)
      : this.chargeOf(params.payment_intent);
    if (!charge) throw missing("charge", params.charge);
    const left = charge.amount_captured - this.goneBack(charge.id);
    if (left === 0)
      throw new ApiError(400, `Charge ${charge.id} has already been refunded.`, {
        code: "charge_already_refunded",
      });
    if (charge.disputed)
      throw new ApiError(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, {
        code: "charge_disputed",
      });
    const amount = Number(params.amount ?? left);
    if (amount > left)
      throw invalid("Refund amount is greater than unrefunded amount on charge.", "amount");
    if (amount > this.balance)
      throw new ApiError(400, "Insufficient funds in your Stripe balance to refund this amount.", {
        code: "balance_insufficient",
      });
    const status = this.refundStatus;
    const refund = newRefund(charge, { amount, now: this.now(), status, params });
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
      .filter(({ charge }) => charge === chargeId)
      .filter(({ status }) => status !== "failed" && status !== "canceled")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** The bank refuses a refund days later, or it is called off: the money comes back to the account. */
  failRefund(id: string, status: "failed" | "canceled" = "failed"): Stripe.Event {
    const refund = this.refunds.get(id);
    if (!refund) throw missing("refund", id);
    const charge = this.charges.get(String(refund.charge));
    refund.status = status;
    if (status === "failed") refund.failure_reason = "lost_or_stolen_card";
    if (charge && !this.countsFailedRefunds) {
      charge.amount_refunded -= refund.amount;
      charge.refunded = false;
    }
    return this.emit(status === "failed" ? "refund.failed" : "refund.updated", refund);
  }

  /** Her bank asks for the money back. */
  dispute(intentId: string, { reason = "fraudulent", status = "needs_response" } = {}): Dispute {
    const charge = this.chargeOf(intentId);
    const dispute = newDispute(charge, { now: this.now(), reason, status });
    this.disputes.set(dispute.id, dispute);
    charge.disputed = true;
    this.emit("charge.dispute.created", dispute);
    return dispute;
  }

  closeDispute(id: string, status: "won" | "lost" | "warning_closed"): Stripe.Event {
    const dispute = this.disputes.get(id);
    if (!dispute) throw missing("dispute", id);
    dispute.status = status;
    return this.emit("charge.dispute.closed", dispute);
  }
}
