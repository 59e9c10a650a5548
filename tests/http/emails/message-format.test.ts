import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smtpMailer } from "~/platform/email/smtp.ts";
import { type SampleEmail, writeSampleEmails } from "../../../scripts/mail/emails.ts";
import { openWorld, type World } from "../../../scripts/mail/world.ts";
import { partsOf } from "../../support/mime-parts.ts";
import { freePort } from "../../support/port.ts";
import { decode } from "../../support/responses.ts";
import { type MailServer, startMailServer } from "../../support/smtp.ts";

const from = "Nora Hale <nora@grief.example>";
let world: World;
let server: MailServer;
let messages: SampleEmail[];
const sent = new Map<SampleEmail, string[]>();

beforeAll(async () => {
  world = await openWorld();
  messages = await writeSampleEmails(world);
  const port = await freePort();
  server = await startMailServer(port);
  const mail = smtpMailer(`smtp://127.0.0.1:${port}`, { from, replyTo: "nora@grief.example" });
  // Twice, as after a connection that broke at the wrong moment.
  for (const message of messages)
    for (let n = 0; n < 2; n += 1) {
      await mail.send(message.message);
      sent.set(message, [...(sent.get(message) ?? []), server.messages.at(-1)?.source ?? ""]);
    }
  mail.close();
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const headOf = (source: string) =>
  (source.split("\r\n\r\n")[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
const header = (source: string, name: string) =>
  headOf(source)
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);
/** What of an email has this type, decoded, without its own head. */
const part = (source: string, type: string) =>
  (partsOf(source).find((one) => one.includes(`Content-Type: ${type}`)) ?? "")
    .replace(/^[\s\S]*?\r\n\r\n/, "")
    .replaceAll("\r\n", "\n");
const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => decode(href ?? ""));
const each = (look: (source: string, message: SampleEmail) => void) => {
  expect(messages.length).toBeGreaterThanOrEqual(12);
  for (const message of messages) look(sent.get(message)?.[0] ?? "", message);
};

/** Emails to an address that may be a stranger's: no one's name goes there. */
const nameless = new Set([
  ...["accounts.address-new", "accounts.address-taken", "accounts.admin-invitation"],
]);

/** Emails that no one needs, and who may end them (docs/decisions/012). */
const notNeeded =
  /^(course-emails\.|newsletter\.|learning\.|payments\.sale|enrollments\.new-student)/;

describe("every email of the site, as a mail server gets it", () => {
  test("is from the coach, to one person, with a date, marked as auto-generated", () =>
    each((source, { message }) => {
      const names = headOf(source).map((line) => line.split(":")[0]);
      expect(new Set(names).size).toBe(names.length);
      expect(header(source, "From")).toBe(from);
      expect(header(source, "To")).toContain(message.to.address);
      expect(Date.parse(header(source, "Date") ?? "")).toBeGreaterThan(0);
      expect(header(source, "Auto-Submitted")).toBe("auto-generated");
      expect(header(source, "Subject")).toBeTruthy();
      expect(names).not.toContain("Bcc");
    }));

  test("says who it is with each try, so that a copy can be dropped", () => {
    const ids = messages.map((message) => {
      const [first, second] = (sent.get(message) ?? []).map((one) => header(one, "Message-ID"));
      expect(first).toBe(`<${message.message.id}@grief.example>`);
      expect(second).toBe(first);
      return first;
    });
    expect(new Set(ids).size).toBe(messages.length);
  });

  test("is in both parts the same email", () =>
    each((source) => {
      expect(header(source, "Content-Type")).toMatch(/^multipart\/alternative;/);
      const [text, html] = [part(source, "text/plain"), part(source, "text/html")];
      const words = decode(html.replace(/^[\s\S]*<\/head>/, "").replaceAll(/<[^>]*>/g, " "));
      const plain = text.replaceAll(/<https?:\S+>|https?:\S+/g, " ");
      for (const word of plain.match(/\p{L}{3,}/gu) ?? []) expect(words).toContain(word);
      for (const href of new Set(hrefs(html))) expect(text).toContain(href.replace("mailto:", ""));
    }));

  test("can be read as plain text: short lines, whole addresses, no empty stretches, no ornaments", () =>
    each((source, { kind }) => {
      const text = part(source, "text/plain").trim();
      expect(text.length).toBeGreaterThan(200);
      for (const line of text.split("\n")) {
        if (!line.includes("https://")) expect(line.length, line).toBeLessThanOrEqual(72);
        expect(line).toBe(line.trimEnd());
      }
      expect(text).not.toMatch(/\n{3}|●|&\w+;|<(?!https:)|undefined|null/);
      const hello = nameless.has(kind) ? /^Hello,\n\n/ : /^Hello (Ada|Grace|Nora),\n\n/;
      expect(text).toMatch(hello);
    }));

  test("has no address in its text that a sign of the sentence touches: programs take it for a part", () =>
    each((source, { kind }) => {
      const text = part(source, "text/plain");
      const addresses = text.match(/[“"'(]?(https?:\/\/|[\w.+-]+@)[^\s>]+(>\S*)?/g) ?? [];
      const touched = addresses.filter((one) => /^[“"'(]|[.,;:!?)”"’']$/.test(one));
      expect.soft([kind, touched]).toEqual([kind, []]);
    }));

  test("says when something happened, by the clock of its reader", () => {
    const happened = /^accounts\.(security-change|password-changed|method-changed)$/;
    const reports = messages.filter(({ kind }) => happened.test(kind));
    expect(reports.length).toBeGreaterThanOrEqual(5);
    for (const { kind, message } of reports)
      expect
        .soft([kind, message.text.replaceAll("\n", " ")])
        .toEqual([
          kind,
          expect.stringContaining("on Sunday, November 22, at 8:30 AM Eastern Time"),
        ]);
  });

  test("loads nothing, follows no one, and has named links to this site only", () =>
    each((source) => {
      const html = part(source, "text/html");
      expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio|form)\b/i);
      expect(html).not.toMatch(/\bsrc=|url\(|@import/i);
      for (const [, text = ""] of html.matchAll(/<a [^>]*>([\s\S]*?)<\/a>/g))
        expect(text.replaceAll(/<[^>]*>/g, "").trim()).not.toBe("");
      for (const href of hrefs(html))
        expect(href).toMatch(/^(https:\/\/bluedot\.example\/|mailto:hello@bluedot\.example$)/);
    }));

  test("has a language, a title and colours for the night", () =>
    each((source) => {
      const html = part(source, "text/html");
      expect(html).toMatch(/<html[^>]* lang="en"/);
      expect(html).toMatch(/<title>[^<]+<\/title>/);
      expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
      expect(html).toContain("@media (prefers-color-scheme: dark)");
      expect(html).not.toMatch(/<table(?![^>]* role="presentation")/);
    }));

  test("can be ended with one press, and from within, if it is not needed; the others say nothing of it", () =>
    each((source, { kind }) => {
      const off = header(source, "List-Unsubscribe");
      const post = header(source, "List-Unsubscribe-Post");
      if (!notNeeded.test(kind))
        return expect([kind, off, post]).toEqual([kind, undefined, undefined]);
      expect(off).toMatch(/^<https:\/\/bluedot\.example\/\S+>$/);
      expect(post).toBe("List-Unsubscribe=One-Click");
      expect(part(source, "text/plain")).toContain(off);
      expect(hrefs(part(source, "text/html"))).toContain(off?.slice(1, -1));
    }));
});
