import { type KeyObject, verify, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Config } from "~/platform/config/config.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  bareAddress,
  forged,
  readAs,
  requireRecent,
  type WebhookRequest,
} from "./providers.server.ts";
import type { MailReport } from "./reports.server.ts";

type Settings = NonNullable<Config["mailWebhooks"]["ses"]>;

const short = z.string().max(2000);
const message = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: short,
  TopicArn: short,
  Message: z.string(),
  Timestamp: short,
  Subject: z.string().nullish(),
  SubscribeURL: short.nullish(),
  Token: short.nullish(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: short,
  SigningCertURL: short,
});
type Message = z.infer<typeof message>;

const recentMs = 15 * 60_000;
const patienceMs = 5_000;
const longestCertificate = 64 * 1024;

/** Of SES by SNS. It signs all of a message with a key whose certificate is at the topic's own region.
 * @throws {Refused} */
export async function readSes(
  services: Services,
  settings: Settings,
  { body }: WebhookRequest,
): Promise<{ reports: MailReport[] }> {
  const sent = readAs(message, body.toString("utf8"));
  if (sent.TopicArn !== settings.topicArn) throw forged();
  const key = await findKey(services, settings, sent.SigningCertURL);
  const algorithm = sent.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256";
  const signature = Buffer.from(sent.Signature, "base64");
  if (!verify(algorithm, Buffer.from(signedText(sent)), key, signature)) throw forged();
  requireRecent(Date.parse(sent.Timestamp), services.clock.now(), recentMs);
  if (sent.Type === "SubscriptionConfirmation") await confirm(settings, sent.SubscribeURL ?? "");
  return { reports: sent.Type === "Notification" ? reportsOf(sent.Message) : [] };
}

function signedText(sent: Message): string {
  const names =
    sent.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : ([
          "Message",
          "MessageId",
          "SubscribeURL",
          "Timestamp",
          "Token",
          "TopicArn",
          "Type",
        ] as const);
  return names
    .filter((name) => typeof sent[name] === "string")
    .map((name) => `${name}\n${sent[name]}\n`)
    .join("");
}

const known = new Map<string, X509Certificate>();
const mostKnown = 8;
/** Addresses in forged messages are not asked for without end. */
const fetches = { what: "sns certificates", whose: "all", max: 30, windowSeconds: 3600 };

async function findKey(
  services: Services,
  { origin }: Settings,
  address: string,
): Promise<KeyObject> {
  const url = URL.parse(address);
  if (url?.origin !== origin || !/^\/[\w.-]{1,200}\.pem$/.test(url.pathname)) throw forged();
  if (url.username || url.password || url.search || url.hash) throw forged();
  const certificate = known.get(url.href) ?? (await fetchCertificate(services, url));
  const now = services.clock.now();
  const isValid = certificate.validFromDate <= now && now <= certificate.validToDate;
  if (!isValid || certificate.publicKey.asymmetricKeyType !== "rsa") throw forged();
  if (!known.has(url.href) && known.size >= mostKnown) known.clear();
  known.set(url.href, certificate);
  return certificate.publicKey;
}

async function fetchCertificate(services: Services, url: URL): Promise<X509Certificate> {
  const unavailable = new Refused("unavailable", "The certificate cannot be had now.");
  if (!(await withinLimit(services, fetches))) throw unavailable;
  const answer = await fetch(url, request()).catch(() => null);
  if (!answer?.ok || !answer.body) throw unavailable;
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of answer.body) {
      length += part.byteLength;
      if (length > longestCertificate) throw forged();
      parts.push(part);
    }
    return new X509Certificate(Buffer.concat(parts));
  } catch (error) {
    throw error instanceof Refused ? error : forged();
  }
}

const request = (): RequestInit => ({
  redirect: "error",
  signal: AbortSignal.timeout(patienceMs),
});

/** Answers SNS that the topic may post here: its address is asked for once. */
async function confirm({ origin }: Settings, address: string): Promise<void> {
  const url = URL.parse(address);
  if (url?.origin !== origin || url.pathname !== "/" || url.username) throw forged();
  const answer = await fetch(url, request()).catch(() => null);
  await answer?.body?.cancel();
  if (!answer?.ok) throw new Refused("unavailable", "The subscription could not be confirmed.");
}

const recipient = z.object({
  emailAddress: z.string().max(500),
  diagnosticCode: z.string().nullish(),
});
const notification = z.object({
  eventType: z.string().nullish(),
  notificationType: z.string().nullish(),
  bounce: z
    .object({ feedbackId: short, bounceType: short, bouncedRecipients: z.array(recipient) })
    .nullish(),
  complaint: z
    .object({
      feedbackId: short,
      complaintFeedbackType: short.nullish(),
      complainedRecipients: z.array(recipient),
    })
    .nullish(),
});

function reportsOf(text: string): MailReport[] {
  // SNS and SES also say hello, in words.
  if (!text.trimStart().startsWith("{")) return [];
  const { eventType, notificationType, bounce, complaint } = readAs(notification, text);
  const type = eventType ?? notificationType;
  const of = (feedbackId: string, some: z.infer<typeof recipient>[]) =>
    some.map(({ emailAddress, diagnosticCode }, index) => ({
      id: some.length > 1 ? `${feedbackId}.${index}` : feedbackId,
      address: bareAddress(emailAddress),
      detail: diagnosticCode ?? null,
    }));
  if (type === "Bounce" && bounce) {
    const isPermanent = bounce.bounceType === "Permanent";
    const kind = "bounce" as const;
    return of(bounce.feedbackId, bounce.bouncedRecipients).map((one) => ({
      ...one,
      kind,
      isPermanent,
    }));
  }
  // 'not-spam': somebody took it out of their spam.
  if (type !== "Complaint" || !complaint || complaint.complaintFeedbackType === "not-spam")
    return [];
  const kind = "complaint" as const;
  return of(complaint.feedbackId, complaint.complainedRecipients).map((one) => ({
    ...one,
    kind,
    isPermanent: true,
  }));
}
