import { PasswordsBusy } from "~/platform/auth/passwords/places.ts";
import { renewSession } from "~/platform/auth/renew.ts";
import { giveBack, withinLimit } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { checkCode } from "../challenge/commands.server.ts";
import { messages } from "../factors/texts.ts";
import { findPassword, isPassword, proofOf } from "./queries.server.ts";

type Shown = {
  userId: string;
  sessionId: string;
  fields: Record<string, string | undefined>;
};

/** What is wrong with what somebody showed, and the field it belongs to. */
export type Complaint = { field: "password" | "code" | ""; message: string };

/**
 * Looks at what somebody shows to be the owner of the account: see {@link proofOf}.
 * @returns null when she is
 */
export async function proveOwner(
  services: Services,
  { userId, sessionId, fields }: Shown,
): Promise<Complaint | null> {
  const proof = await proofOf(services, { userId, sessionId });
  if (proof === "none") return null;
  if (proof === "sign-in") return { field: "", message: messages.signInAgain };
  const field = proof;
  const typed = fields[field] ?? "";
  if (!typed) return { field, message: proof === "password" ? messages.password : messages.code };
  // Only from within a session of hers: nobody else can use it up.
  const limit = { what: "owner-proof", whose: userId, max: 10, windowSeconds: 15 * 60 };
  if (!(await withinLimit(services, limit))) return { field, message: messages.tooManyTries };
  if (proof === "code") {
    const checked = await checkCode(services, { userId, typed });
    return "problem" in checked ? { field, message: checked.problem } : null;
  }
  const hash = (await findPassword(services, userId)) ?? "";
  try {
    const isRight = await isPassword(services, hash, typed);
    return isRight ? null : { field, message: messages.wrongPassword };
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error;
    // Nobody has looked at it: that was no try.
    await giveBack(services, limit);
    return { field, message: error.message };
  }
}

/**
 * Shows that it is she, so that what may be done only soon after signing in may be done again: the
 * session is as good as new.
 */
export async function showOwner(services: Services, shown: Shown) {
  const complaint = await proveOwner(services, shown);
  const problem = complaint?.message ?? null;
  if (problem !== null) return { problem, owner: "asked" as const, setCookies: [] };
  const cookie = await renewSession(services, shown.sessionId, "owner");
  return { problem, owner: "shown" as const, setCookies: cookie ? [cookie] : [] };
}
