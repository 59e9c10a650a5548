import Stripe from "stripe";
import type { Config } from "../config/config.ts";

/** Retries lost requests with the same idempotency key. Keys and messages stay out of logs. */
export function openStripe({ stripe: settings }: Pick<Config, "stripe">): Stripe | null {
  if (!settings) return null;
  return new Stripe(settings.secretKey, {
    ...elsewhere(settings.apiUrl),
    maxNetworkRetries: 1,
    timeout: settings.timeoutMs,
    telemetry: false,
  });
}

export function checkoutOrigin({ stripe: settings }: Pick<Config, "stripe">): string | null {
  if (!settings) return null;
  return settings.apiUrl ? new URL(settings.apiUrl).origin : "https://checkout.stripe.com";
}

function elsewhere(apiUrl: string | undefined) {
  if (!apiUrl) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSafe = protocol === "https:";
  return {
    host: hostname,
    port: port || (isSafe ? "443" : "80"),
    protocol: isSafe ? ("https" as const) : ("http" as const),
  };
}
