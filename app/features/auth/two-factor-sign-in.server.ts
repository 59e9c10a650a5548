import type { Caller } from "~/platform/auth/call.ts";
import { sessionCookie } from "~/platform/auth/constants.ts";
import { readCookie } from "~/platform/auth/cookies.ts";
import type { SessionReading } from "~/platform/auth/session.ts";
import { renewSession } from "~/platform/auth/sessions.ts";
import { matchingStep, openSecret } from "~/platform/auth/totp.ts";
import { limitsOfPlace, withinLimit, withinLimits } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { authMessages, fewBackupCodes, twoFactorMessages } from "./messages.ts";
import { listPasskeys, signInWithPasskey } from "./passkeys.server.ts";
import { anyCodeField } from "./schema.ts";
import { sendLimitedAlert } from "./security-alerts.server.ts";
import { consumeBackupCode, countAuthenticatorApps } from "./two-factor.server.ts";

type Step = { email: string; hasApps: boolean; hasPasskeys: boolean };

/** `over`: no sign-in is pending; with a message only if the browser had a session. */
export async function getPendingTwoFactor(
  services: Services,
  { pending }: SessionReading,
  headers: Headers,
): Promise<Step | { over: typeof twoFactorMessages.pendingOver | null }> {
  const { db } = services;
  if (!pending) {
    const wasThere = readCookie(headers, sessionCookie) !== null;
    return { over: wasThere ? twoFactorMessages.pendingOver : null };
  }
  const [apps, passkeys] = await Promise.all([
    countAuthenticatorApps(db.write, pending.id),
    listPasskeys(services, pending.id),
  ]);
  return { email: pending.email, hasApps: apps > 0, hasPasskeys: passkeys.length > 0 };
}

const hour = 3600;

type Taken = "right" | "used" | "wrong";

/** Accepts an app code once: the time step must be later than the last one, even concurrently. */
export async function consumeAppCode(
  services: Services,
  { userId, code }: { userId: string; code: string },
): Promise<Taken> {
  const { db, clock, config } = services;
  const apps = await db.write
    .selectFrom("factors")
    .select(["id", "secret"])
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .execute();
  const now = clock.now();
  let taken: Taken = "wrong";
  for (const { id, secret } of apps) {
    const plain = await openSecret(config.authSecret, secret);
    if (plain === null)
      services.log.error({ factor: id }, "AUTH_SECRET does not open the secret of an app");
    const step = plain && matchingStep(plain, code, now);
    if (!step) continue;
    const { numUpdatedRows } = await db.write
      .updateTable("factors")
      .set({ lastStep: step, lastUsedAt: now })
      .where("id", "=", id)
      .where("status", "=", "verified")
      .where((eb) => eb.or([eb("lastStep", "is", null), eb("lastStep", "<", step)]))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return "right";
    taken = "used";
  }
  return taken;
}

/** Checks an app or backup code. @returns an error, or the backup codes left if one was used */
export async function checkTwoFactorCode(
  services: Services,
  { userId, typed }: { userId: string; typed: string },
): Promise<{ problem: string } | { codesLeft: number | null }> {
  const parsed = anyCodeField.safeParse({ code: typed });
  if (!parsed.success) return { problem: twoFactorMessages.code };
  const { kind, code } = parsed.data.code;
  if (kind === "recovery") {
    const codesLeft = await consumeBackupCode(services, { userId, code });
    return codesLeft === null ? { problem: twoFactorMessages.wrongBackupCode } : { codesLeft };
  }
  // Anyone with the password can exhaust this limit. Backup codes and passkeys then still work: 50
  // bits cannot be guessed, so those attempts are limited only by place.
  const limit = { what: "second-step-account", whose: userId, max: 30, windowSeconds: hour };
  if (!(await withinLimit(services, limit))) return { problem: twoFactorMessages.tooManyCodes };
  const taken = await consumeAppCode(services, { userId, code });
  if (taken === "right") return { codesLeft: null };
  return { problem: taken === "used" ? twoFactorMessages.usedCode : twoFactorMessages.wrongCode };
}

