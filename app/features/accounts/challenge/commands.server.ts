import type { Caller } from "~/platform/auth/call.ts";
import { renewSession } from "~/platform/auth/renew.ts";
import { matchingStep, openSecret } from "~/platform/auth/totp.ts";
import { limitsOfPlace, withinLimit, withinLimits } from "~/platform/http/rate-limit.ts";
import type { Services } from "~/platform/services.ts";
import { anyCodeField } from "../factors/schema.ts";
import { fewCodes, messages } from "../factors/texts.ts";
import { tellOwner } from "../notices/commands.server.ts";
import { signInWithPasskey } from "../passkeys/commands.server.ts";
import { spendCode } from "../recovery/commands.server.ts";
import { messages as accountMessages } from "../texts.ts";

const hour = 3600;

/** How a code of an app was taken. */
type Taken = "right" | "used" | "wrong";

/**
 * Takes a code of any app of hers, once: the step it belongs to must be later than that of the last
 * code taken, and of two who send the same code at once one is first.
 */
export async function takeAppCode(
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
    const step = plain && (await matchingStep(plain, code, now));
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

/**
 * Checks what somebody typed as a code of hers.
 * @returns what is wrong with it; or that it was right, and how many recovery codes are left if it
 * was one of them
 */
export async function checkCode(
  services: Services,
  { userId, typed }: { userId: string; typed: string },
): Promise<{ problem: string } | { codesLeft: number | null }> {
  const parsed = anyCodeField.safeParse({ code: typed });
  if (!parsed.success) return { problem: messages.code };
  const { kind, code } = parsed.data.code;
  if (kind === "recovery") {
    const codesLeft = await spendCode(services, { userId, code });
    return codesLeft === null ? { problem: messages.wrongRecoveryCode } : { codesLeft };
  }
  // Whoever knows the password can use this up, from many places. A recovery code and a passkey
  // still open then: 50 bits cannot be guessed, so their tries are counted by place alone.
  const limit = { what: "second-step-account", whose: userId, max: 30, windowSeconds: hour };
  if (!(await withinLimit(services, limit))) return { problem: messages.tooManyCodes };
  const taken = await takeAppCode(services, { userId, code });
  if (taken === "right") return { codesLeft: null };
  return { problem: taken === "used" ? messages.usedCode : messages.wrongCode };
}

type Step = { userId: string; sessionId: string; address: string; typed: string };

/** In, with a cookie to set, and how many recovery codes are left if it was one; the page again; or back to the password, with a word. */
type StepResult =
  | { cookie: string; codesLeft: number | null }
  | { problem: string }
  | { over: (typeof messages)["pendingOver" | "triesOver"] };

/**
 * The second step of signing in: a code of an app, or a recovery code. Five tries a session, then it
 * ends, and its owner is told that somebody has her password.
 */
async function takeSecondStep(services: Services, step: Step): Promise<StepResult> {
  const { userId, sessionId, address, typed } = step;
  // What can be no code is no try.
  if (!anyCodeField.safeParse({ code: typed }).success) return { problem: messages.code };
  const tries = { what: "second-step", whose: sessionId, max: 5, windowSeconds: hour };
  if (!(await withinLimit(services, tries))) return endTries(services, step);
  const place = { what: "second-step-place", max: 20, windowSeconds: hour };
  if (!(await withinLimits(services, limitsOfPlace(place, address, userId))))
    return { problem: messages.tooManyCodes };
  const checked = await checkCode(services, { userId, typed });
  if ("problem" in checked) {
    // Also of somebody who begins anew with the password before a session's tries are used up.
    const few = {
      ...{ what: "second-step-wrong", whose: userId, max: 4, windowSeconds: hour },
      isQuiet: true,
    };
    if (!(await withinLimit(services, few))) await tellOfCodes(services, userId);
    return checked;
  }
  const cookie = await renewSession(services, sessionId, "factor");
  return cookie ? { cookie, ...checked } : { over: messages.pendingOver };
}

type Toast = { title: string; description?: string; tone?: "success" | "destructive" };

/** What the page of the second step shows, or where it goes on. */
type Entering =
  | { signedIn: string[]; toast: Toast }
  | { over: (typeof messages)["pendingOver" | "triesOver"] }
  | { problem: string | null; toast: Toast | null };

type Form = { userId: string; sessionId: string; fields: Record<string, string | undefined> };

/** A form of that page: a code, or a passkey. Without `userId` her ten minutes are over. */
export async function enterFurther(
  services: Services,
  caller: Caller,
  { userId, sessionId, fields }: Form,
): Promise<Entering> {
  if (fields.intent === "passkey") {
    const entered = await signInWithPasskey(services, caller, fields.passkey);
    if ("setCookies" in entered) return { signedIn: entered.setCookies, toast: welcome(null) };
    const title = accountMessages.signInFailed;
    const failed = { title, description: entered.problem, tone: "destructive" } as const;
    return { problem: null, toast: failed };
  }
  if (!userId) return { over: messages.pendingOver };
  const typed = fields.code ?? "";
  const step = { userId, sessionId, address: caller.address, typed };
  const result = await takeSecondStep(services, step);
  if ("cookie" in result) {
    return { signedIn: [result.cookie], toast: welcome(result.codesLeft) };
  }
  return "over" in result ? result : { problem: result.problem, toast: null };
}

/** The words of spec 8, and what is to be done soon. */
function welcome(codesLeft: number | null): Toast {
  const { title, description } = accountMessages.welcome;
  const isFew = codesLeft !== null && codesLeft < fewCodes;
  const more = isFew ? ` ${messages.fewCodesLeft(codesLeft)}` : "";
  return { title, description: description + more, tone: "success" };
}

async function endTries(services: Services, { userId, sessionId }: Step): Promise<StepResult> {
  const { db } = services;
  await db.write
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("secondFactorAt", "is", null)
    .execute();
  await tellOfCodes(services, userId);
  return { over: messages.triesOver };
}

/** Writes to the owner that somebody has her password, and no codes. Twice a day at most. */
async function tellOfCodes(services: Services, userId: string): Promise<void> {
  const limit = {
    what: "second-step-letter",
    whose: userId,
    max: 1,
    windowSeconds: 12 * hour,
    isQuiet: true,
  };
  if (!(await withinLimit(services, limit))) return;
  await tellOwner(services, services.db.write, { userId, change: "wrong-codes" });
  services.wakeWorker();
}
