import type Stripe from "stripe";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { messages } from "./texts.ts";

/**
 * Stripe could not be asked, or refused. Its own words stay out of the log: they may name keys
 * and people.
 */
export class StripeTrouble extends Error {
  /** Stripe's code, e.g. 'charge_already_refunded'; null where it names none. */
  readonly code: string | null;
  /** Worth trying again: no connection, too busy, a fault of theirs, keys that are being mended. */
  readonly isTemporary: boolean;
  /** The key is not taken: rolled, mistyped, or without the right to do this. */
  readonly isRefusal: boolean;
  /** Stripe said so itself; else nobody knows whether it did what it was asked. */
  readonly isAnswer: boolean;
  constructor(error: unknown) {
    const { type, code = null, statusCode = 0 } = error as Partial<Stripe.errors.StripeError>;
    super(
      `Stripe: ${[type ?? (error as Error).name, code, statusCode || null].filter(Boolean).join(", ")}`,
    );
    this.code = code;
    this.isAnswer = statusCode !== 0;
    this.isRefusal = statusCode === 401 || statusCode === 403;
    this.isTemporary = ![400, 402, 404].includes(statusCode);
  }
}

/** Asks Stripe. @throws {Refused} unavailable without keys @throws {StripeTrouble} */
export async function asking<T>(
  { stripe }: Services,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  if (!stripe) throw new Refused("unavailable", messages.notConfigured);
  try {
    return await ask(stripe);
  } catch (error) {
    throw isStripes(error) ? new StripeTrouble(error) : error;
  }
}

/** By its name: a program may hold the library twice. */
const isStripes = (error: unknown) => /^Stripe/.test((error as { type?: string })?.type ?? "");

/** The same for what may not exist at Stripe. @returns null when it does not */
export async function looking<T>(
  services: Services,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T | null> {
  try {
    return await asking(services, ask);
  } catch (error) {
    if (error instanceof StripeTrouble && error.code === "resource_missing") return null;
    throw error;
  }
}

/** A moment as Stripe writes it: seconds since 1970. */
export const dateOf = (seconds: number) => new Date(seconds * 1000);

/** The id of what Stripe names by its id or, if asked to, writes out. */
export function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === "string" ? named : (named?.id ?? null);
}
