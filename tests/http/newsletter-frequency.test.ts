import { beforeEach, describe, expect, test } from "vitest";
import { leaveReasonInWords } from "~/features/newsletter/messages.ts";
import { frequencyUrl, unsubscribeUrl } from "~/features/newsletter/subscribers.server.ts";
import {
  monthlyDigestPortions,
  scheduleMonthlyDigest,
} from "~/features/newsletter-archive/jobs.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { localHour, nextMorning } from "~/platform/time/morning.ts";
import { newAddress } from "../support/accounts.ts";
import { emailsTo } from "../support/mailbox.ts";
import { partsOf } from "../support/mime-parts.ts";
import { headerOf, settled, signUp, subscriber } from "../support/newsletter.ts";
import { createSubscriber, deliver, publishIssue } from "../support/newsletter-issues.ts";
import { createPerson } from "../support/people.ts";
import { visitorOfTest } from "../support/people-of-tests.ts";
import { mainOf, readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const ada = visitorOfTest(site);
let email: string;
let id: string;

const below = (url: string) => url.slice(site.services.config.appUrl.length);
const row = () => subscriber(site, email);
const press = (path: string, form: Record<string, string> = {}) => ada.ask(path, { form });
const main = async (path: string) => readable(mainOf(await (await ada.ask(path)).text()));
let leave: string;
let frequency: string;

beforeEach(async () => {
  email = newAddress();
  id = await createSubscriber(site.services, email);
  leave = below(unsubscribeUrl(site.services, id));
  frequency = below(frequencyUrl(site.services, id));
});

describe("less instead of nothing", () => {
  test("the page for leaving offers it below its button; a GET changes nothing", async () => {
    const page = await main(leave);
    const at = ["Unsubscribe</button>", "Once a month instead", "A pause of 30 days"].map((words) =>
      page.indexOf(words),
    );
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
    const before = await row();
    for (const path of [leave, frequency, `${frequency}&change=monthly`])
      expect((await ada.ask(path)).status).toBe(200);
    expect(await row()).toEqual(before);
  });

  test("once a month, and back; twice is the same", async () => {
    for (let n = 0; n < 2; n += 1) {
      const answer = await press(frequency, { change: "monthly" });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, frequency]);
      expect(await row()).toMatchObject({ monthly: true, status: "confirmed" });
    }
    expect(await main(frequency)).toMatch(/<h1[^>]*>Once a month/);
    await press(frequency, { change: "weekly" });
    expect(await row()).toMatchObject({ monthly: false });
  });

  test.each([
    ["pause-30", 30],
    ["pause-90", 90],
  ])("%s: quiet for so many days, until it is ended", async (change, days) => {
    const until = site.clock.now().getTime() + days * 86_400_000;
    await press(frequency, { change });
    const { quietUntilAt } = (await row()) ?? {};
    expect(Math.abs((quietUntilAt?.getTime() ?? 0) - until)).toBeLessThan(60_000);
    expect(await main(frequency)).toMatch(/<h1[^>]*>A pause until \w+ \d+, 20\d\d/);
    await press(frequency, { change: "go-on" });
    expect(await row()).toMatchObject({ quietUntilAt: null, status: "confirmed" });
  });

  test("an unknown change, a broken link, an address that is not on the list", async () => {
    const before = await row();
    expect((await press(frequency, { change: "daily" })).status).toBe(200);
    for (const path of [frequency.slice(0, -1), "/newsletter/frequency?token=%00"])
      expect((await press(path, { change: "monthly" })).status).toBe(400);
    expect(await row()).toEqual(before);
    await press(leave);
    await press(frequency, { change: "monthly" });
    expect(await row()).toMatchObject({ monthly: false, status: "unsubscribed" });
    expect(await main(frequency)).toContain("You’re not on the list");
  });

  test("who leaves and comes back begins with each newsletter again", async () => {
    await press(frequency, { change: "monthly" });
    await press(frequency, { change: "pause-90" });
    await press(leave);
    await signUp(ada, { email });
    await settled(site);
    expect(await row()).toMatchObject({ status: "pending", monthly: false, quietUntilAt: null });
  });
});

