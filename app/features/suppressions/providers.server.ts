import { createHash, createHmac } from "node:crypto";
import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { isSameText } from "~/platform/crypto/signed-token.ts";
import { Refused } from "~/platform/utils/errors.ts";
import type { MailReport } from "./reports.server.ts";

export type WebhookRequest = { headers: Headers; body: Buffer };

/** The address alone, also of 'Ada <ada@example.com>'. */
export const bareAddress = (text: string) => addressparser(text)[0]?.address ?? "";

export const forged = () => new Refused("unauthenticated", "The signature is not right.");
const tooOld = () => new Refused("unauthenticated", "This was signed too long ago.");

/** @throws {Refused} invalid when it is no JSON, or not of this shape */
export function readAs<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused("invalid", "That is not JSON.");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refused("invalid", "That is not a report of this provider.");
}

/** @throws {Refused} unauthenticated */
export function requireRecent(at: number, now: Date, withinMs: number): void {
  if (!(Math.abs(now.getTime() - at) <= withinMs)) throw tooOld();
}

const minuteMs = 60_000;
const text = z.string().max(2000);
const loose = text.nullish().catch(null);
const number = z.union([z.number(), z.string().max(40)]);

/** The password of `Authorization: Basic`, or the token of `Bearer`. */
function credentialOf(headers: Headers): string {
  const [, scheme = "", value = ""] =
    /^(basic|bearer) +(\S{1,1000})$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (scheme.toLowerCase() !== "basic") return value;
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1);
}

function requireCredential(secret: string, headers: Headers): void {
  if (!isSameText(credentialOf(headers), secret)) throw forged();
}

const postmarkReport = z.object({
  RecordType: text,
  ID: number.nullish(),
  MessageID: loose,
  Type: text.nullish(),
  Email: z.string().max(500).nullish(),
  Inactive: z.boolean().nullish().catch(null),
  Description: loose,
  Details: loose,
});

const postmarkPermanent = new Set(["HardBounce", "BadEmailAddress"]);
const postmarkTemporary = new Set([
  ...["Transient", "SoftBounce", "DnsError", "SpamNotification", "Blocked", "DMARCPolicy"],
  ...["VirusNotification", "Unknown"],
]);

/** Postmark signs nothing: the address that it posts to has a name and a password, which is the secret. */
export function readPostmark(secret: string, { headers, body }: WebhookRequest) {
  requireCredential(secret, headers);
  const report = readAs(postmarkReport, body.toString("utf8"));
  const { RecordType, ID, MessageID, Type = "", Email, Inactive } = report;
  if (RecordType !== "Bounce" && RecordType !== "SpamComplaint") return { reports: [] };
  const isComplaint = RecordType === "SpamComplaint" || Type === "SpamComplaint";
  // Numbers of 64 bits lose digits on the way: the email's id tells them apart.
  const id = [MessageID, ID].filter((one) => one != null && one !== "").join(".");
  if (!Email || !id) throw new Refused("invalid", "That is not a report of this provider.");
  const isPermanent = Inactive === true || postmarkPermanent.has(Type ?? "");
  if (!isComplaint && !isPermanent && !postmarkTemporary.has(Type ?? "")) return { reports: [] };
  const detail = report.Details || report.Description || null;
  const kind = isComplaint ? ("complaint" as const) : ("bounce" as const);
  return { reports: [{ id, kind, address: bareAddress(Email), isPermanent, detail }] };
}

const mailgunReport = z.object({
  signature: z.object({ timestamp: number, token: text, signature: text }),
  "event-data": z.object({
    event: text,
    id: text.nullish(),
    severity: loose,
    reason: loose,
    recipient: z.string().max(500).nullish(),
    "delivery-status": z.object({ message: loose, description: loose }).nullish().catch(null),
  }),
});

/** It was given up, or refused because of its sender or of what the recipient had asked Mailgun for. */
const mailgunNotOfAddress = new Set(["old", "espblock", "suppress-unsubscribe"]);

/** Mailgun signs a time and a token, not the report itself: each token counts once. A temporary failure
 * is tried again by Mailgun, and no bounce. */
