import { createElement } from "react";
import { frequencyUrl, unsubscribeUrl } from "~/features/newsletter/subscribers.server.ts";
import { issuePath } from "~/features/newsletter-archive/rules.ts";
import { emailImagesOf, publicImagesOf } from "~/features/pictures/pictures.server.ts";
import { emailRecordingsOf, pageRecordingsOf } from "~/features/recordings/recordings.server.ts";
import type { EmailMessage } from "~/platform/email/mail.ts";
import { greetingOf, receiver, unsubscribeHeaders } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import {
  type EmailTemplate,
  emailTemplate,
  fillTemplate,
  slot,
} from "~/platform/email/template.ts";
import type { Services } from "~/platform/http/services.ts";
import { renderEmailTree, renderMarkdown } from "~/platform/markdown/renderer.ts";
import { NewsletterIssue } from "./emails/issue.tsx";
import type { IssueWords } from "./schema.ts";

type Written = IssueWords & { id: string; slug: string | null; inArchive: boolean };

/** Its text as HTML for the archive. @throws {MarkdownRefused} */
export async function renderIssueHtml({ db }: Services, body: string): Promise<string> {
  const images = await publicImagesOf(db.read, body);
  return renderMarkdown(body, images, "issue", await pageRecordingsOf(db.read, body));
}

async function renderBody(services: Services, issue: Written, forWhom: Record<string, string>) {
  const { appUrl } = services.config;
  const { preview, slug, inArchive, body } = issue;
  const { read } = services.db;
  const online = inArchive && slug ? appUrl + issuePath(slug) : null;
  const images = await emailImagesOf(read, body, appUrl);
  const recordings = await emailRecordingsOf(read, body, { origin: appUrl, online });
  const tree = await renderEmailTree(body, appUrl, images, recordings);
  const { greeting = "", unsubscribe = "", frequency = "" } = forWhom;
  const links = { unsubscribe, frequency, online };
  return renderEmail(services, createElement(NewsletterIssue, { preview, greeting, tree, links }));
}

/** An issue's email with places for what differs from reader to reader. @throws {MarkdownRefused} */
export async function issueTemplate(services: Services, issue: Written): Promise<EmailTemplate> {
  const forWhom = {
    ...{ greeting: slot("greeting"), unsubscribe: slot("unsubscribe") },
    frequency: slot("frequency"),
  };
  return emailTemplate(await renderBody(services, issue, forWhom));
}

type Reader = { id: string; email: string; firstName: string };

/** The email of one of many readers. `id` becomes its Message-ID. */
export function issueMessage(
  services: Services,
  { issue, template }: { issue: Written; template: EmailTemplate },
  reader: Reader,
  id: string,
): EmailMessage {
  const { encoded, text } = fillTemplate(template, valuesFor(services, issue, reader));
  return { ...addressed(services, issue, reader), id, encoded, text, html: "", isBulk: true };
}

/** The email of one reader alone. `id` becomes its Message-ID. @throws {MarkdownRefused} */
export async function singleIssueMessage(
  services: Services,
  issue: Written,
  reader: Reader,
  id: string,
): Promise<EmailMessage> {
  const body = await renderBody(services, issue, valuesFor(services, issue, reader));
  return { ...addressed(services, issue, reader), id, ...body };
}

const leaveUrl = (services: Services, issue: Written, reader: Reader) =>
  `${unsubscribeUrl(services, reader.id)}&issue=${issue.id}`;

const valuesFor = (services: Services, issue: Written, reader: Reader) => ({
  greeting: greetingOf(reader.firstName),
  unsubscribe: leaveUrl(services, issue, reader),
  frequency: frequencyUrl(services, reader.id),
});

function addressed(services: Services, issue: Written, reader: Reader) {
  const unsubscribe = unsubscribeHeaders(leaveUrl(services, issue, reader));
  return {
    subject: issue.subject,
    to: receiver(reader.firstName, reader.email),
    headers: { ...unsubscribe, ...listHeaders(services, issue.id) },
  };
}

/** RFC 2919, and what Gmail sums up complaints by. */
function listHeaders({ config, content }: Services, issueId: string): Record<string, string> {
  const { hostname } = new URL(config.appUrl);
  const name = content.site.name.replaceAll(/[^\w .-]/g, "");
  return {
    "List-Id": `${name} <newsletter.${hostname}>`,
    "Feedback-ID": `${issueId}:newsletter:${hostname}`,
  };
}

/** As {@link issueTemplate}, for one admin to look at. @throws {MarkdownRefused} */
export async function previewIssue(services: Services, issue: Written, name: string) {
  const { appUrl } = services.config;
  const links = {
    unsubscribe: `${appUrl}/newsletter/unsubscribe`,
    frequency: `${appUrl}/newsletter/frequency`,
  };
  return renderBody(services, issue, { greeting: greetingOf(name), ...links });
}
