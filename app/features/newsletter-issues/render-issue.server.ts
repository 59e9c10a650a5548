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

/** The email of one reader. `id` becomes its Message-ID. */
export function issueMessage(
  services: Services,
  { issue, template }: { issue: Written; template: EmailTemplate },
  reader: Reader,
  id: string,
): EmailMessage {
  const unsubscribe = `${unsubscribeUrl(services, reader.id)}&issue=${issue.id}`;
  const { encoded, text } = fillTemplate(template, {
    ...{ greeting: greetingOf(reader.firstName), unsubscribe },
    frequency: frequencyUrl(services, reader.id),
  });
  const { subject } = issue;
  return {
    ...{ id, subject, encoded, text, html: "", isBulk: true },
    to: receiver(reader.firstName, reader.email),
    headers: { ...unsubscribeHeaders(unsubscribe), ...listHeaders(services, issue.id) },
  };
}

/** RFC 2919, and what Gmail sums up complaints by. A list is no answering machine: nothing else says
 * that it is one. */
function listHeaders({ config, content }: Services, issueId: string): Record<string, string> {
  const { hostname } = new URL(config.appUrl);
  const name = content.site.name.replaceAll(/[^\w .-]/g, "");
  return {
    "List-Id": `${name} <newsletter.${hostname}>`,
    "Feedback-ID": `${issueId}:newsletter:${hostname}`,
    "Auto-Submitted": "no",
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
