import { describe, expect, test } from "vitest";
import { unsubscribe } from "~/features/newsletter/unsubscribe.server.ts";
import { deleteOldDeliveries } from "~/features/newsletter-issues/deliveries.server.ts";
import {
  resumeIssue,
  sendDoubtfulAgain,
  stopIssue,
  unscheduleIssue,
} from "~/features/newsletter-issues/dispatch.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { issueMessages } from "~/features/newsletter-issues/messages.ts";
import { addReaders, deliveryStates, startWritten, writeIssue } from "../support/issue-sending.ts";
import { outboxOfEachTest, until } from "../support/outbox.ts";
import { createPerson } from "../support/people.ts";

const kit = outboxOfEachTest();
const issue = (id: string) => getIssue(kit.services.db.read, id);
const isNow = (id: string, expected: object) =>
  until(async () => expect(await issue(id)).toMatchObject(expected));
const states = (id: string) => deliveryStates(kit.services, id);

/** The parts of an email, decoded. */
function decoded(source: string) {
  const [head = "", ...parts] = source.split("\r\n\r\n");
  const body = parts
    .join("\r\n\r\n")
    .replaceAll("=\r\n", "")
    .replaceAll(/(=[\dA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll("=", ""), "hex").toString("utf8"),
    );
  return { head: head.replaceAll(/\r\n[ \t]+/g, " "), body };
}

describe("an issue that is sent", () => {
  test("goes once to each confirmed reader, by name, with their own way out", async () => {
    const { services } = kit;
    const server = await kit.serve();
    const [ada] = await addReaders(services, 30);
    await addReaders(services, 1, { first: 30, name: "<b>Li & Jo</b>" });
    const id = await writeIssue(services, {
      body: 'Grüße, [a link](https://example.org/?a=1&b=2).\n\n[Write to me](/coaching "button")',
    });
    kit.work();
    await startWritten(services, id);
    await isNow(id, { state: "sent", recipients: 31, sent: 31, refused: 0, doubtful: 0 });
    expect(server.messages.flatMap(({ to }) => to).sort()).toEqual(
      Array.from({ length: 31 }, (_, n) => `reader-${n}@example.com`).sort(),
    );
    const mail = (to: string) =>
      decoded(server.messages.find((one) => one.to.includes(to))?.source ?? "");
    const { head, body } = mail("reader-0@example.com");
    expect(head).toContain("To: Ada <reader-0@example.com>");
    expect(head).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(head).toMatch(/^List-ID: .* <newsletter\.localhost>$/m);
    expect(head).toContain(`Feedback-ID: ${id}:newsletter:localhost`);
    expect(body.match(/Hello Ada,/g)).toHaveLength(2);
    expect(body).toContain("Grüße");
    expect(body).toContain('href="https://example.org/?a=1&amp;b=2"');
    expect(body).toContain("<https://example.org/?a=1&b=2>");
    expect(body).not.toContain("SLOT");
    const [, link = ""] = /List-Unsubscribe: <([^>]+)>/.exec(head) ?? [];
    expect(link).toContain(`&issue=${id}`);
    expect(body).toContain(link.replaceAll("&", "&amp;"));
    expect(body).toContain(`<${link}>`);
    // A name that could be markup or a link is not repeated.
    expect(mail("reader-30@example.com").body.match(/Hello,/g)).toHaveLength(2);
    const token = new URL(link).searchParams.get("token") ?? "";
    expect(await unsubscribe(services, { token, issue: id })).toBe(true);
    await isNow(id, { leftAfter: 1 });
    const row = services.db.read
      .selectFrom("subscribers")
      .select("status")
      .where("id", "=", ada ?? "");
    expect(await row.executeTakeFirst()).toEqual({ status: "unsubscribed" });
  });

  test("does not go to those who left, are suppressed, suspended or being deleted meanwhile", async () => {
    const { services } = kit;
    const { db, clock } = services;
    const server = await kit.serve();
    await addReaders(services, 6);
    const id = await writeIssue(services);
    await startWritten(services, id, { at: "2030-01-01T08:00" }).catch(() => null);
    await startWritten(services, id);
    const now = clock.now();
    const leave = db.write.updateTable("subscribers").set({ status: "unsubscribed" });
    await leave.where("emailKey", "=", "reader-0@example.com").execute();
    await db.write
      .insertInto("suppressions")
      .values({
        address: "reader-1@example.com",
        reason: "manual",
        source: "admin",
        createdAt: now,
      })
      .execute();
    for (const [n, change] of [{ suspendedAt: now }, { deletionDueAt: now }].entries()) {
      const { id: who } = await createPerson(services);
      const account = { email: `reader-${n + 2}@example.com`, ...change };
      await db.write.updateTable("profiles").set(account).where("id", "=", who).execute();
    }
    kit.work();
    await isNow(id, { state: "sent", sent: 2, refused: 0 });
    expect(server.messages.flatMap(({ to }) => to).sort()).toEqual([
      "reader-4@example.com",
      "reader-5@example.com",
    ]);
  });

  test("names the reason of a refusal, tries what is delayed again, and lets the coach resend", async () => {
    const { services, clock } = kit;
    const server = await kit.serve();
    await addReaders(services, 3);
    const about = (n: number) => (to: string) => to === `reader-${n}@example.com`;
    const refusal = server.always(
      { at: "rcpt", answer: 550, text: "5.1.1 no such user" },
      about(0),
    );
    const delay = server.always({ at: "rcpt", answer: 451, text: "4.7.1 later" }, about(1));
    const id = await writeIssue(services);
    const worker = kit.work();
    await startWritten(services, id);
    await until(async () => expect(await states(id)).toEqual({ sent: 1, refused: 1, waiting: 1 }));
    delay.lift();
    clock.forward(60_000);
    worker.wake();
    await isNow(id, { state: "sent", sent: 2, refused: 1 });
    const failed = services.db.read
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "newsletter.issue");
    const row = await failed.executeTakeFirstOrThrow();
    expect(row).toMatchObject({ failure: "refused", address: "reader-0@example.com" });
    expect(row.lastError).toContain("5.1.1 no such user");
    refusal.lift();
    const again = { failedAt: null, failure: null, dueAt: clock.now() };
    await services.db.write.updateTable("outbox").set(again).where("id", "=", row.id).execute();
    worker.wake();
    await isNow(id, { sent: 3, refused: 0 });
    expect(server.messages).toHaveLength(3);
  });

  test("is not repeated where the answer was lost: it is doubtful, until the coach says so", async () => {
    const { services } = kit;
    const server = await kit.serve();
    await addReaders(services, 4);
    const to = (name: string) => name === "reader-2@example.com";
    const cut = server.always({ at: "after data", drop: true }, to);
    const id = await writeIssue(services);
    kit.work();
    await startWritten(services, id);
    await isNow(id, { state: "sent", sent: 3, doubtful: 1 });
    expect(server.messages.filter((one) => one.to.some(to))).toHaveLength(1);
    cut.lift();
    await sendDoubtfulAgain(services, id);
    await isNow(id, { state: "sent", sent: 4, doubtful: 0 });
    expect(server.ids()).toHaveLength(5);
    expect(new Set(server.ids()).size).toBe(4);
  });

  test("waits for a mail server that is away, and loses nothing", async () => {
    const { services, clock } = kit;
    await addReaders(services, 20);
    const id = await writeIssue(services);
    const worker = kit.work();
    await startWritten(services, id);
    await kit.outageNoted();
    expect(await states(id)).toEqual({ waiting: 20 });
    const lastSeen = async () => (await kit.outage())?.lastSeen.getTime() ?? 0;
    for (let trial = 0; trial < 3; trial += 1) {
      const before = await lastSeen();
      clock.forward(61_000);
      worker.wake();
      await until(async () => expect(await lastSeen()).toBeGreaterThan(before));
    }
    const parts = services.db.read
      .selectFrom("outbox")
      .select("id")
      .where("finishedAt", "is", null);
    expect(await parts.where("kind", "=", "newsletter.send").execute()).toHaveLength(1);
    const server = await kit.serve();
    clock.forward(61_000);
    worker.wake();
    await isNow(id, { state: "sent", sent: 20 });
    expect(new Set(server.ids()).size).toBe(20);
  });

  test("stops and goes on, stops after a first portion, and by itself when many are refused", async () => {
    const { services } = kit;
    const server = await kit.serve();
    await addReaders(services, 40);
    const id = await writeIssue(services);
    await startWritten(services, id, { portion: 10 });
    kit.work();
    await isNow(id, { state: "stopped", stoppedBecause: "portion", sent: 4 });
    await resumeIssue(services, id);
    await isNow(id, { state: "sent", sent: 40 });

    const other = await writeIssue(services, { subject: "Another" });
    server.always({ at: "rcpt", answer: 550, text: "5.1.1 gone" });
    await startWritten(services, other);
    await isNow(other, { state: "stopped", stoppedBecause: "bounces", refused: 6 });
    await expect(stopIssue(services, other)).rejects.toThrow(issueMessages.notNow);
    await resumeIssue(services, other);
    await isNow(other, { state: "sent", refused: 40 });
  });
});

