import type { Services } from "~/platform/services.ts";
import { fulfil } from "./fulfilment/commands.server.ts";
import { settleCharge, settleDispute, settleRefund } from "./settling/hooks.server.ts";

/**
 * Does what something that happened at Stripe asks for. Of the event only the id of its object
 * comes here: what is true now, it asks for. Twice is once, and so is any order.
 */
type Handler = (services: Services, objectId: string) => Promise<unknown>;

/** What is done when Stripe says that something has happened; all else is no matter here. */
export const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["checkout.session.completed", fulfil],
  ["checkout.session.async_payment_succeeded", fulfil],
  ["checkout.session.async_payment_failed", fulfil],
  ["checkout.session.expired", fulfil],
  ["charge.refunded", settleCharge],
  ["charge.dispute.created", settleDispute],
  ["charge.dispute.updated", settleDispute],
  ["charge.dispute.closed", settleDispute],
  ["refund.updated", settleRefund],
  ["refund.failed", settleRefund],
]);
