import { render, toPlainText } from "@react-email/render";
import { createElement, type ReactElement } from "react";
import type { PublishedContent } from "~content/fields.ts";
import { SiteContext } from "~content/use-site.ts";
import type { EmailMessage, Mailer } from "./mail.ts";
import { greetingOf, receiver } from "./message.ts";

/** RFC 5322 (2.1.1), with room for quote marks. URLs are never broken. */
const lineLength = 72;

/** The part of html-to-text that is used here; it brings no types. */
type Element = { attribs: { href?: string; alt?: string }; children: unknown[] };
type Builder = {
  openBlock(options: { leadingLineBreaks: number }): void;
  closeBlock(options: { trailingLineBreaks: number }): void;
  addInline(text: string, options?: { noWordTransform: boolean }): void;
  addLineBreak(): void;
};

const heading = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 };

const textOptions = {
  formatters: {
    /** The call to action: its label, and its URL alone on the next line. */
    act(element: Element, walk: (nodes: unknown[], to: Builder) => void, builder: Builder) {
      builder.openBlock({ leadingLineBreaks: 2 });
      walk(element.children, builder);
      builder.addInline(":");
      builder.addLineBreak();
      builder.addInline(element.attribs.href ?? "", { noWordTransform: true });
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
    description({ attribs }: Element, _: unknown, builder: Builder) {
      if (attribs.alt) builder.addInline(`[${attribs.alt}]`);
    },
  },
  selectors: [
    // As RFC 3986 (appendix C) has URLs within text.
    { selector: "a", options: { linkBrackets: ["<", ">"], hideLinkHrefIfSameAsText: true } },
    { selector: "a.act", format: "act" },
    { selector: "img", format: "description" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: heading })),
  ],
};

type Published = { content: Pick<PublishedContent, "site"> };

/** An email template as HTML, and the plain text made from it. */
export async function renderEmail(
  { content }: Published,
  element: ReactElement,
  { wordwrap = lineLength }: { wordwrap?: number | false } = {},
): Promise<{ html: string; text: string }> {
  const html = await render(createElement(SiteContext, { value: content.site }, element));
  const text = toPlainText(html, { ...textOptions, wordwrap });
  return { html, text: `${text.replaceAll(touchedUrl, "<$1>")}\n` };
}

/** A typed URL with a sign of its sentence at its end, which programs would take for a part of it. */
const touchedUrl =
  /(?<!<)(https?:\/\/(?:\([^\s<>()]{0,100}\)|[^\s<>()]){0,500}?)(?=[.,;:!?)"”’]{1,4}(\s|$))/g;

type Addressed = Pick<EmailMessage, "id" | "subject" | "headers"> & {
  to: { name: string | null; address: string };
};

/** Renders a template, which greets its receiver, and sends it. */
export async function sendEmail<Props extends { greeting: string }>(
  { mail, content }: Published & { mail: Mailer },
  { to: { name, address }, ...message }: Addressed,
  template: (props: Props) => ReactElement,
  props: Omit<Props, "greeting">,
): Promise<void> {
  const element = createElement(template, { ...props, greeting: greetingOf(name) } as Props);
  const body = await renderEmail({ content }, element);
  await mail.send({ ...message, ...body, to: receiver(name, address) });
}