describe("a time", () => {
  test("is the coach's, or each reader's own morning", async () => {
    const { services, clock } = kit;
    const server = await kit.serve();
    const now = clock.now();
    const day = new Date(now.getTime() + 5 * 24 * 3600_000).toISOString().slice(0, 10);
    await addReaders(services, 1, { timeZone: "Asia/Tokyo" });
    await addReaders(services, 1, { first: 1, timeZone: "America/Los_Angeles" });
    await addReaders(services, 1, { first: 2 });
    // The zone of an account counts, and not that of an earlier signup.
    await addReaders(services, 1, { first: 3, timeZone: "America/Los_Angeles" });
    const { id: who } = await createPerson(services);
    const account = { email: "reader-3@example.com", timeZone: "Asia/Kolkata" };
    await services.db.write.updateTable("profiles").set(account).where("id", "=", who).execute();
    const id = await writeIssue(services);
    const started = await startWritten(services, id, { at: `${day}T08:00`, inMorning: true });
    expect(started.state).toBe("scheduled");
    const worker = kit.work();
    const received = () => server.messages.flatMap(({ to }) => to);
    const at = async (time: string, expected: string[]) => {
      clock.forward(new Date(time).getTime() - clock.now().getTime());
      worker.wake();
      await until(() => expect(received()).toEqual(expected));
    };
    const hour = (zone: string) => new Date(`${day}T08:00:00${zone}`).toISOString();
    const readers = [0, 1, 2, 3].map((n) => `reader-${n}@example.com`);
    const [tokyo = "", west = "", unknown = "", student = ""] = readers;
    await at(hour("+09:00"), [tokyo]);
    await at(hour("+05:30"), [tokyo, student]);
    await at(hour("+01:00"), [tokyo, student, unknown]);
    await at(hour("-08:00"), [tokyo, student, unknown, west]);
    await isNow(id, { state: "sent", sent: 4 });
  });

  test("can be taken back before it has come", async () => {
    const { services, clock } = kit;
    const server = await kit.serve();
    await addReaders(services, 1);
    const id = await writeIssue(services);
    const at = new Date(clock.now().getTime() + 48 * 3600_000).toISOString().slice(0, 16);
    await startWritten(services, id, { at }, "UTC");
    await unscheduleIssue(services, id);
    const worker = kit.work();
    clock.forward(72 * 3600_000);
    worker.wake();
    await until(async () => {
      const open = services.db.read
        .selectFrom("outbox")
        .selectAll()
        .where("finishedAt", "is", null);
      expect(await open.execute()).toEqual([]);
    });
    expect(await issue(id)).toMatchObject({ state: "draft", slug: null });
    expect(server.messages).toEqual([]);
  });
});

test("to whom an issue went is deleted after 90 days, and how many they were stays", async () => {
  const { services, clock } = kit;
  await kit.serve();
  await addReaders(services, 3);
  const id = await writeIssue(services);
  kit.work();
  await startWritten(services, id);
  await isNow(id, { state: "sent", sent: 3 });
  clock.forward(89 * 24 * 3600_000);
  await deleteOldDeliveries.run(services);
  expect(await states(id)).toEqual({ sent: 3 });
  clock.forward(2 * 24 * 3600_000);
  await deleteOldDeliveries.run(services);
  expect(await states(id)).toEqual({});
  expect(await issue(id)).toMatchObject({ sent: 3, recipients: 3 });
});
