import { type AuthAnswer, type Caller, callAuth } from "~/platform/auth/call.ts";
import { findSession } from "~/platform/auth/session-row.ts";
import type { Services } from "~/platform/http/services.ts";
import { authMessages, suspendedCode, twoFactorPath } from "./messages.ts";
import { signInWithPasskey } from "./passkeys.server.ts";
import { newPasswordError } from "./passwords.server.ts";
import { authPath, firstFieldError } from "./rules.ts";
import { emailField, signInFields, signUpFields } from "./schema.ts";
import { twoFactorPromptPath } from "./two-factor-setup.server.ts";

/** `problem` can be shown to the user. */
export type AuthResult =
  | { ok: true; setCookies: string[] }
  | { ok: false; problem: string; reason: "credentials" | "link" | "suspended" | "busy" | "other" };

function outcome(answer: AuthAnswer): AuthResult {
  if (answer.ok) return { ok: true, setCookies: answer.setCookies };
  if (answer.status === 429) return { ok: false, problem: authMessages.tooMany, reason: "other" };
  const problem = answer.message ?? authMessages.unreachable;
  if (answer.status === 503) return { ok: false, problem, reason: "busy" };
  if (answer.status === 401 && answer.code === "INVALID_EMAIL_OR_PASSWORD")
    return { ok: false, problem, reason: "credentials" };
  if (answer.code === suspendedCode) return { ok: false, problem, reason: "suspended" };
  // An emailed link can outlive its account.
  const link = /TOKEN|EXPIRED|USER_NOT_FOUND/.test(answer.code ?? "");
  return { ok: false, problem, reason: link ? "link" : "other" };
}

type SignIn = { email: string; password: string };
/** Where the links of emails lead: a path. */
type Destined<Fields> = Fields & { destination: string };

async function ask(
  services: Services,
  caller: Caller,
  path: string,
  { destination, ...fields }: Destined<Record<string, string>>,
) {
  const to = services.config.appUrl + destination;
  return outcome(await callAuth(services, caller, path, { ...fields, callbackURL: to }));
}

/** Signs in with email and password (spec 7, Authentication). An unconfirmed account with the right
 * password gets the same refusal as any other, and a new confirmation link to `destination`. */
export const signIn = (services: Services, caller: Caller, fields: Destined<SignIn>) =>
  ask(services, caller, "/sign-in/email", fields);

/** A registered address gets the same answer, and another email. */
export const signUp = (
  services: Services,
  caller: Caller,
  fields: Destined<SignIn & { name: string }>,
) => ask(services, caller, "/sign-up/email", fields);

export async function verifyEmail(services: Services, caller: Caller, token: string) {
  const path = `/verify-email?token=${encodeURIComponent(token)}`;
  return outcome(await callAuth(services, caller, path, null));
}

/** Emails a password reset link; the answer is the same for every address. */
export async function requestPasswordReset(
  services: Services,
  caller: Caller,
  { email, destination }: Destined<{ email: string }>,
) {
  const body = { email, redirectTo: services.config.appUrl + destination };
  return outcome(await callAuth(services, caller, "/request-password-reset", body));
}

/** Every session of the account ends. */
export async function resetPassword(
  services: Services,
  caller: Caller,
  { token, password }: { token: string; password: string },
) {
  const body = { token, newPassword: password };
  return outcome(await callAuth(services, caller, "/reset-password", body));
}

/** Ends this session. Idempotent. */
export async function signOut(services: Services, caller: Caller): Promise<string[]> {
  return (await callAuth(services, caller, "/sign-out", {})).setCookies;
}

/** The second step, the two-factor prompt or `destination`. `isIn`: the sign-in is complete. */
export async function destinationAfterSignIn(
  services: Services,
  setCookies: string[],
  destination: string,
): Promise<{ to: string; isIn: boolean }> {
  const cookie = setCookies.map((line) => line.split(";")[0]).join("; ");
  const session = await findSession(services, new Headers({ cookie }));
  if (!session) return { to: destination, isIn: true };
  if (session.isPending) return { to: authPath(destination, twoFactorPath), isIn: false };
  return { to: await twoFactorPromptPath(services, session.id, destination), isIn: true };
}

