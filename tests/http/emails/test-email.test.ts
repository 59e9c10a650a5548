import { afterAll, beforeAll, expect, test } from "vitest";
import { sendTestEmail } from "~/features/email-log/test-email.server.ts";
import { openMailer } from "~/platform/email/open.ts";
import { createPerson } from "../../support/people.ts";
import { freePort } from "../../support/port.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { type MailServer, startMailServer } from "../../support/smtp.ts";

const port = await freePort();
const mailServer = (password: string) => `smtp://coach:${password}@127.0.0.1:${port}`;
const site = siteOfFile({
  ...{ SMTP_URL: mailServer("right"), MAIL_FROM: "coach@here.example", LOG_LEVEL: "silent" },
});
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer(port, { password: "right" });
});
afterAll(() => server.close());

const newAdmin = () => createPerson(site.services, { role: "admin", name: "Nora" });
type Admin = Awaited<ReturnType<typeof newAdmin>>;
async function press(as: Admin) {
  const response = await site.ask("/admin/mail", { as, form: { intent: "test" } });
  return { status: response.status, text: readable(await response.text()) };
}

test("POST /admin/mail, test: sends one email to the admin, and shows the server's answer", async () => {
  const admin = await newAdmin();
  const { status, text } = await press(admin);
  expect(status).toBe(200);
  expect(text).toContain("The mail server took the test email");
  expect(text).toMatch(/250 .*OK/i);
  expect(server.messages.map(({ to }) => to)).toEqual([[admin.email]]);
  expect(server.messages[0]?.source).toContain("A test email from");
  const log = await (await site.ask("/admin/audit", { as: admin })).text();
  expect(log).toContain("Sent a test email");
});

test("POST /admin/mail, test: is refused after five in an hour", async () => {
  const admin = await newAdmin();
  for (let n = 0; n < 5; n += 1) expect((await press(admin)).status).toBe(200);
  const before = server.received();
  const { status, text } = await press(admin);
  expect([status, server.received()]).toEqual([429, before]);
  expect(text).toContain("Too many test emails");
});

test("POST /admin/mail, test: shows why it failed, and what to do", async () => {
  const admin = await newAdmin();
  server.next({ at: "rcpt", answer: 550, text: "5.1.1 no such mailbox" });
  const refused = await press(admin);
  expect(refused.text).toContain("5.1.1 no such mailbox");
  expect(refused.text).toContain("The mail server refused this email.");
  const { services } = site;
  const wrong = openMailer(
    { ...services.config, smtpUrl: mailServer("wrong") },
    () => "a@b.example",
  );
  const asking = { adminId: admin.id, timeZone: "UTC" };
  const answer = await sendTestEmail({ ...services, mail: wrong }, asking);
  wrong.close();
  expect(answer).toMatchObject({
    kind: "failed",
    words: expect.stringContaining("535 5.7.8 authentication failed"),
    advice: expect.stringContaining("the name or the password"),
  });
});

test("sendTestEmail: waits no longer than its limit, and one at a time", async () => {
  const { id: adminId } = await newAdmin();
  const asking = { adminId, timeZone: "UTC", limitMs: 1500 };
  server.next({ at: "rcpt", hang: true });
  const first = sendTestEmail(site.services, asking);
  await server.hanging();
  await expect(sendTestEmail(site.services, asking)).rejects.toThrow("Too many test emails");
  expect(await first).toMatchObject({ kind: "failed", words: "No answer within 10 seconds." });
});
