import type { Services } from "~/platform/services.ts";
import { keyedHash, readLinkToken, signToken } from "~/platform/signed-token.ts";
import { type ConfirmLink, confirmText, parseConfirmText } from "../rules.ts";
import { confirmTime } from "../texts.ts";

/** Each kind of link has a purpose of its own, so that none opens another's door. */
const confirming = "newsletter confirm";
const unsubscribing = "newsletter unsubscribe";
const subscribing = "newsletter subscriber";

/** The page on which this subscription is confirmed; works for {@link confirmTime}. */
export function confirmUrl(
  { config, clock }: Services,
  subscriber: { id: string; generation: number },
): string {
  const expires = clock.now().getTime() + confirmTime.days * 24 * 3600_000;
  const text = confirmText({ ...subscriber, expires });
  return `${config.appUrl}/newsletter/confirm?token=${signToken(config.authSecret, confirming, text)}`;
}

/** What a confirmation token says, or null when this site never made it. */
export function readConfirmToken(services: Services, token: string): ConfirmLink | null {
  const text = readLinkToken(services, confirming, token);
  return text === null ? null : parseConfirmText(text);
}

/** The address that ends a subscription: by hand as a page, by mail programs at once. Works for good. */
export function unsubscribeUrl({ config }: Services, subscriberId: string): string {
  const token = signToken(config.authSecret, unsubscribing, subscriberId);
  return `${config.appUrl}/newsletter/unsubscribe?token=${token}`;
}

/**
 * The id of an address's row: the same whenever the row is made, so that an old letter's link
 * still ends the subscription of somebody who was forgotten and has come back. A UUIDv8.
 */
export function subscriberId({ config }: Services, key: string): string {
  const hash = keyedHash(config.authSecret, subscribing, key).toString("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Whose subscription a token ends, or null when this site never made it. */
export function readUnsubscribeToken(services: Services, token: string): string | null {
  return readLinkToken(services, unsubscribing, token);
}
