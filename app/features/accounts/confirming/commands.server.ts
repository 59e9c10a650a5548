import type { Caller } from "~/platform/auth/call.ts";
import { makerCookie } from "~/platform/auth/maker.ts";
import { PasswordsBusy } from "~/platform/auth/passwords/places.ts";
import { giveBack, withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { type Outcome, verifyEmail } from "../access/commands.server.ts";
import { isPassword } from "../owner/queries.server.ts";
import { findUnproven } from "./queries.server.ts";
import { messages } from "./texts.ts";

type Shown = { token: string; password: string };

/**
 * Confirms an address with the token of its letter, and signs in. Where it is not known that
 * whoever asks made the account, her password shows it.
 * @returns `wrongPassword`, when it does not
 */
export async function confirmEmail(
  services: Services,
  caller: Caller,
  { token, password }: Shown,
): Promise<Outcome | { ok: false; wrongPassword: string }> {
  const account = await findUnproven(services, caller, token);
  if (!account) return verifyEmail(services, caller, token);
  const { userId, hash } = account;
  if (!password || !hash) return { ok: false, wrongPassword: messages.missing };
  const limit = { what: "confirm-password", whose: userId, max: 10, windowSeconds: 15 * 60 };
  if (!(await withinLimit(services, limit))) return { ok: false, wrongPassword: messages.tooMany };
  try {
    if (!(await isPassword(services, hash, password)))
      return { ok: false, wrongPassword: messages.wrong };
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error;
    // Nobody has looked at it: that was no try.
    await giveBack(services, limit);
    return { ok: false, problem: error.message, reason: "busy" };
  }
  const { name, value } = makerCookie(services.config, userId);
  const cookie = [`${name}=${encodeURIComponent(value)}`, caller.cookie].filter(Boolean).join("; ");
  return verifyEmail(services, { ...caller, cookie }, token);
}
