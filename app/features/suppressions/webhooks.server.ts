import type { Config } from "~/platform/config/config.ts";
import { uncount, withinLimit, withinPlace } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  readBrevo,
  readMailgun,
  readPostmark,
  readResend,
  type WebhookRequest,
} from "./providers.server.ts";
import { areRecorded, type MailReport, recordReports } from "./reports.server.ts";
import { isMailProvider, type MailProvider } from "./rules.ts";
import { readSes } from "./ses.server.ts";

type Reading = {
  reports: MailReport[];
  /** Where the signature does not cover the reports, what it covers counts once. */
  token?: string;
};
type Reader = (request: WebhookRequest) => Promise<Reading> | Reading;

const mostReports = 100;
const wrongOnes = { what: "mail webhook", max: 60, windowSeconds: 3600 };

/** Takes what a provider reports. Idempotent. `address` is the caller's.
 * @throws {Refused} not_found without such a provider; unauthenticated when it did not send this, or
 * not now; rate_limited after many of these; invalid; too_large with more than 100 reports */
export async function receiveMailWebhook(
  services: Services,
  { provider, address, ...request }: WebhookRequest & { provider: string; address: string },
): Promise<void> {
  const reader = isMailProvider(provider) ? readerOf(services, provider) : null;
  if (!reader) throw new Refused("not_found", "There is nothing at this address.");
  try {
    const reading = await reader(request);
    if (reading.reports.length > mostReports)
      throw new Refused("too_large", "That is more than 100 reports at once.");
    await recordOnce(services, provider, reading);
  } catch (error) {
    const isForged = error instanceof Refused && error.code === "unauthenticated";
    if (isForged && !(await withinPlace(services, wrongOnes, address)))
      throw new Refused("rate_limited", "Too many wrong signatures. Please try again later.");
    throw error;
  }
}

function readerOf(services: Services, provider: MailProvider): Reader | null {
  const { ses, postmark, mailgun, brevo, resend }: Config["mailWebhooks"] =
    services.config.mailWebhooks;
  const now = services.clock.now();
  const readers: Record<MailProvider, Reader | null | "" | undefined> = {
    ses: ses && ((request) => readSes(services, ses, request)),
    postmark: postmark && ((request) => readPostmark(postmark, request)),
    mailgun: mailgun && ((request) => readMailgun(mailgun, request, now)),
    brevo: brevo && ((request) => readBrevo(brevo, request)),
    resend: resend && ((request) => readResend(resend, request, now)),
  };
  return readers[provider] || null;
}

/** A token may come again with what it brought before, when its first answer was lost. */
async function recordOnce(services: Services, provider: string, { reports, token }: Reading) {
  const once = { what: "mail webhook token", whose: `${provider} ${token}`, max: 1 };
  const limit = { ...once, windowSeconds: 3600, isQuiet: true };
  if (token !== undefined && !(await withinLimit(services, limit))) {
    if (await areRecorded(services.db.read, provider, reports)) return;
    throw new Refused("unauthenticated", "This was sent before.");
  }
  try {
    await recordReports(services, provider, reports);
  } catch (error) {
    if (token !== undefined) await uncount(services, limit).catch(() => {});
    throw error;
  }
}
