import { afterEach, expect, test } from "vitest";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { issueStandingOf } from "~/features/newsletter-issues/standing.server.ts";
import { readBounceMailbox } from "~/features/suppressions/mailbox.server.ts";
import { bounceRates, countAnswers } from "~/features/suppressions/rates.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { messageIdDomain } from "~/platform/email/message.ts";
import type { Services } from "~/platform/http/services.ts";
import { openSite } from "../../build/server/index.js";
import { newAddress } from "../support/accounts.ts";
import { abuseReport, answerTo, deliveryReport, startMailbox } from "../support/bounce-mailbox.ts";
import { writeRow } from "../support/email-log.ts";
import { addReaders, writeIssue } from "../support/issue-sending.ts";
import { openForTests } from "../support/open-for-tests.ts";
import { patient } from "../support/patient.ts";
import { createPerson } from "../support/people.ts";
import { openTestServices } from "../support/services.ts";

const kit = openForTests(() => openTestServices());
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** An email that went out a while ago. */
async function sentEmail(more: { userId?: string; address?: string } = {}) {
  const address = more.address ?? newAddress();
  const to = more.userId ? { userId: more.userId } : { address };
  const finished = { finishedAt: kit.clock.now(), subject: "A letter", payload: "{}" };
  return { address, email: await writeRow(kit.services, { ...to, ...finished }) };
}

async function mailboxOf(...raws: string[]) {
  const mailbox = await startMailbox(raws);
  open.push(mailbox);
  const config = { ...kit.services.config, bounceMailboxUrl: mailbox.url };
  const services: Services = { ...kit.services, config };
  return { ...mailbox, read: () => readBounceMailbox.run(services) };
}

const suppressed = async (...addresses: string[]) => {
  const rows = await kit.services.db.read
    .selectFrom("suppressions")
    .select(["address", "reason", "source", "detail"])
    .where("address", "in", addresses)
    .execute();
  return new Map(rows.map(({ address, ...why }) => [address, why]));
};
const countReports = async (...addresses: string[]) =>
  (
    await kit.services.db.read
      .selectFrom("mailReports")
      .select("id")
      .where("address", "in", addresses)
      .execute()
  ).length;

test("the bounce mailbox: twenty bounces suppress their addresses, once, and are marked as read", async () => {
  const sent = await Promise.all(Array.from({ length: 20 }, () => sentEmail()));
  const mailbox = await mailboxOf(
    ...sent.map((one, index) =>
      deliveryReport({
        ...one,
        whole: index % 2 === 0,
        ...(index % 3 === 0 && { encoding: "base64" as const }),
      }),
    ),
  );
  await mailbox.read();
  const addresses = sent.map(({ address }) => address);
  const found = await suppressed(...addresses);
  expect(found.size).toBe(20);
  for (const why of found.values()) {
    expect(why).toMatchObject({ reason: "bounce", source: "mailbox" });
    expect(why.detail).toMatch(/^550 5\.1\.1 .* rejected: User unknown/);
  }
  expect(mailbox.seen()).toEqual(Array(20).fill(true));
  await mailbox.read();
  expect(await countReports(...addresses)).toBe(20);
});

test("the bounce mailbox: the running site reads it", async () => {
  const sent = await sentEmail();
  const mailbox = await mailboxOf(deliveryReport(sent));
  const config = { ...kit.services.config, bounceMailboxUrl: mailbox.url };
  const site = await openSite(config, kit.clock);
  try {
    await expect
      .poll(async () => [...(await suppressed(sent.address)).keys()], patient)
      .toEqual([sent.address]);
  } finally {
    await site.close();
  }
});

test("the bounce mailbox: complaints suppress, also where the provider left the address out", async () => {
  const person = await createPerson(kit.services);
  const [named, unnamed, praised] = [
    await sentEmail(),
    await sentEmail({ userId: person.id, address: person.email }),
    await sentEmail(),
  ];
  const mailbox = await mailboxOf(
    abuseReport(named),
    abuseReport({ ...unnamed, redacted: true }),
    abuseReport({ ...praised, type: "not-spam" }),
  );
  await mailbox.read();
  const found = await suppressed(named.address, person.email, praised.address);
  expect([...found.values()].map(({ reason }) => reason)).toEqual(["complaint", "complaint"]);
  expect(found.has(praised.address)).toBe(false);
  expect(mailbox.seen().slice(0, 2)).toEqual([true, true]);
});

test("the bounce mailbox: what may pass or is about the sender suppresses nothing", async () => {
  const [late, full, blocked, gaveUp] = [
    await sentEmail(),
    await sentEmail(),
    await sentEmail(),
    await sentEmail(),
  ];
  const mailbox = await mailboxOf(
    deliveryReport({ ...late, action: "delayed", status: "4.4.1" }),
    deliveryReport({ ...full, status: "5.2.2" }),
    deliveryReport({ ...blocked, status: "5.7.1" }),
    deliveryReport({ ...gaveUp, status: "4.4.7" }),
  );
  await mailbox.read();
  const addresses = [late, full, blocked, gaveUp].map(({ address }) => address);
  expect((await suppressed(...addresses)).size).toBe(0);
  expect(await countReports(...addresses)).toBe(3);
  expect(mailbox.seen()).toEqual([true, true, true, true]);
});

