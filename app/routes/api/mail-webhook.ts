import type { Context } from "hono";
import { receiveMailWebhook } from "~/features/suppressions/webhooks.server.ts";
import type { Env } from "~/platform/http/middleware.ts";
import type { Services } from "~/platform/http/services.ts";
import { logRefusal } from "~/platform/log/log.ts";
import { errorResponse, Refused } from "~/platform/utils/errors.ts";

/** `POST /api/webhooks/mail/:provider`. 200 when the report was recorded, now or before, or is none of a
 * bounce or complaint; 401 when the provider did not sign it; 500 when it failed, so that it comes again. */
export async function mailWebhook(services: Services, c: Context<Env>): Promise<Response> {
  const provider = c.req.param("provider") ?? "";
  try {
    const body = Buffer.from(await c.req.arrayBuffer());
    const { headers } = c.req.raw;
    await receiveMailWebhook(services, {
      ...{ provider, headers, body },
      address: c.get("clientAddress"),
    });
    return Response.json({ received: true });
  } catch (error) {
    if (error instanceof Refused) {
      if (error.code === "unauthenticated") logRefusal(services.log, "signature", "mail webhook");
      return errorResponse(error.code, error.message);
    }
    services.log.error({ err: error }, "a mail webhook could not be handled");
    const message = "It could not be handled. Please send it again.";
    return Response.json({ error: { code: "failed", message } }, { status: 500 });
  }
}