describe("POST /newsletter/unsubscribe with an issue in its link", () => {
  const oneClick = (path: string) =>
    site.ask(path, { form: { "List-Unsubscribe": "One-Click" }, origin: null });
  const left = async (issue: string) => {
    const found = site.services.db.read.selectFrom("newsletterIssues").select("leftAfter");
    return (await found.where("id", "=", issue).executeTakeFirstOrThrow()).leftAfter;
  };

  test.each([
    ["a press", press],
    ["one click of an email program", oneClick],
  ])("%s counts once for the issue", async (_, send) => {
    const issue = await publishIssue(site.services, { slug: newId() });
    await deliver(site.services, issue, id);
    await Promise.all([1, 2, 3].map(() => send(`${leave}&issue=${issue}`)));
    expect(await row()).toMatchObject({ status: "unsubscribed", leftIssueId: issue });
    expect(await left(issue)).toBe(1);
  });

  test("not for an issue that did not go to them, nor for none", async () => {
    const [never, waiting] = [
      await publishIssue(site.services, { slug: newId() }),
      await publishIssue(site.services, { slug: newId() }),
    ];
    await deliver(site.services, waiting, id, "waiting");
    for (const issue of [never, waiting, newId(), "", "%00", "x".repeat(2000)]) {
      await press(`${leave}&issue=${issue}`);
      expect(await row()).toMatchObject({ status: "unsubscribed", leftIssueId: null });
      const again = { status: "confirmed" as const };
      await site.services.db.write
        .updateTable("subscribers")
        .set(again)
        .where("id", "=", id)
        .execute();
    }
    expect([await left(never), await left(waiting)]).toEqual([0, 0]);
  });
});

describe("why, for those who want to say", () => {
  const gone = async () => (await press(leave)).headers.get("location") ?? "";
  const reason = async () => (await row())?.leaveReason;

  test("is asked after leaving, and only then", async () => {
    const unsubscribed = leave.replace("unsubscribe?", "unsubscribed?");
    expect(await main(unsubscribed)).not.toContain("why?");
    const after = await gone();
    expect(after).toBe(unsubscribed);
    expect(await main(after)).toContain("If you like: why?");
    expect(await main("/newsletter/unsubscribed")).not.toContain("why?");
    expect(await reason()).toBeNull();
  });

  test.each([
    [{ reason: "often" }, "often", "It was too often"],
    [
      { reason: "other", text: " He came back.\r\nNo. " },
      "other: He came back.\nNo.",
      "Something else: He came back.\nNo.",
    ],
    [{ text: "Only words: so." }, "other: Only words: so.", "Something else: Only words: so."],
    [{ text: "\u{1f499}".repeat(150) }, `other: ${"\u{1f499}".repeat(150)}`, expect.any(String)],
    [{ text: "  " }, null, null],
    [{}, null, null],
  ])("%j is stored as %j", async (form, stored, words) => {
    const answer = await press(await gone(), form as Record<string, string>);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      "/newsletter/unsubscribed",
    ]);
    expect(await reason()).toBe(stored);
    if (stored !== null) expect(leaveReasonInWords(stored)).toEqual(words);
  });

  test("what is too long or no choice is refused with what was typed; without leaving there is none", async () => {
    const text = `<b>${"x".repeat(300)}`;
    const answer = await press(await gone(), { reason: "often", text });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain("Please use 300 characters or fewer.");
    expect(readable(page)).toContain(text);
    expect(page).toMatch(/value="often"[^>]*checked|checked[^>]*value="often"/);
    expect(await reason()).toBeNull();
    const unsubscribed = leave.replace("unsubscribe?", "unsubscribed?");
    await site.services.db.write
      .updateTable("subscribers")
      .set({ status: "confirmed" })
      .where("id", "=", id)
      .execute();
    await press(unsubscribed, { reason: "often" });
    await press("/newsletter/unsubscribed?token=x", { reason: "often" });
    expect(await reason()).toBeNull();
  });
});

