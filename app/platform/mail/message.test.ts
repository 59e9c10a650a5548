import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { receiver } from "./greeting.ts";
import { envelope } from "./message.ts";

const sender = { from: "Blue Dot <hello@example.com>", replyTo: "hello@example.com" };

/** The head of a message as it goes over the wire, and each of its headers as it is written. */
async function headOf({ name, subject }: { name: string; subject: string }) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const to = receiver(name, "ada@example.com");
  const message = { id: "1", to, subject, html: "<p>Hello</p>", text: "Hello" };
  const { message: source } = await transport.sendMail(envelope(message, sender));
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
