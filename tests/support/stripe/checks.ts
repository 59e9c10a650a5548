import { invalid } from "./errors.ts";
import type { Params } from "./params.ts";

const known = new Set(
  "mode line_items client_reference_id customer_email metadata payment_intent_data expires_at success_url cancel_url expand".split(
    " ",
  ),
);

/** What Stripe checks of a new session. @returns the price */
export function checkSession(params: Params, now: number): Params {
  for (const name of Object.keys(params))
    if (!known.has(name))
      throw invalid(`Received unknown parameter: ${name}`, name, "parameter_unknown");
  const price = params.line_items?.[0]?.price_data;
  for (const [name, value] of [
    ["mode", params.mode === "payment" || undefined],
    ["success_url", params.success_url],
    ["line_items[0][price_data][currency]", price?.currency],
    ["line_items[0][price_data][unit_amount]", /^\d+$/.test(price?.unit_amount) || undefined],
    ["line_items[0][price_data][product_data][name]", price?.product_data?.name],
    ["line_items[0][quantity]", params.line_items?.[0]?.quantity],
  ])
    if (value === undefined)
      throw invalid(`Missing required param: ${name}.`, name, "parameter_missing");
  const soon = Number(params.expires_at ?? now + 24 * 3600) - now;
  if (soon < 30 * 60 - 60 || soon > 24 * 3600)
    throw invalid(
      "The `expires_at` timestamp must be between 30 minutes and 24 hours.",
      "expires_at",
    );
  if (params.customer_email !== undefined && !/^\S+@\S+$/.test(params.customer_email))
    throw invalid("Invalid email address", "customer_email", "email_invalid");
  for (const value of Object.values({ ...params.metadata }))
    if (String(value).length > 500)
      throw invalid("Metadata values can have up to 500 characters", "metadata");
  if ((params.client_reference_id ?? "").length > 200)
    throw invalid("Invalid string: must be at most 200 characters", "client_reference_id");
  return price;
}