export function readMailgun(key: string, { body }: WebhookRequest, now: Date) {
  const { signature, "event-data": data } = readAs(mailgunReport, body.toString("utf8"));
  const { timestamp, token } = signature;
  const signed = createHmac("sha256", key).update(`${timestamp}${token}`).digest("hex");
  if (!isSameText(signature.signature, signed)) throw forged();
  requireRecent(Number(timestamp) * 1000, now, 15 * minuteMs);
  const isComplaint = data.event === "complained";
  const isBounce = data.event === "failed" && data.severity === "permanent";
  const reports: MailReport[] = [];
  if (isComplaint || isBounce) {
    const { id, recipient, reason, "delivery-status": status } = data;
    if (!id || !recipient) throw new Refused("invalid", "That is not a report of this provider.");
    reports.push({
      id,
      kind: isComplaint ? "complaint" : "bounce",
      address: bareAddress(recipient),
      isPermanent: !mailgunNotOfAddress.has(reason ?? ""),
      detail: status?.message || status?.description || reason || null,
    });
  }
  return { reports, token };
}

const brevoReport = z.object({
  event: text,
  email: z.string().max(500).nullish(),
  "message-id": loose,
  camp_id: number.nullish().catch(null),
  ts_event: number.nullish().catch(null),
  reason: loose,
});
const brevoReports = z.union([z.array(brevoReport), brevoReport.transform((one) => [one])]);

const brevoKinds = new Map<string, Pick<MailReport, "kind" | "isPermanent">>([
  ["hard_bounce", { kind: "bounce", isPermanent: true }],
  ["invalid_email", { kind: "bounce", isPermanent: true }],
  ["invalid", { kind: "bounce", isPermanent: true }],
  ["soft_bounce", { kind: "bounce", isPermanent: false }],
  ["spam", { kind: "complaint", isPermanent: true }],
  ["complaint", { kind: "complaint", isPermanent: true }],
]);

/** Brevo signs nothing: it sends a token or the password of the address. Its `id` is the webhook's, so a
 * report is known by its email, event and time. */
export function readBrevo(secret: string, { headers, body }: WebhookRequest) {
  requireCredential(secret, headers);
  const all = readAs(brevoReports, body.toString("utf8"));
  const reports = all.flatMap(({ event, email, reason, ...one }): MailReport[] => {
    const kind = brevoKinds.get(event.toLowerCase().replace("hardbounce", "hard_bounce"));
    if (!kind) return [];
    const parts = [one["message-id"], one.camp_id, event, email, one.ts_event];
    const id = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
    return [{ id, ...kind, address: bareAddress(email ?? ""), detail: reason ?? null }];
  });
  return { reports };
}

const resendReport = z.object({
  type: text,
  data: z.object({
    to: z.union([
      z.array(z.string().max(500)),
      z
        .string()
        .max(500)
        .transform((one) => [one]),
    ]),
    bounce: z.object({ type: loose, message: loose }).nullish().catch(null),
  }),
});
const resendEvent = z.union([resendReport, z.object({ type: text, data: z.unknown() })]);

/** Resend signs by Svix: HMAC-SHA256 of id, time and body, with the bytes behind `whsec_`. */
export function readResend(secret: string, { headers, body }: WebhookRequest, now: Date) {
  const of = (name: string) => headers.get(`svix-${name}`) ?? "";
  const [id, timestamp] = [of("id"), of("timestamp")];
  if (!id || !/^\d{1,12}$/.test(timestamp)) throw forged();
  const wanted = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  // After a change of the secret there are two, with a space between them.
  const isRight = of("signature")
    .split(" ")
    .some((one) => isSameText(one, `v1,${wanted}`));
  if (!isRight) throw forged();
  requireRecent(Number(timestamp) * 1000, now, 5 * minuteMs);
  const { type, ...event } = readAs(resendEvent, body.toString("utf8"));
  const isComplaint = type === "email.complained";
  if (type !== "email.bounced" && !isComplaint) return { reports: [] };
  const { data } = readAs(resendReport, JSON.stringify({ type, ...event }));
  const { to, bounce } = data;
  const reports = to.map(
    (address, index): MailReport => ({
      id: to.length > 1 ? `${id}.${index}` : id,
      kind: isComplaint ? "complaint" : "bounce",
      address: bareAddress(address),
      isPermanent: /^permanent$/i.test(bounce?.type ?? "permanent"),
      detail: bounce?.message ?? null,
    }),
  );
  return { reports };
}
