import { beforeEach, describe, expect, test } from "vitest";
import { deleteOldDeliveries } from "~/features/newsletter-issues/deliveries.server.ts";
import { seenOf } from "~/features/newsletter-issues/dispatch.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { resumeStuckIssues } from "~/features/newsletter-issues/send-issue.server.ts";
import { bounceRates } from "~/features/suppressions/rates.server.ts";
import { newAddress } from "../support/accounts.ts";
import { deliveryStates, startWritten, writeIssue } from "../support/issue-sending.ts";
import { emailsTo, emailTo } from "../support/mailbox.ts";
import {
  confirmPath,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { adminOfFile, visitorOfTest } from "../support/people-of-tests.ts";
import { readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
const ada = visitorOfTest(site);
let email: string;

const subjects = () => emailsTo(site.services.config, email).map(({ subject }) => subject);
const times = (subject: string) => subjects().filter((one) => one === subject).length;
const issue = (id: string) => getIssue(site.services.db.read, id);
const read = async (path: string) => readable(await (await site.ask(path, { as: admin })).text());
const press = (path: string, form: Record<string, string>) => site.ask(path, { as: admin, form });
const dayMs = 24 * 3600_000;

beforeEach(async () => {
  email = newAddress();
  // Only what a test has begun goes to its newcomers.
  const { db } = site.services;
  await db.write
    .updateTable("newsletterIssues")
    .set({ state: "stopped" })
    .where("state", "in", ["sending", "sent"])
    .execute();
});

/** Signs up and confirms. @returns the way out of the first email */
async function confirm(timeZone: string | null = null): Promise<string> {
  expect((await signUp(ada, { email })).status).toBe(200);
  await settled(site);
  const all = emailsTo(site.services.config, email);
  const first = all.findLast(({ subject }) => subject.startsWith("Please confirm"));
  if (!first) throw new Error("no email with a link");
  const { db } = site.services;
  const row = db.write.updateTable("subscribers").set({ timeZone });
  await row.where("emailKey", "=", email.toLowerCase()).execute();
  await ada.ask(confirmPath(first), { form: {} });
  await settled(site);
  return unsubscribePath(first);
}

/** Adds a draft to the welcome series, as the coach does in two steps. */
async function addToSeries(subject: string, day: string) {
  const id = await writeIssue(site.services, { subject });
  const path = `/admin/newsletter/issues/${id}/send`;
  const form = { seen: seenOf(await issue(id)), when: "welcome", welcomeDay: day };
  return { id, path, form };
}

async function startSeries(subject: string, day: string): Promise<string> {
  const { id, path, form } = await addToSeries(subject, day);
  expect((await press(path, { ...form, intent: "start" })).status).toBe(303);
  return id;
}

const open = () =>
  site.services.db.read
    .selectFrom("outbox")
    .select(["dueAt", "payload"])
    .where("kind", "=", "newsletter.send")
    .where("finishedAt", "is", null)
    .execute();

async function goOn(ms: number) {
  site.clock.forward(ms);
  await settled(site);
}

describe("the welcome series", () => {
  test("is begun on the send page, for those who confirm from then on", async () => {
    await confirm();
    const { id, path, form } = await addToSeries("A first word", "3");
    const wrong = await press(path, { ...form, welcomeDay: "61", intent: "review" });
    expect(wrong.status).toBe(400);
    const refused = readable(await wrong.text());
    expect(refused).toContain("Choose a day between 0 and 60.");
    expect(refused).toContain('value="61"');
    const review = readable(await (await press(path, { ...form, intent: "review" })).text());
    expect(review).toContain("To each new reader, 3 days after confirming");
    expect(review).toContain("Those who are on the list already do not.");
    expect((await press(path, { ...form, intent: "start" })).headers.get("location")).toBe(
      `/admin/newsletter/issues/${id}`,
    );
    expect(await issue(id)).toMatchObject({
      ...{ state: "sending", welcomeDay: 3, recipients: 0, slug: null, inArchive: false },
      ...{ dueAt: null, startedAt: expect.any(Date), enqueuedAt: expect.any(Date) },
    });
    const page = await read(`/admin/newsletter/issues/${id}`);
    expect(page).toContain("Welcome series, day 3");
    expect(page).toContain("Readers are not tracked");
    expect(page).not.toContain("Answered");
    expect(page).not.toContain("archive");
    expect(await read("/admin/newsletter")).toContain("Welcome series, day 3");
    await press(`/admin/newsletter/issues/${id}`, { intent: "show" });
    expect(await issue(id)).toMatchObject({ inArchive: false });
    await goOn(5 * dayMs);
    expect(await deliveryStates(site.services, id)).toEqual({});
  });

  test("goes to each new reader once: at once, and in the morning of its day where they are", async () => {
    const [soon, later] = [await startSeries("At once", "0"), await startSeries("Day two", "2")];
    await confirm("Asia/Tokyo");
    await emailTo(site.services.config, email, 3);
    expect(times("At once")).toBe(1);
    const row = await site.services.db.read
      .selectFrom("newsletterDeliveries")
      .select("dueAt")
      .where("issueId", "=", later)
      .executeTakeFirstOrThrow();
    const tokyo = { timeZone: "Asia/Tokyo", dateStyle: "short", timeStyle: "short" } as const;
    const at = (date: Date) => new Intl.DateTimeFormat("sv-SE", tokyo).format(date);
    const { confirmedAt } = (await subscriber(site, email)) ?? {};
    const second = new Date((confirmedAt?.getTime() ?? 0) + 2 * dayMs);
    expect(at(row.dueAt)).toBe(`${at(second).slice(0, 10)} 08:00`);
    await goOn(row.dueAt.getTime() - site.clock.now().getTime() - 1000);
    expect(times("Day two")).toBe(0);
    await goOn(1000);
    expect(times("Day two")).toBe(1);
    for (const id of [soon, later])
      expect(await issue(id)).toMatchObject({ state: "sending", recipients: 1, sent: 1 });
    expect(await open()).toEqual([]);

    // A series that began long ago counts by what it sends now.
    const { db, clock } = site.services;
    const handedOver = async () => (await bounceRates(db.read, clock.now())).sent;
    const before = await handedOver();
    const began = { startedAt: new Date(clock.now().getTime() - 31 * dayMs) };
    await db.write.updateTable("newsletterIssues").set(began).where("id", "=", later).execute();
    expect(await handedOver()).toBe(before);

    // Leaving and coming back sends nothing twice.
    const way = await confirmAgain();
    expect(times("At once")).toBe(1);
    await goOn(4 * dayMs);
    expect(times("Day two")).toBe(1);
    expect(way).toContain("/newsletter/unsubscribe");
  });

  async function confirmAgain() {
    const [first] = emailsTo(site.services.config, email);
    if (first) await ada.ask(unsubscribePath(first), { form: {} });
    await goOn(dayMs);
    return confirm();
  }

  test("ends for those who unsubscribe, and begins again when they come back", async () => {
    const id = await startSeries("Day five", "5");
    const way = await confirm();
    expect(await deliveryStates(site.services, id)).toEqual({ waiting: 1 });
    await ada.ask(way, { form: {} });
    await goOn(7 * dayMs);
    expect(times("Day five")).toBe(0);
    expect(await deliveryStates(site.services, id)).toEqual({ skipped: 1 });
    expect(await issue(id)).toMatchObject({ recipients: 0, sent: 0 });
    await confirm();
    await goOn(6 * dayMs);
    expect(times("Day five")).toBe(1);
    expect(await issue(id)).toMatchObject({ recipients: 1, sent: 1 });
  });

  test("stops and goes on, and its work does not grow with its readers", async () => {
    const id = await startSeries("Day one", "1");
    const path = `/admin/newsletter/issues/${id}`;
    const addresses: string[] = [];
    for (let n = 0; n < 4; n++) {
      email = newAddress();
      addresses.push(email);
      await confirm();
    }
    // One part for all who wait for the same morning.
    expect(await open()).toHaveLength(1);
    await press(path, { intent: "stop" });
    expect(await read(path)).toContain("Welcome series, day 1: stopped");
    await goOn(2 * dayMs);
    expect(await issue(id)).toMatchObject({ state: "stopped", sent: 0 });
    email = newAddress();
    await confirm();
    await press(path, { intent: "resume" });
    await goOn(2 * dayMs);
    expect(await issue(id)).toMatchObject({ state: "sending", recipients: 4, sent: 4 });
    expect(times("Day one")).toBe(0);
    for (const address of addresses) {
      email = address;
      expect(times("Day one")).toBe(1);
    }
  });
});

describe("the last issue", () => {
  const choose = (on: boolean) =>
    press("/admin/newsletter", { intent: "last-issue", ...(on && { lastIssue: "on" }) });

  test("goes to who confirms, once the coach has chosen that, and stays sent", async () => {
    const { services } = site;
    await confirm();
    const send = async (subject: string, inArchive = true) => {
      const id = await writeIssue(services, { subject });
      await startWritten(services, id, { inArchive });
      await settled(site);
      site.clock.forward(1000);
      return id;
    };
    await send("An older one");
    const last = await send("The last one");
    await send("Not shown", false);
    const before = await issue(last);
    expect(before.state).toBe("sent");

    email = newAddress();
    await confirm();
    expect(times("The last one")).toBe(0);

    await choose(true);
    expect(await read("/admin/newsletter")).toMatch(/<input[^>]*name="lastIssue"[^>]*checked/);
    email = newAddress();
    const way = await confirm();
    await emailTo(services.config, email, 3);
    expect(subjects().filter((one) => /one$|shown$/.test(one))).toEqual(["The last one"]);
    const { state, startedAt, finishedAt, sent, recipients } = await issue(last);
    expect({ state, startedAt, finishedAt }).toEqual({
      ...{ state: "sent", startedAt: before.startedAt, finishedAt: before.finishedAt },
    });
    expect([sent, recipients]).toEqual([before.sent + 1, before.recipients + 1]);
    await ada.ask(way, { form: {} });
    await goOn(dayMs);
    await confirm();
    expect(times("The last one")).toBe(1);

    await choose(false);
    email = newAddress();
    await confirm();
    expect(times("The last one")).toBe(0);
    const log = services.db.read.selectFrom("auditEntries").select("action");
    const rows = await log.where("action", "like", "newsletter.last-issue%").execute();
    expect(rows.map(({ action }) => action).sort()).toEqual([
      "newsletter.last-issue-off",
      "newsletter.last-issue-on",
    ]);
  });
});

test("to whom a series went is deleted 90 days after it went to them", async () => {
  const { services, clock } = site;
  // A run takes a few issues, and those of other tests are old by now.
  await services.db.write.deleteFrom("newsletterDeliveries").execute();
  const id = await startSeries("At once, long ago", "0");
  await confirm();
  clock.forward(50 * dayMs);
  email = newAddress();
  await confirm();
  clock.forward(41 * dayMs);
  await deleteOldDeliveries.run(services);
  expect(await deliveryStates(services, id)).toEqual({ sent: 1 });
  expect(await issue(id)).toMatchObject({ recipients: 2, sent: 2 });
});

test("what waits for a new reader is enqueued again when its work has failed for good", async () => {
  const { db } = site.services;
  const id = await startSeries("Day three", "3");
  await confirm();
  await db.write
    .updateTable("newsletterIssues")
    .set({ state: "sent" })
    .where("id", "=", id)
    .execute();
  const work = db.write.updateTable("outbox").set({ failedAt: site.clock.now() });
  await work.where("kind", "=", "newsletter.send").where("finishedAt", "is", null).execute();
  await goOn(4 * dayMs);
  expect(times("Day three")).toBe(0);
  await resumeStuckIssues.run(site.services);
  await settled(site);
  expect(times("Day three")).toBe(1);
});
