import { type AuthAnswer, type Caller, callAuth } from "~/platform/auth/call.ts";
import type { Services } from "~/platform/services.ts";
import { suspendedCode } from "../suspension/texts.ts";
import { messages } from "../texts.ts";

/** What came of signing in, signing up and their kin. `problem` is fit to be shown. */
export type Outcome =
  | { ok: true; setCookies: string[] }
  | { ok: false; problem: string; reason: "credentials" | "link" | "suspended" | "busy" | "other" };

function outcome(answer: AuthAnswer): Outcome {
  if (answer.ok) return { ok: true, setCookies: answer.setCookies };
  if (answer.status === 429) return { ok: false, problem: messages.tooMany, reason: "other" };
  const problem = answer.message ?? messages.unreachable;
  if (answer.status === 503) return { ok: false, problem, reason: "busy" };
  if (answer.status === 401 && answer.code === "INVALID_EMAIL_OR_PASSWORD")
    return { ok: false, problem, reason: "credentials" };
  if (answer.code === suspendedCode) return { ok: false, problem, reason: "suspended" };
  // A letter can outlive the account that it was written for.
  const link = /TOKEN|EXPIRED|USER_NOT_FOUND/.test(answer.code ?? "");
  return { ok: false, problem, reason: link ? "link" : "other" };
}

type SignIn = { email: string; password: string };

/**
 * Signs in with address and password (spec 7, Authentication). Whoever has the right ones of an
 * account that is not confirmed is refused like anybody else, and gets the confirmation link again,
 * which leads to `destination`.
 */
export async function signIn(
  services: Services,
  caller: Caller,
  { destination, ...fields }: SignIn & { destination: string },
) {
  const body = { ...fields, callbackURL: services.config.appUrl + destination };
  return outcome(await callAuth(services, caller, "/sign-in/email", body));
}

/**
 * Makes an account and mails the link that confirms it. An address that has an account
 * gets the same answer, and a letter instead.
 */
export async function signUp(
  services: Services,
  caller: Caller,
  fields: SignIn & { name: string; destination: string },
) {
  const { destination, ...rest } = fields;
  return outcome(
    await callAuth(services, caller, "/sign-up/email", {
      ...rest,
      callbackURL: services.config.appUrl + destination,
    }),
  );
}

/** Mails the confirmation link again; the answer is the same whether there is such an account. */
export async function sendVerificationAgain(
  services: Services,
  caller: Caller,
  { email, destination }: { email: string; destination: string },
) {
  const body = { email, callbackURL: services.config.appUrl + destination };
  return outcome(await callAuth(services, caller, "/send-verification-email", body));
}

/** Confirms an address with the token of the letter, and signs in. */
export async function verifyEmail(services: Services, caller: Caller, token: string) {
  const path = `/verify-email?token=${encodeURIComponent(token)}`;
  return outcome(await callAuth(services, caller, path, null));
}

/** Mails a link to choose a new password; the same answer for every address. */
export async function requestPasswordReset(
  services: Services,
  caller: Caller,
  { email, destination }: { email: string; destination: string },
) {
  const body = { email, redirectTo: services.config.appUrl + destination };
  return outcome(await callAuth(services, caller, "/request-password-reset", body));
}

/** Sets a new password with the token of the letter; every session of the account ends. */
export async function resetPassword(
  services: Services,
  caller: Caller,
  { token, password }: { token: string; password: string },
) {
  return outcome(
    await callAuth(services, caller, "/reset-password", { token, newPassword: password }),
  );
}

/** Ends this session. Twice is once. */
export async function signOut(services: Services, caller: Caller): Promise<string[]> {
  return (await callAuth(services, caller, "/sign-out", {})).setCookies;
}
