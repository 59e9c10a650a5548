import type { Context } from "hono";
import { deletionMessages } from "~/features/accounts/messages.ts";
import { findCourse } from "~/features/courses/courses.server.ts";
import { startCheckout } from "~/features/payments/checkout.server.ts";
import { paymentMessages } from "~/features/payments/messages.ts";
import { checkoutRequest } from "~/features/payments/schema.ts";
import { readWebhook } from "~/features/payments/stripe.server.ts";
import { handleEvent } from "~/features/payments/webhook.server.ts";
import { noteWebhookHeard } from "~/features/payments/webhook-heard.server.ts";
import { readCallerSession } from "~/platform/auth/access-token.ts";
import type { Services } from "~/platform/http/services.ts";
import { logRefusal } from "~/platform/log/log.ts";
import { errorResponse, Refused } from "~/platform/utils/errors.ts";

/** `POST /api/webhooks/stripe`. 200 when the event was handled, now or before, or is ignored;
 * 400 when Stripe did not sign it; 500 when it failed, so that Stripe sends it again. */
export async function stripeWebhook(services: Services, { req }: Context): Promise<Response> {
  try {
    const event = await readWebhook(services, await req.text(), req.header("stripe-signature"));
    await noteWebhookHeard(services).catch((err: unknown) =>
      services.log.error({ err }, "failed to note that the webhook came"),
    );
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

/** `POST /api/create-checkout {productId}`: `{url}` of the checkout (spec 7) or of a free course. */
export async function createCheckout(services: Services, { req }: Context): Promise<Response> {
  const { viewer, pendingDeletion } = await readCallerSession(services, req.raw.headers);
  if (pendingDeletion) {
    const { title, description } = deletionMessages.keepFirst;
    return errorResponse("conflict", `${title} ${description}`);
  }
  if (!viewer) return errorResponse("unauthenticated", paymentMessages.signInFirst);
  const parsed = checkoutRequest.safeParse(await req.json().catch(() => null));
  if (!parsed.success) return errorResponse("invalid", paymentMessages.noCourseNamed, "productId");
  try {
    const course = await findCourse(services, parsed.data.productId, "id");
    const { url } = await startCheckout(services, { buyer: viewer, course });
    return Response.json({ url });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}
