import { encode, wrap } from "libqp";
import { escapeHtml } from "../utils/html.ts";

/** The text of an email as its two MIME parts, headers and all, ready to be sent, each in pieces. */
export type EncodedBody = { html: Buffer[]; text: Buffer[] };

/** An email that is the same for all receivers but in some places: rendered and encoded once. All
 * emails share these bytes: each adds only what stands in its slots. */
export type EmailTemplate = { html: Part[]; text: Part[]; plain: string };
type Part = { encoded: Buffer } | { slot: string };

/** Where a value comes in; without any sign that HTML or quoted-printable would change. */
export const slot = (name: string) => `SLOT-${name}-TOLS`;
const slots = /SLOT-([a-z]+)-TOLS/;

const lineLength = 72;
// A line that began with a dot would get a second one in SMTP, and the whole piece be copied for it.
const encoded = (text: string) =>
  Buffer.from(
    wrap(encode(text.replaceAll(/\r?\n/g, "\r\n")), lineLength).replaceAll(/^\./gm, "=2E"),
  );

const parts = (body: string): Part[] =>
  body
    .split(slots)
    .map((text, index) => (index % 2 === 1 ? { slot: text } : { encoded: encoded(text) }));

export function emailTemplate({ html, text }: { html: string; text: string }): EmailTemplate {
  return { html: parts(html), text: parts(text), plain: text };
}

const head = (type: string) =>
  Buffer.from(
    `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
  );
const heads = { html: head("html"), text: head("plain") };
// Quoted-printable may break a line anywhere: its parts are joined by such breaks.
const softBreak = Buffer.from("=\r\n");

/** The email of one receiver. `values` are plain text, one for each slot of the template. */
export function fillTemplate(
  { html, text, plain }: EmailTemplate,
  values: Readonly<Record<string, string>>,
): { encoded: EncodedBody; text: string } {
  const textFor = (name: string) => values[name] ?? "";
  const joined = (first: Buffer, all: Part[], inserted: (name: string) => string) => {
    const pieces = all
      .map((part) => ("slot" in part ? encoded(inserted(part.slot)) : part.encoded))
      .filter((piece) => piece.length > 0);
    const between = pieces.flatMap((piece, index) => (index > 0 ? [softBreak, piece] : [piece]));
    return [first, ...between];
  };
  return {
    encoded: {
      html: joined(heads.html, html, (name) => escapeHtml(textFor(name))),
      text: joined(heads.text, text, textFor),
    },
    text: plain.replaceAll(new RegExp(slots, "g"), (_, name: string) => textFor(name)),
  };
}
