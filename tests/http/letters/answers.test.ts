import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { site } from "~content/site.ts";
import { freePort } from "../../support/port.ts";
import { openTestServices } from "../../support/services.ts";
import { startMailServer } from "../../support/smtp.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const letter = () => ({
  id: newId(),
  to: { name: "Ada", address: "ada@reader.example" },
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: { "List-Unsubscribe": "<https://here.example/off>" },
});

/** The heads of a letter that goes to a mail server, and of one that becomes a file. */
async function headsOf(mailFrom: string): Promise<string[]> {
  const port = await freePort();
  const server = await startMailServer(port);
  const bySmtp = await openTestServices({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: mailFrom,
  });
  const toFolder = await openTestServices({ MAIL_FROM: mailFrom });
  ends.push(bySmtp.close, toFolder.close, server.close);
  for (const { services } of [bySmtp, toFolder]) await services.mail.send(letter());
  const folder = path.join(toFolder.services.config.dataDir, "mail");
  const [file = ""] = await readdir(folder);
  const sources = [
    server.letters[0]?.source ?? "",
    await readFile(path.join(folder, file), "utf8"),
  ];
  return sources.map((source) => source.slice(0, source.indexOf("\r\n\r\n")));
}

test("an answer to a letter goes to the coach's address, also where letters come from another", async () => {
  for (const head of await headsOf("Blue Dot <no-reply@machine.example>")) {
    expect(head).toMatch(/^From: Blue Dot <no-reply@machine\.example>\r$/m);
    expect(head).toContain(`\r\nReply-To: ${site.email}\r\n`);
    expect(head).toContain("\r\nList-Unsubscribe: <https://here.example/off>\r\n");
  }
});

test.each([site.email, `Blue Dot <${site.email.toUpperCase()}>`])(
  "from %s there is no need to say so",
  async (mailFrom) => {
    for (const head of await headsOf(mailFrom)) {
      expect(head).not.toMatch(/^Reply-To/m);
      expect(head).toContain("List-Unsubscribe: <https://here.example/off>");
    }
  },
);