type TwoFactorStep = { userId: string; sessionId: string; address: string; typed: string };

type StepResult =
  | { cookie: string; codesLeft: number | null }
  | { problem: string }
  | { over: (typeof twoFactorMessages)["pendingOver" | "triesOver"] };

// After five attempts the session ends, and the owner is alerted that someone has their password.
async function takeSecondStep(services: Services, step: TwoFactorStep): Promise<StepResult> {
  const { userId, sessionId, address, typed } = step;
  // Malformed codes do not count as attempts.
  if (!anyCodeField.safeParse({ code: typed }).success) return { problem: twoFactorMessages.code };
  const tries = { what: "second-step", whose: sessionId, max: 5, windowSeconds: hour };
  if (!(await withinLimit(services, tries))) return endTries(services, step);
  const place = { what: "second-step-place", max: 20, windowSeconds: hour };
  if (!(await withinLimits(services, limitsOfPlace(place, address, userId))))
    return { problem: twoFactorMessages.tooManyCodes };
  const checked = await checkTwoFactorCode(services, { userId, typed });
  if ("problem" in checked) {
    // Counts across sessions, for attackers who start over with the password before the limit.
    const few = { what: "second-step-wrong", whose: userId, max: 4, windowSeconds: hour };
    if (!(await withinLimit(services, { ...few, isQuiet: true })))
      await sendWrongCodesAlert(services, userId);
    return checked;
  }
  const cookie = await renewSession(services, sessionId, "factor");
  return cookie ? { cookie, ...checked } : { over: twoFactorMessages.pendingOver };
}

type Toast = { title: string; description?: string; tone?: "success" | "destructive" };

type Entering =
  | { signedIn: string[]; toast: Toast }
  | { over: (typeof twoFactorMessages)["pendingOver" | "triesOver"] }
  | { problem: string | null; toast: Toast | null };

type Form = { userId: string; sessionId: string; fields: Record<string, string | undefined> };

/** `userId` is empty when the ten minutes have expired. */
export async function submitTwoFactorForm(
  services: Services,
  caller: Caller,
  { userId, sessionId, fields }: Form,
): Promise<Entering> {
  if (fields.intent === "passkey") {
    const entered = await signInWithPasskey(services, caller, fields.passkey);
    if ("setCookies" in entered) return { signedIn: entered.setCookies, toast: welcome(null) };
    const title = authMessages.signInFailed;
    const failed = { title, description: entered.problem, tone: "destructive" } as const;
    return { problem: null, toast: failed };
  }
  if (!userId) return { over: twoFactorMessages.pendingOver };
  const typed = fields.code ?? "";
  const step = { userId, sessionId, address: caller.address, typed };
  const result = await takeSecondStep(services, step);
  if ("cookie" in result) return { signedIn: [result.cookie], toast: welcome(result.codesLeft) };
  return "over" in result ? result : { problem: result.problem, toast: null };
}

function welcome(codesLeft: number | null): Toast {
  const { title, description } = authMessages.welcome;
  const isFew = codesLeft !== null && codesLeft < fewBackupCodes;
  const more = isFew ? ` ${twoFactorMessages.fewCodesLeft(codesLeft)}` : "";
  return { title, description: description + more, tone: "success" };
}

async function endTries(
  services: Services,
  { userId, sessionId }: TwoFactorStep,
): Promise<StepResult> {
  await services.db.write
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("secondFactorAt", "is", null)
    .execute();
  await sendWrongCodesAlert(services, userId);
  return { over: twoFactorMessages.triesOver };
}

// Alerts the owner that someone has their password but no code.
const sendWrongCodesAlert = (services: Services, userId: string) =>
  sendLimitedAlert(
    services,
    { userId, change: "wrong-codes" },
    { what: "second-step-email", hours: 12 },
  );