type Toast = { title: string; description?: string; tone: "default" | "success" | "destructive" };

export type AuthFormAnswer = {
  toast: Toast;
  fieldError: { field: string; message: string } | null;
  /** The address whose sign-in was refused; it may only be unconfirmed. */
  refusedEmail: string | null;
  /** The hash queue is full. */
  isBusy: boolean;
  /** The credentials are right, but the account is suspended. */
  isSuspended: boolean;
  sentTo: string | null;
  setCookies: string[];
};

export type AuthFormResult =
  | { signedIn: string[]; to: string; toast: Toast | null }
  | AuthFormAnswer;

type Entry = {
  mode: "sign-in" | "sign-up";
  fields: Record<string, string | undefined>;
  destination: string;
};

const nothing = {
  fieldError: null,
  refusedEmail: null,
  isBusy: false,
  isSuspended: false,
  sentTo: null,
  setCookies: [],
};

function refused(
  title: string,
  description: string,
  state: Partial<AuthFormAnswer> = {},
): AuthFormAnswer {
  return { ...nothing, ...state, toast: { title, description, tone: "destructive" } };
}

/** Handles the forms of /auth: sign-in, sign-up, passkey, resend (spec 2 and 8, /auth). */
export function submitAuthForm(
  services: Services,
  caller: Caller,
  entry: Entry,
): Promise<AuthFormResult> {
  if (entry.fields.intent === "resend") return resend(services, caller, entry);
  if (entry.fields.intent === "passkey") return enterWithPasskey(services, caller, entry);
  return entry.mode === "sign-up"
    ? enterNew(services, caller, entry)
    : enterKnown(services, caller, entry);
}

async function resend(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = emailField.safeParse(fields);
  if (!parsed.success)
    return refused(authMessages.validation, firstFieldError(parsed)?.message ?? "");
  const { email } = parsed.data;
  // The answer does not reveal whether the account exists.
  const sent = await ask(services, caller, "/send-verification-email", { email, destination });
  if (!sent.ok) return refused(authMessages.sendFailed, sent.problem, { sentTo: email });
  return {
    ...nothing,
    sentTo: email,
    toast: { ...authMessages.sentAgain, tone: "success" as const },
  };
}

async function enterNew(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = signUpFields.safeParse(fields);
  const fieldError = await newPasswordError(services, parsed);
  if (!parsed.success || fieldError)
    return refused(authMessages.validation, fieldError?.message ?? "", { fieldError });
  const made = await signUp(services, caller, { ...parsed.data, destination });
  if (!made.ok)
    return refused(authMessages.signUpFailed, made.problem, { isBusy: made.reason === "busy" });
  const toast = { ...authMessages.created, tone: "success" as const };
  return { ...nothing, sentTo: parsed.data.email, setCookies: made.setCookies, toast };
}

async function enterWithPasskey(services: Services, caller: Caller, entry: Entry) {
  const { fields, destination } = entry;
  const entered = await signInWithPasskey(services, caller, fields.passkey);
  if ("problem" in entered) return refused(authMessages.signInFailed, entered.problem);
  return enterAs(services, entered.setCookies, destination);
}

// There is no welcome before the second step.
async function enterAs(services: Services, signedIn: string[], destination: string) {
  const { to, isIn } = await destinationAfterSignIn(services, signedIn, destination);
  return {
    signedIn,
    to,
    toast: isIn ? { ...authMessages.welcome, tone: "success" as const } : null,
  };
}

async function enterKnown(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = signInFields.safeParse(fields);
  const fieldError = firstFieldError(parsed);
  if (!parsed.success)
    return refused(authMessages.validation, fieldError?.message ?? "", { fieldError });
  const result = await signIn(services, caller, { ...parsed.data, destination });
  if (result.ok) return enterAs(services, result.setCookies, destination);
  const { reason, problem } = result;
  return refused(authMessages.signInFailed, problem, {
    refusedEmail: reason === "credentials" ? parsed.data.email : null,
    isBusy: reason === "busy",
    isSuspended: reason === "suspended",
  });
}
