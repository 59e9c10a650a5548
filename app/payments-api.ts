import type { Context } from "hono";
import { leavingWords } from "./features/accounts/leaving/texts.ts";
import { startCheckout } from "./features/payments/checkout/commands.server.ts";
import { checkoutRequest } from "./features/payments/checkout/schema.ts";
import { handleEvent } from "./features/payments/events/commands.server.ts";
import { readWebhook } from "./features/payments/events/gateway.server.ts";
import { messages } from "./features/payments/texts.ts";
import { readCalling } from "./platform/auth/caller.ts";
import { errorResponse, Refused } from "./platform/http/errors.ts";
import { logRefusal } from "./platform/log/refusals.ts";
import type { Services } from "./platform/services.ts";

/**
 * `POST /api/webhooks/stripe`: Stripe tells that something has happened. 200 when it was handled,
 * now or before, or is no matter here; 400 when Stripe did not sign it; 500 when it could not be
 * handled, so that Stripe tells it again.
 */
export async function stripeWebhook(services: Services, { req }: Context): Promise<Response> {
  try {
    const event = await readWebhook(services, await req.text(), req.header("stripe-signature"));
    if (event) await handleEvent(services, event);
    return Response.json({ received: true });
  } catch (error) {
    if (error instanceof Refused) {
      if (error.code === "invalid") logRefusal(services.log, "signature", "webhook");
      else services.log.warn({ code: error.code }, "a webhook was refused");
      return errorResponse(error.code, error.message);
    }
    services.log.error({ err: error }, "a webhook could not be handled");
    const message = "It could not be handled. Please send it again.";
    return Response.json({ error: { code: "failed", message } }, { status: 500 });
  }
}

/**
 * `POST /api/create-checkout {productId}`: `{url}`, where it is paid (spec 7); of a free course,
 * where its lessons are.
 */
export async function createCheckout(services: Services, { req }: Context): Promise<Response> {
  const { viewer, leaving } = await readCalling(services, req.raw.headers);
  if (leaving) {
    const { title, description } = leavingWords.keepFirst;
    return errorResponse("conflict", `${title} ${description}`);
  }
  if (!viewer) return errorResponse("unauthenticated", messages.signInFirst);
  const parsed = checkoutRequest.safeParse(await req.json().catch(() => null));
  if (!parsed.success) return errorResponse("invalid", messages.noCourseNamed, "productId");
  try {
    const { productId } = parsed.data;
    const { url } = await startCheckout(services, { buyer: viewer, productId });
    return Response.json({ url });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}
