import { execFileSync } from "node:child_process";
import { createHmac, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { newId } from "~/platform/db/ids.ts";
import { temporaryFolder } from "./config.ts";

export const topicArn = "arn:aws:sns:eu-west-1:123456789012:bounces";
const secrets = {
  postmark: "a-long-word-for-postmark",
  mailgun: "key-0123456789abcdef",
  brevo: "a-long-token-for-brevo",
  resend: `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`,
};

/** Settings with which all providers are taken. */
export const webhookSettings = {
  SES_TOPIC_ARN: topicArn,
  POSTMARK_WEBHOOK_SECRET: secrets.postmark,
  MAILGUN_WEBHOOK_SECRET: secrets.mailgun,
  BREVO_WEBHOOK_SECRET: secrets.brevo,
  RESEND_WEBHOOK_SECRET: secrets.resend,
};

/** What stands for SNS: it has a certificate, and notes which subscriptions were confirmed. */
export async function startSns() {
  const folder = temporaryFolder();
  const [keyFile, certFile] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=sns.amazonaws.com";
  execFileSync("openssl", [...made.split(" "), "-keyout", keyFile, "-out", certFile], {
    stdio: "pipe",
  });
  const certificate = readFileSync(certFile);
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (url.startsWith("/huge")) response.end("a".repeat(200_000));
    else response.end(url.endsWith(".pem") ? certificate : "<ConfirmSubscriptionResponse/>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: readFileSync(keyFile, "utf8"),
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
type Sns = Awaited<ReturnType<typeof startSns>>;

/** A report as a provider would send it; `kind` 'soft' is a bounce that may pass. */
export type Planted = { address: string; kind?: "bounce" | "soft" | "complaint"; id?: string };
export type Sent = { body: string; headers: Record<string, string> };
/** `at` is when it was signed; `secret` another than the right one. */
export type Signing = { at: Date; secret?: string; fields?: Record<string, string> };

const said = "smtp; 550 5.1.1 The email account that you tried to reach does not exist";
const basic = (password: string) => `Basic ${Buffer.from(`mail:${password}`).toString("base64")}`;
const json = { "content-type": "application/json" };

function snsFields(sns: Sns, fields: Record<string, string>, { at, secret, ...more }: Signing) {
  const sent: Record<string, string> = {
    MessageId: newId(),
    TopicArn: topicArn,
    Timestamp: at.toISOString(),
    SignatureVersion: "2",
    SigningCertURL: `${sns.origin}/SimpleNotificationService-0123456789abcdef.pem`,
    UnsubscribeURL: `${sns.origin}/?Action=Unsubscribe`,
    ...fields,
    ...more.fields,
  };
  const names = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token"];
  const text = [...names, "TopicArn", "Type"]
    .filter((name) => sent[name] !== undefined)
    .map((name) => `${name}\n${sent[name]}\n`)
    .join("");
  const algorithm = sent.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256";
  const Signature = sign(algorithm, Buffer.from(text), secret ?? sns.key).toString("base64");
  return JSON.stringify({ ...sent, Signature });
}

export const snsMessage = (sns: Sns, fields: Record<string, string>, signing: Signing): Sent => ({
  body: snsFields(sns, fields, signing),
  headers: { "content-type": "text/plain; charset=UTF-8" },
});

export type Provider = keyof typeof secrets | "ses";

/** How each provider says it, by its documentation, and signs it. */
export const senders = (
  sns: Sns,
): Record<Provider, (planted: Planted, signing: Signing) => Sent> => ({
  ses({ address, kind = "bounce", id = newId() }, signing) {
    const mail = {
      timestamp: signing.at.toISOString(),
      messageId: newId(),
      destination: [address],
    };
    const bounce = {
      feedbackId: id,
      bounceType: kind === "soft" ? "Transient" : "Permanent",
      bounceSubType: "General",
      bouncedRecipients: [
        { emailAddress: address, action: "failed", status: "5.1.1", diagnosticCode: said },
      ],
      timestamp: signing.at.toISOString(),
    };
    const complaint = {
      feedbackId: id,
      complainedRecipients: [{ emailAddress: address }],
      complaintFeedbackType: "abuse",
      timestamp: signing.at.toISOString(),
    };
    const report =
      kind === "complaint"
        ? { notificationType: "Complaint", complaint, mail }
        : { notificationType: "Bounce", bounce, mail };
    return snsMessage(sns, { Type: "Notification", Message: JSON.stringify(report) }, signing);
  },
  postmark({ address, kind = "bounce", id = newId() }, { secret = secrets.postmark }) {
    const isComplaint = kind === "complaint";
    const type = isComplaint ? "SpamComplaint" : kind === "soft" ? "SoftBounce" : "HardBounce";
    const body = {
      RecordType: isComplaint ? "SpamComplaint" : "Bounce",
      MessageStream: "outbound",
      ID: 2174530,
      Type: type,
      TypeCode: isComplaint ? 512 : 1,
      MessageID: id,
      Details: said,
      Email: address,
      BouncedAt: "2026-05-21T02:51:39Z",
      Inactive: kind !== "soft",
      Metadata: { issue: "one" },
    };
    return { body: JSON.stringify(body), headers: { ...json, authorization: basic(secret) } };
  },
  mailgun({ address, kind = "bounce", id = newId() }, { at, secret = secrets.mailgun, fields }) {
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const token = fields?.token ?? newId().replaceAll("-", "").padEnd(50, "0");
    const signed = createHmac("sha256", secret).update(timestamp + token);
    const failed = {
      event: "failed",
      severity: kind === "soft" ? "temporary" : "permanent",
      reason: "bounce",
      "delivery-status": { code: 550, message: said, "attempt-no": 1 },
    };
    const event = kind === "complaint" ? { event: "complained" } : failed;
    const body = {
      signature: { timestamp, token, signature: signed.digest("hex") },
      "event-data": { ...event, id, timestamp: Number(timestamp), recipient: address, tags: [] },
    };
    return { body: JSON.stringify(body), headers: json };
  },
  brevo({ address, kind = "bounce", id = newId() }, { at, secret = secrets.brevo }) {
    const events = { bounce: "hard_bounce", soft: "soft_bounce", complaint: "spam" };
    const body = {
      event: events[kind],
      email: address,
      // Of the webhook: the same for all of its reports.
      id: 26224,
      date: "2026-05-21 00:00:00",
      "message-id": `<${id}@smtp-relay.mailin.fr>`,
      ts_event: Math.floor(at.getTime() / 1000),
      subject: "A letter",
      reason: said,
      tags: ["newsletter"],
    };
    const authorization = `Bearer ${secret}`;
    return { body: JSON.stringify(body), headers: { ...json, authorization } };
  },
  resend({ address, kind = "bounce", id = newId() }, { at, secret = secrets.resend }) {
    const type = kind === "soft" ? "Transient" : "Permanent";
    const body = JSON.stringify({
      type: kind === "complaint" ? "email.complained" : "email.bounced",
      created_at: at.toISOString(),
      data: {
        email_id: newId(),
        from: "Nora <hello@example.com>",
        to: [address],
        subject: "A letter",
        ...(kind !== "complaint" && { bounce: { message: said, subType: "General", type } }),
      },
    });
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const key = Buffer.from(secret.slice(6), "base64");
    const signed = createHmac("sha256", key).update(`msg_${id}.${timestamp}.${body}`);
    const signature = `v1,${Buffer.alloc(32).toString("base64")} v1,${signed.digest("base64")}`;
    const svix = { "svix-id": `msg_${id}`, "svix-timestamp": timestamp };
    return { body, headers: { ...json, ...svix, "svix-signature": signature } };
  },
});
