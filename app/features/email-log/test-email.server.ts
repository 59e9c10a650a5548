import path from "node:path";
import { createElement } from "react";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { EmailDelayed, EmailRefused, MailServerAway } from "~/platform/email/mail.ts";
import { greetingOf, receiver } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import { suppressionOf } from "~/platform/email/sent.ts";
import { limitConcurrency } from "~/platform/http/limits.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { TestEmail } from "./emails/test-email.tsx";
import { longestTest, suppressedMessages, testMessages } from "./messages.ts";

export type TestResult = { id: string; address: string } & (
  | { kind: "sent"; words: string }
  | { kind: "file"; file: string }
  | { kind: "failed"; words: string; advice: string }
);

const oneAtATime = limitConcurrency({ each: 1, all: 1 });
const perHour = 5;
const longestWords = 300;

type Testing = { adminId: string; timeZone: string; limitMs?: number };

/** Sends one email to the admin at once, past the outbox. @returns the mail server's own answer, or
 * the file that it became @throws {Refused} rate_limited */
export async function sendTestEmail(services: Services, testing: Testing): Promise<TestResult> {
  const { adminId: whose } = testing;
  const limit = { what: "test email", whose, max: perHour, windowSeconds: 3600 };
  const done = oneAtATime.begin(whose);
  try {
    if (!done || !(await withinLimit(services, limit)))
      throw new Refused("rate_limited", testMessages.tooMany);
    const result = await send(services, testing);
    const label = result.kind === "sent" ? "" : result.kind === "file" ? "To a file" : "Failed";
    await services.db.transaction((trx) =>
      recordAudit(trx, services, { action: "mail.tested", label, personId: whose }),
    );
    return result;
  } finally {
    done?.();
  }
}

async function send(services: Services, { adminId, timeZone, limitMs }: Testing) {
  const { db, clock, mail, config } = services;
  const { name, email: address } = await db.read
    .selectFrom("profiles")
    .select(["name", "email"])
    .where("id", "=", adminId)
    .executeTakeFirstOrThrow();
  const id = newId();
  const reason = await suppressionOf(db.read, address);
  if (reason) {
    const advice = testMessages.advice.suppressed;
    return { id, address, kind: "failed" as const, words: suppressedMessages[reason], advice };
  }
  const when = dateAndTime(clock.now(), timeZone);
  const body = await renderEmail(
    services,
    createElement(TestEmail, { greeting: greetingOf(name), when }),
  );
  const subject = testMessages.subject(services.content.site.name);
  const limit = AbortSignal.timeout(limitMs ?? longestTest * 1000);
  const message = { id, subject, to: receiver(name, address), ...body };
  try {
    const delivery = await mail.deliver(message, limit);
    return "file" in delivery
      ? { id, address, kind: "file" as const, file: path.basename(delivery.file) }
      : { id, address, kind: "sent" as const, words: delivery.response.slice(0, longestWords) };
  } catch (error) {
    const failed = { id, address, kind: "failed" as const };
    if (limit.aborted)
      return { ...failed, words: testMessages.silent, advice: testMessages.advice.away };
    const words = String((error as Error).message).slice(0, longestWords);
    const advice = testMessages.advice[config.smtpUrl ? causeOf(error) : "folder"];
    return { ...failed, words, advice };
  }
}

type Cause = { code?: string; command?: string; responseCode?: number };

function causeOf(error: unknown): keyof typeof testMessages.advice {
  const { code, command, responseCode } = ((error as Error).cause ?? {}) as Cause;
  if (code === "EAUTH" || responseCode === 530) return "login";
  if (command === "MAIL FROM") return "sender";
  if (error instanceof MailServerAway) return "away";
  if (error instanceof EmailRefused) return "refused";
  return error instanceof EmailDelayed ? "later" : "unclear";
}
