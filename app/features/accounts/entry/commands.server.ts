import type { Caller } from "~/platform/auth/call.ts";
import type { Services } from "~/platform/services.ts";
import { sendVerificationAgain, signIn, signUp } from "../access/commands.server.ts";
import { destinationAfterSignIn } from "../access/queries.server.ts";
import { signInWithPasskey } from "../passkeys/commands.server.ts";
import { firstComplaint } from "../rules.ts";
import { emailField, signInFields, signUpFields } from "../schema.ts";
import { newPasswordComplaint } from "../strength/queries.server.ts";
import { messages } from "../texts.ts";

export type EntryMode = "sign-in" | "sign-up";
type Fields = Record<string, string | undefined>;
type Toast = { title: string; description?: string; tone: "default" | "success" | "destructive" };

/** What /auth shows after a form was sent: the toast, and what the page needs to know. */
export type EntryAnswer = {
  toast: Toast;
  complaint: { field: string; message: string } | null;
  /** The address whose sign-in was refused: it may only not be confirmed yet. */
  refusedEmail: string | null;
  /** Too many others are signing in at this moment. */
  isBusy: boolean;
  /** She is who she says, and may not come in just now. */
  isSuspended: boolean;
  /** The address to which a confirmation link is on its way. */
  sentTo: string | null;
  /** What this browser is to keep of it. */
  setCookies: string[];
};

/** Either the page again, or in: cookies to set before going on, be it to the second step. */
export type EntryResult = { signedIn: string[]; to: string; toast: Toast | null } | EntryAnswer;

type Entry = { mode: EntryMode; fields: Fields; destination: string };

const nothing = {
  complaint: null,
  refusedEmail: null,
  isBusy: false,
  isSuspended: false,
  sentTo: null,
  setCookies: [],
};

function refused(
  title: string,
  description: string,
  state: Partial<EntryAnswer> = {},
): EntryAnswer {
  return { ...nothing, ...state, toast: { title, description, tone: "destructive" } };
}

/** Treats a form of /auth: signing in, signing up, a passkey, or 'send it again' (spec 2 and 8, /auth). */
export function enter(services: Services, caller: Caller, entry: Entry): Promise<EntryResult> {
  if (entry.fields.intent === "resend") return resend(services, caller, entry);
  if (entry.fields.intent === "passkey") return enterWithPasskey(services, caller, entry);
  return entry.mode === "sign-up"
    ? enterNew(services, caller, entry)
    : enterKnown(services, caller, entry);
}

async function resend(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = emailField.safeParse(fields);
  if (!parsed.success) return refused(messages.validation, firstComplaint(parsed)?.message ?? "");
  const { email } = parsed.data;
  const sent = await sendVerificationAgain(services, caller, { email, destination });
  if (!sent.ok) return refused(messages.sendFailed, sent.problem, { sentTo: email });
  return { ...nothing, sentTo: email, toast: { ...messages.sentAgain, tone: "success" as const } };
}

async function enterNew(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = signUpFields.safeParse(fields);
  const complaint = await newPasswordComplaint(parsed);
  if (!parsed.success || complaint)
    return refused(messages.validation, complaint?.message ?? "", { complaint });
  const made = await signUp(services, caller, { ...parsed.data, destination });
  if (!made.ok)
    return refused(messages.signUpFailed, made.problem, { isBusy: made.reason === "busy" });
  const toast = { ...messages.created, tone: "success" as const };
  return { ...nothing, sentTo: parsed.data.email, setCookies: made.setCookies, toast };
}

async function enterWithPasskey(services: Services, caller: Caller, entry: Entry) {
  const { fields, destination } = entry;
  const entered = await signInWithPasskey(services, caller, fields.passkey);
  if ("problem" in entered) return refused(messages.signInFailed, entered.problem);
  return enterAs(services, entered.setCookies, destination);
}

/** In; or to the second step, before which nobody is welcomed. */
async function enterAs(services: Services, signedIn: string[], destination: string) {
  const { to, isIn } = await destinationAfterSignIn(services, signedIn, destination);
  return { signedIn, to, toast: isIn ? { ...messages.welcome, tone: "success" as const } : null };
}

async function enterKnown(services: Services, caller: Caller, { fields, destination }: Entry) {
  const parsed = signInFields.safeParse(fields);
  const complaint = firstComplaint(parsed);
  if (!parsed.success) return refused(messages.validation, complaint?.message ?? "", { complaint });
  const result = await signIn(services, caller, { ...parsed.data, destination });
  if (result.ok) return enterAs(services, result.setCookies, destination);
  const { reason, problem } = result;
  return refused(messages.signInFailed, problem, {
    refusedEmail: reason === "credentials" ? parsed.data.email : null,
    isBusy: reason === "busy",
    isSuspended: reason === "suspended",
  });
}
