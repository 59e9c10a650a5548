import { render, toPlainText } from "@react-email/render";
import type { ReactElement } from "react";

/** As RFC 5322 (2.1.1) asks, with room for the marks of whoever quotes it. Addresses are never broken. */
const lineLength = 72;

/** What of html-to-text is used here; it brings no types. */
type Element = { attribs: { href?: string }; children: unknown[] };
type Builder = {
  openBlock(options: { leadingLineBreaks: number }): void;
  closeBlock(options: { trailingLineBreaks: number }): void;
  addInline(text: string, options?: { noWordTransform: boolean }): void;
  addLineBreak(): void;
};

/** A title is no shouting. */
const heading = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 };

const textOptions = {
  wordwrap: lineLength,
  formatters: {
    /** The one thing to do: what it is, and below it, alone, where. */
    act(element: Element, walk: (nodes: unknown[], to: Builder) => void, builder: Builder) {
      builder.openBlock({ leadingLineBreaks: 2 });
      walk(element.children, builder);
      builder.addInline(":");
      builder.addLineBreak();
      builder.addInline(element.attribs.href ?? "", { noWordTransform: true });
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
  },
  selectors: [
    // As RFC 3986 (appendix C) has addresses in the middle of a text.
    { selector: "a", options: { linkBrackets: ["<", ">"], hideLinkHrefIfSameAsText: true } },
    { selector: "a.act", format: "act" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: heading })),
  ],
};

/** A mail template as HTML, with the plain-text part made from it. */
export async function renderMail(element: ReactElement): Promise<{ html: string; text: string }> {
  const html = await render(element);
  return { html, text: `${toPlainText(html, textOptions)}\n` };
}
