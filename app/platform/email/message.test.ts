import { createTransport } from "nodemailer";
import { describe, expect, test } from "vitest";
import { envelope, greetingName, greetingOf, receiver } from "./message.ts";

describe("greetingName and receiver", () => {
  test.each([
    "Ada",
    "María José",
    "Jean-Luc",
    "O'Neill",
    "J.R.R.",
    "李",
    "A",
    "Ada & Grace",
    "Gal·la",
    "می\u200cخواهم",
    "नवीन्",
    "Nguyễn Thị Minh Khai",
    "Dr. Ada",
    "St. John",
    'A "x"',
  ])("repeat the name %s", (name) => {
    expect(greetingName(name)).toBe(name);
    expect(greetingOf(name)).toBe(`Hello ${name},`);
    expect(receiver(name, "a@example.com")).toEqual({ name, address: "a@example.com" });
  });
  test.each([
    "",
    "  ",
    "Win now https://spam.example",
    "www.evil.example",
    "spam.example",
    "spam。example",
    "WWW spam",
    "boss@example.org",
    "<b>Ada</b>",
    "call 0800 1234567",
    "Ada\r\nBcc: boss",
    "\u202eadA",
    "a".repeat(41),
    "spam\u2024example",
    "spam\ufe52example",
    "spam\u0701example",
    "spam\ua4f8example",
    "spam\u06d4example",
    "spam.\u200bexample",
    "spam\u00ad.\u2060example",
    "ｗｗｗ spam",
    "boss\uff20example",
    "boss\ufe6bexample",
    "https:\u2044\u2044spam",
    "https:\u2215\u2215spam",
    "call ０８００ １２３４",
    "call \u0660\u0668\u0660\u0660",
    "=?utf-8?B?ZXZpbC5leGFtcGxl?=",
    "Ada =?utf-8?Q?evil?=",
    "\uff1d\uff1futf-8?B?ZXZpbA==?=",
    "=\u200b?utf-8?B?ZXZpbA==?=",
  ])("do not repeat %j", (name) => {
    expect(greetingName(name)).toBeNull();
    expect(greetingOf(name)).toBe("Hello,");
    expect(receiver(name, "a@example.com")).toEqual({ name: "", address: "a@example.com" });
  });
  test("greet without a name where there is none", () => {
    expect(greetingOf(null)).toBe("Hello,");
  });
});

const sender = { from: "Blue Dot <hello@example.com>", replyTo: "hello@example.com" };

/** The head of a message as it goes over the wire, and each of its headers as it is written. */
async function headOf({ name = "Ada", subject = "Hello", from = sender.from }) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const to = receiver(name, "ada@example.com");
  const message = { id: "1", to, subject, html: "<p>Hello</p>", text: "Hello" };
  const { message: source } = await transport.sendMail(envelope(message, { ...sender, from }));
  const [head = ""] = source.toString().split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(lines.map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]));
}

/** As mail programs read it that decode whatever looks encoded, be it in quotation marks. */
function decoded(header = "") {
  return header.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=\s*/gi, (_, how: string, text: string) =>
    how.toLowerCase() === "b"
      ? Buffer.from(text, "base64").toString()
      : Buffer.from(
          text
            .replaceAll("_", " ")
            .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
          "latin1",
        ).toString(),
  );
}

const evil = Buffer.from("Win now at evil.example").toString("base64");

test.each([
  ["a title with an encoded word", `Your place in “=?utf-8?B?${evil}?=”`],
  ["a title that is one", `=?utf-8?B?${evil}?=`],
  ["a title with one that is not in ASCII", `=?utf-8?Q?=65vil.example?= née`],
  ["a title with one in small letters", `=?UTF-8?b?${evil}?= and =?iso-8859-1?q?evil?=`],
])("envelope: %s is read as it was written", async (_, subject) => {
  const read = decoded((await headOf({ name: "Ada", subject })).get("Subject"));
  expect(read.replaceAll("\u200b", "")).toBe(subject);
  expect(read).not.toContain("evil.example");
});

test("envelope: a usual title is written as it is, and one in other letters is read so", async () => {
  const usual = await headOf({ name: "Ada", subject: "Your refund? = 5" });
  expect(usual.get("Subject")).toBe("Your refund? = 5");
  const other = await headOf({ name: "Ada", subject: "Dein Platz in „Trauer & Größe“" });
  expect(decoded(other.get("Subject"))).toBe("Dein Platz in „Trauer & Größe“");
});

test.each([
  `=?utf-8?B?${evil}?=`,
  `Ada =?utf-8?Q?evil?=`,
  "spam\u2024example",
  "a, boss@evil.example",
])("envelope: the name %j is in no header", async (name) => {
  const head = await headOf({ name, subject: "Hello" });
  expect(head.get("To")).toBe("ada@example.com");
});

test.each([
  ["Blue Dot <no-reply@machine.example>", "hello@example.com"],
  ["hello@example.com", undefined],
  ["Blue Dot <HELLO@example.com>", undefined],
])("envelope: from %s, answers go to the coach by Reply-To %s", async (from, replyTo) => {
  expect((await headOf({ from })).get("Reply-To")).toBe(replyTo);
});