test("the bounce mailbox: a forwarded email counts for the address that it was sent to", async () => {
  const sent = await sentEmail();
  const forwarded = newAddress();
  const report = { ...sent, address: forwarded, original: sent.address };
  await (await mailboxOf(deliveryReport(report))).read();
  expect([...(await suppressed(sent.address, forwarded)).keys()]).toEqual([sent.address]);
});

test("the bounce mailbox: forged reports and other emails are left as they are", async () => {
  const { address } = await sentEmail();
  const ordinary = `From: ada@example.com\nTo: hello@grief.example\nSubject: Thank you\n\nHello Nora`;
  const noEmail = deliveryReport({ address, email: "none" });
  const mailbox = await mailboxOf(
    ordinary,
    deliveryReport({ address, email: newId() }),
    abuseReport({ address, email: newId() }),
    noEmail,
    noEmail.replace("delivery-status", "disposition-notification"),
    "Content-Type: multipart/report; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\n",
    `${deliveryReport(await sentEmail({ address }))}${"a".repeat(1_100_000)}`,
  );
  await mailbox.read();
  expect(await countReports(address)).toBe(0);
  expect((await suppressed(address)).size).toBe(0);
  expect(mailbox.seen()).toEqual(Array(7).fill(false));
});

test("the bounce mailbox: a wrong password or a silent server fails without naming the password", async () => {
  const { url } = await mailboxOf();
  const wrong = url.replace("testpass", "a-secret-word");
  for (const bounceMailboxUrl of [wrong, "imap://me:a-secret-word@127.0.0.1:9/INBOX"]) {
    const config = { ...kit.services.config, bounceMailboxUrl };
    const failure = await readBounceMailbox
      .run({ ...kit.services, config })
      .catch((error: unknown) => error as Error);
    expect(String(failure)).toMatch(/the mailbox for bounces could not be read/);
    expect(JSON.stringify([failure, String(failure)])).not.toContain("a-secret-word");
  }
});

test("the bounce mailbox: an issue's answers count once a reader, and stay unread; machines do not count", async () => {
  const { services } = kit;
  const { db, clock, config } = services;
  const readers = await addReaders(services, 6);
  const issueId = await writeIssue(services);
  const now = clock.now();
  await db.write
    .updateTable("newsletterIssues")
    .set({ state: "sent", startedAt: now, sent: 5, recipients: 5 })
    .where("id", "=", issueId)
    .execute();
  const sent = { issueId, dueAt: now, notedAt: now };
  await db.write
    .insertInto("newsletterDeliveries")
    .values(
      readers.slice(0, 5).map((id) => ({ ...sent, subscriberId: id, state: "sent" as const })),
    )
    .execute();
  const of = (reader = "", issue = issueId) =>
    `<${issue}.${reader}@${messageIdDomain(config.mailFrom)}>`;
  const [ada, li, away, list, bounce, never] = readers;
  const more = (line: string) => [line];
  const mailbox = await mailboxOf(
    answerTo(of(ada), "reader-0@example.com"),
    answerTo(of(ada), "reader-0@example.com"),
    answerTo(
      "<other@example.org>",
      "li@example.org",
      more(`References: <a@b.example>\n ${of(li)}`),
    ),
    answerTo(of(away), "reader-2@example.com", more("Auto-Submitted: auto-replied (vacation)")),
    answerTo(of(list), "reader-3@example.com", more("Precedence: auto_reply")),
    answerTo(of(bounce), "reader-4@example.com", more("Return-Path: <>")),
    answerTo(of(never), "reader-5@example.com"),
    answerTo(of(ada, newId()), "reader-0@example.com"),
  );
  await mailbox.read();
  await mailbox.read();
  const issue = await getIssue(db.read, issueId);
  const configured = { ...services, config: { ...config, bounceMailboxUrl: mailbox.url } };
  expect(await countAnswers(configured, issue)).toBe(2);
  expect((await issueStandingOf(services, issue)).answered).toBeNull();
  expect(mailbox.seen()).toEqual(Array(8).fill(false));
  const { bounced, complained } = await bounceRates(db.read, clock.now());
  const reports = await db.read.selectFrom("mailReports").select("kind").execute();
  expect(bounced).toBe(reports.filter(({ kind }) => kind === "bounce").length);
  expect(complained).toBe(reports.filter(({ kind }) => kind === "complaint").length);
  const replies = db.read.selectFrom("mailReports").select("address").where("kind", "=", "reply");
  expect((await replies.execute()).map(({ address }) => address).sort()).toEqual([
    "li@example.org",
    "reader-0@example.com",
  ]);
});