describe("one email a month", () => {
  const zone = () => site.services.content.site.timeZone;
  const subjects = (address: string) =>
    emailsTo(site.services.config, address).map(({ subject }) => subject);

  /** The clock is at nine o'clock of the next month's first day. @returns the month before */
  function toFirstDay(): { month: string; during: Date } {
    for (;;) {
      const { at, day } = nextMorning(site.clock.now(), zone(), 9);
      if (day.endsWith("-01")) {
        site.clock.forward(at.getTime() - site.clock.now().getTime() + 1000);
        const during = new Date(at.getTime() - 5 * 86_400_000);
        const month = during.toLocaleDateString("en-US", { month: "long", timeZone: zone() });
        return { month, during };
      }
      site.clock.forwardDays(1);
    }
  }
  const monthly = (values = {}) => {
    const address = newAddress();
    return createSubscriber(site.services, address, { monthly: true, ...values }).then(
      (subscriberId) => ({ address, subscriberId }),
    );
  };

  test("goes once to those who want it, however often and wherever it is scheduled", async () => {
    const { services, clock } = site;
    const { month, during } = toFirstDay();
    await services.db.write.deleteFrom("newsletterIssues").execute();
    const weekly = await createSubscriber(services, newAddress());
    const reader = await monthly();
    const [quiet, complained, gone] = [
      await monthly({ quietUntilAt: new Date(clock.now().getTime() + 40 * 86_400_000) }),
      await monthly(),
      await monthly({ status: "unsubscribed" }),
    ];
    const rested = await monthly({ quietUntilAt: new Date(clock.now().getTime() - 1000) });
    const suspended = await createPerson(services);
    await services.db.write
      .updateTable("profiles")
      .set({ suspendedAt: clock.now() })
      .where("id", "=", suspended.id)
      .execute();
    await createSubscriber(services, suspended.email, { monthly: true });
    await services.db.write
      .insertInto("suppressions")
      .values({
        address: complained.address,
        reason: "complaint",
        source: "test",
        createdAt: during,
      })
      .execute();

    // Without an issue there is no email.
    const schedule = () => scheduleMonthlyDigest.run(services);
    const issue = { subject: "Salt & <b>sugar</b>", preview: "Half a line.", startedAt: during };
    await publishIssue(services, { slug: "salt", ...issue });
    await publishIssue(services, {
      slug: "left-out",
      subject: "Left out",
      inArchive: false,
      startedAt: during,
    });
    await publishIssue(services, { slug: "today", subject: "Today" });
    await Promise.all([schedule(), schedule(), schedule()]);
    await settled(site);
    // A machine that died half-way begins again.
    const { signal } = new AbortController();
    const period = localHour(during, zone()).day.slice(0, 7);
    await monthlyDigestPortions.perform(
      services,
      { month: period },
      {
        ...{ id: newId(), signal },
      },
    );
    clock.forwardDays(1);
    await schedule();
    await settled(site);
    const subject = `The newsletters of ${month}`;
    expect(subjects(reader.address)).toEqual([subject]);
    expect(subjects(rested.address)).toEqual([subject]);
    for (const { address } of [quiet, complained, gone]) expect(subjects(address)).toEqual([]);
    expect(subjects(suspended.email)).toEqual([]);
    expect(weekly).not.toBe("");

    const [message] = emailsTo(services.config, reader.address);
    if (!message) throw new Error("there is an email");
    expect(message.text).toContain("Salt & <b>sugar</b>");
    expect(message.text).toContain("Half a line.");
    expect(message.text).toContain(`${services.config.appUrl}/newsletter/salt`);
    expect(message.text).not.toMatch(/Left out|Today/);
    const page = partsOf(message.source).find((part) => /content-type: text\/html/i.test(part));
    expect(page).toContain("Salt &amp; &lt;b&gt;sugar");
    expect(page).not.toContain("<b>");
    const off = unsubscribeUrl(services, reader.subscriberId);
    expect(headerOf(message, "List-Unsubscribe")).toBe(`<${off}>`);
    expect(headerOf(message, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(message.text).toContain(frequencyUrl(services, reader.subscriberId));
  });

  test("is read again when it is sent: who has left or paused meanwhile gets none", async () => {
    const { services, clock } = site;
    const { during } = toFirstDay();
    await services.db.write.deleteFrom("newsletterIssues").execute();
    await publishIssue(services, { slug: "frost", startedAt: during });
    const [leaving, pausing, staying] = [await monthly(), await monthly(), await monthly()];
    await scheduleMonthlyDigest.run(services);
    await settled(site);
    await press(below(unsubscribeUrl(services, leaving.subscriberId)));
    await press(below(frequencyUrl(services, pausing.subscriberId)), { change: "pause-30" });
    clock.forwardDays(1);
    await settled(site);
    const counts = [leaving, pausing, staying].map(({ address }) => subjects(address).length);
    expect(counts).toEqual([0, 0, 1]);
  });

  test("without an issue, and after the first days of a month, there is none", async () => {
    const { services, clock } = site;
    toFirstDay();
    await services.db.write.deleteFrom("newsletterIssues").execute();
    const reader = await monthly();
    await scheduleMonthlyDigest.run(services);
    clock.forwardDays(1);
    await settled(site);
    const { during } = toFirstDay();
    await publishIssue(services, { slug: "late", startedAt: during });
    clock.forwardDays(3);
    await scheduleMonthlyDigest.run(services);
    clock.forwardDays(1);
    await settled(site);
    expect(subjects(reader.address)).toEqual([]);
  });
});
