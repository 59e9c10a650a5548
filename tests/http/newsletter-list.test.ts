import { beforeEach, describe, expect, test } from "vitest";
import { deleteOldSignups } from "~/features/newsletter/subscribe.server.ts";
import { confirmSubscriptionEmail } from "~/features/newsletter/subscribers.server.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { newAddress } from "../support/accounts.ts";
import { site as content } from "../support/first-edition.ts";
import { emailsTo, emailTo } from "../support/mailbox.ts";
import {
  confirmPath,
  headerOf,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { visitorOfTest } from "../support/people-of-tests.ts";
import { mainOf, readable } from "../support/responses.ts";
import { type Asking, siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const ada = visitorOfTest(site);
let email: string;

beforeEach(() => {
  email = newAddress();
});

const message = (count = 1) => emailTo(site.services.config, email, count);
const messages = () => emailsTo(site.services.config, email);
const press = (path: string) => ada.ask(path, { form: {} });
const row = (of = email) => subscriber(site, of);
const status = async (of = email) => (await row(of))?.status;
const minutes = (n: number) => site.clock.forward(n * 60_000 + 1000);
const where = (answer: Response) => [
  answer.status,
  answer.headers.get("location")?.replace(/(?<=unsubscribed)\?token=.*/, ""),
];
const confirmed = [303, "/newsletter/confirmed"];
const unsubscribed = [303, "/newsletter/unsubscribed"];

async function signUpAs(firstName = "Ada") {
  expect((await signUp(ada, { email, firstName })).status).toBe(200);
  await settled(site);
}
/** Signs up; @returns the links of the first email */
async function asked() {
  await signUpAs();
  const first = await message();
  return { confirm: confirmPath(first), unsubscribe: unsubscribePath(first) };
}
/** Signs up and confirms; @returns the links of the first email */
async function subscribed() {
  const links = await asked();
  await press(links.confirm);
  await settled(site);
  return links;
}

/** Expects that a link changes nothing, and that GET and POST say the same. */
async function expectInvalid(path: string, status: number, ...says: string[]) {
  const before = await row();
  const answers = [await ada.ask(path), await press(path)];
  const [page = "", pressed = ""] = await Promise.all(
    answers.map(async (answer) => readable(await answer.text())),
  );
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  expect(mainOf(pressed)).toBe(mainOf(page));
  expect(page).toContain('<meta name="robots" content="noindex"/>');
  for (const words of says) expect(mainOf(page)).toContain(words);
  expect(await row()).toEqual(before);
}

describe("double opt-in", () => {
  test("an email, a page, a press, a welcome; again it is the same page", async () => {
    const { confirm } = await asked();
    const first = await message();
    expect(first.text).toContain("Hello Ada,");
    const page = await (await ada.ask(confirm)).text();
    expect(page).toContain("Yes, send me the letters");
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(await status()).toBe("pending");

    // Pressed three times at once, it confirms once.
    for (const answer of await Promise.all([press(confirm), press(confirm), press(confirm)]))
      expect(where(answer)).toEqual(confirmed);
    expect(await row()).toMatchObject({ status: "confirmed", confirmedAt: expect.any(Date) });
    expect(where(await ada.ask(confirm))).toEqual([302, "/newsletter/confirmed"]);
    site.clock.forwardDays(8);
    expect(where(await ada.ask(confirm))).toEqual([302, "/newsletter/confirmed"]);
    await settled(site);
    expect(messages().map(({ subject }) => subject)).toEqual([
      "Please confirm: my newsletter, once a week",
      "You are on the list",
    ]);
  });

  test("programs that open every link confirm and unsubscribe no one", async () => {
    for (const path of Object.values(await asked()))
      for (const method of ["GET", "HEAD", "GET"])
        for (const address of [path, path.replace("?", ".data?")])
          expect((await ada.ask(address, { method })).status).toBe(200);
    expect(await row()).toMatchObject({ status: "pending", generation: 1 });
  });
});

describe("GET and POST /newsletter/confirm, with a link that is no good", () => {
  test("expired after seven days, not before", async () => {
    const { confirm } = await asked();
    site.clock.forwardDays(6.9);
    expect(await (await ada.ask(confirm)).text()).toContain("Yes, send me the letters");
    site.clock.forwardDays(0.11);
    const says = ["This link no longer works", "worked for seven days", 'name="email"'];
    await expectInvalid(confirm, 410, ...says);
    await signUpAs();
    await press(confirmPath(await message(2)));
    expect(await status()).toBe("confirmed");
  });

  test("of an earlier subscription, before and after subscribing again", async () => {
    const old = await subscribed();
    await press(old.unsubscribe);
    await expectInvalid(old.confirm, 410, "You have unsubscribed since");
    await signUpAs();
    await expectInvalid(old.confirm, 410);
    expect(await row()).toMatchObject({ status: "pending", generation: 2, firstName: "Ada" });
    await press(confirmPath(await message(3)));
    expect(await status()).toBe("confirmed");
  });

  test.each<[string, (path: string) => string]>([
    ["cut off", (path) => path.slice(0, -1)],
    ["cut off in the middle", (path) => path.slice(0, 60)],
    ["with a character more", (path) => `${path}A`],
    ["for another address", (path) => path.replace(/token=.{8}/, "token=01a1fd36")],
    ["of a later generation", (path) => path.replace(/\.1\./, ".2.")],
    ["for longer", (path) => path.replace(/\.(\d{10})\./, ".9999999999.")],
    ["without a token", () => "/newsletter/confirm"],
    ["with an empty token", () => "/newsletter/confirm?token="],
    ["with nonsense", () => "/newsletter/confirm?token=%00%F0%9F%92%99.1.2"],
    ["with two tokens", (path) => path.replace("?", "?token=x&")],
  ])("%s", async (_, spoil) => {
    const { confirm } = await asked();
    await expectInvalid(spoil(confirm), 400, "This link does not work", 'name="email"');
  });

  test("of the other purpose, or pressed on another site's page", async () => {
    const { confirm, unsubscribe } = await asked();
    const token = (path: string) => path.split("token=")[1];
    await expectInvalid(`/newsletter/confirm?token=${token(unsubscribe)}`, 400);
    const crossed = `/newsletter/unsubscribe?token=${token(confirm)}`;
    await expectInvalid(crossed, 400, "write to");
    const oneClick = { form: { "List-Unsubscribe": "One-Click" }, origin: null };
    expect((await ada.ask(crossed, oneClick)).status).toBe(400);
    const foreign = { form: {}, origin: "https://evil.example" };
    expect((await ada.ask(confirm, foreign)).status).toBe(403);
    expect(await status()).toBe("pending");
  });
});

describe("GET and POST /newsletter/unsubscribe", () => {
  test("asks once, and does it; twice is the same", async () => {
    const { unsubscribe } = await subscribed();
    expect(await (await ada.ask(unsubscribe)).text()).toContain('<button type="submit"');
    expect(await status()).toBe("confirmed");
    for (let n = 0; n < 2; n += 1) expect(where(await press(unsubscribe))).toEqual(unsubscribed);
    const unsubscribedAt = expect.any(Date);
    const ended = { status: "unsubscribed", generation: 2, firstName: "", unsubscribedAt };
    expect(await row()).toMatchObject(ended);
  });

  test("works with the link of every email, however old, also after subscribing again", async () => {
    const { unsubscribe } = await subscribed();
    expect(unsubscribePath(await message(2))).toBe(unsubscribe);
    await press(unsubscribe);
    site.clock.forwardDays(400);
    await signUpAs();
    await press(confirmPath(await message(3)));
    expect(await status()).toBe("confirmed");
    await press(unsubscribe);
    expect(await status()).toBe("unsubscribed");
  });

  test.each(["", "x", "01a1fd36-4566-735c-9e1a-a0fde67203d5.x"])(
    "with a link that is not the site's (%j), says what to do",
    (token) => expectInvalid(`/newsletter/unsubscribe?token=${token}`, 400, "mailto:"),
  );
});

describe("one-click unsubscribe by a mail program (RFC 8058)", () => {
  const pair = { "List-Unsubscribe": "One-Click" };

  test.each<[string, object]>([
    ["no origin", { form: pair, origin: null }],
    ["another origin", { form: pair, origin: "https://mail.example" }],
    ["the origin of a sandbox", { form: pair, origin: "null" }],
    ["a multipart body", { multipart: Object.entries(pair), origin: null }],
  ])("with %s: ends the subscription, without a redirect", async (_, asking) => {
    const { unsubscribe } = await subscribed();
    for (let n = 0; n < 2; n += 1) {
      const answer = await site.ask(unsubscribe, asking);
      expect([answer.status, await answer.text()]).toEqual([200, "You are unsubscribed."]);
    }
    expect(await row()).toMatchObject({ status: "unsubscribed", generation: 2 });
  });

  test("with anything else from elsewhere, or at another address: is refused", async () => {
    const { confirm, unsubscribe } = await subscribed();
    const both = Object.entries(pair);
    const askings: Asking[] = [
      { method: "POST" },
      { form: { "List-Unsubscribe": "one-click" } },
      { form: { "list-unsubscribe": "One-Click" } },
      { form: { ...pair, x: "y" } },
      { form: [...both, ...both] },
      { json: pair },
      { body: "List-Unsubscribe=One-Click" },
    ];
    for (const asking of askings)
      expect((await site.ask(unsubscribe, { ...asking, origin: null })).status).toBe(403);
    const large = { "List-Unsubscribe": "One-Click".padEnd(10_000) };
    expect((await site.ask(unsubscribe, { form: large, origin: null })).status).toBe(413);
    const query = confirm.split("?")[1];
    for (const path of [
      ...["/newsletter", "/newsletter/confirm", "/newsletter/unsubscribe/"],
      ...["/auth/sign-out", "/"],
    ]) {
      const answer = await ada.ask(`${path}?${query}`, { form: pair, origin: null });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(await status()).toBe("confirmed");
  });

  test("every email of the newsletter has the headers for it", async () => {
    await subscribed();
    site.clock.forwardDays(2);
    await signUpAs();
    expect(messages()).toHaveLength(3);
    const { appUrl } = site.services.config;
    for (const one of messages()) {
      expect(headerOf(one, "List-Unsubscribe")).toBe(`<${appUrl}${unsubscribePath(one)}>`);
      expect(headerOf(one, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
      expect(one.text).toContain(`<${appUrl}${unsubscribePath(one)}>`);
    }
  });
});

describe("an email address that is signed up again and again", () => {
  test("gets one email in ten minutes, and three a day; any of them confirms", async () => {
    const counts: number[] = [];
    for (const pause of [0, 9, 1, 10, 10, 1440]) {
      minutes(pause);
      await signUpAs();
      counts.push(messages().length);
    }
    expect(counts).toEqual([1, 1, 2, 3, 3, 4]);
    await press(confirmPath(await message(4)));
    expect(await status()).toBe("confirmed");
  });

  test("is greeted by the name of the email that is confirmed, whatever names were typed since", async () => {
    const { confirm } = await asked();
    // No email goes out for it.
    await signUpAs("Mallory");
    expect(await row()).toMatchObject({ firstName: "Ada", generation: 1 });
    minutes(10);
    await signUpAs("Mallory");
    await expectInvalid(confirm, 410, "another email");
    await press(confirmPath(await message(2)));
    await settled(site);
    expect((await message(3)).text).toContain("Hello Mallory,");
    await expectInvalid(confirm, 410, "another email");
  });

  test("gets an email once a day that it is on the list already", async () => {
    await subscribed();
    await signUpAs("Mallory");
    await signUpAs();
    minutes(60);
    await signUpAs();
    expect(messages()).toHaveLength(3);
    const reminder = await message(3);
    expect(reminder.subject).toBe("You are on the list already");
    expect(reminder.text).toContain("Hello Ada,");
    expect(await status()).toBe("confirmed");
    site.clock.forwardDays(1);
    await signUpAs();
    expect(messages()).toHaveLength(4);
  });

  test.each([false, true])(
    "after unsubscribing, gets its email ten minutes later, unless it unsubscribed again (%s)",
    async (again) => {
      const { confirm, unsubscribe } = await asked();
      await press(unsubscribe);
      await expectInvalid(confirm, 410);
      await signUpAs();
      await signUpAs();
      expect(messages()).toHaveLength(1);
      if (again) await press(unsubscribe);
      minutes(10);
      await settled(site);
      expect(messages()).toHaveLength(again ? 1 : 2);
      if (again) return;
      await press(confirmPath(await message(2)));
      expect(await status()).toBe("confirmed");
    },
  );
});

describe("an email that finds no mail server for a while", () => {
  /** @returns how it goes out at last */
  async function heldUp() {
    const { id: subscriberId = "", generation = 0 } = (await row()) ?? {};
    const { db, clock } = site.services;
    const payload = { subscriberId, generation };
    return async () => {
      await enqueue(db.write, confirmSubscriptionEmail, payload, { now: clock.now() });
      await settled(site);
    };
  }

  test("is not sent to an address that was confirmed meanwhile", async () => {
    const { confirm } = await asked();
    const goesOut = await heldUp();
    await press(confirm);
    await settled(site);
    await goesOut();
    expect(messages()).toHaveLength(2);
  });

  test("nor to one that was unsubscribed, also when it waits for a new one", async () => {
    const { unsubscribe } = await asked();
    const goesOut = await heldUp();
    await press(unsubscribe);
    await goesOut();
    await signUpAs();
    await goesOut();
    expect(messages()).toHaveLength(1);
    minutes(10);
    await settled(site);
    expect(messages()).toHaveLength(2);
  });
});

describe("after a month", () => {
  async function letMonthPass() {
    site.clock.forwardDays(31);
    await deleteOldSignups.run(site.services);
  }

  test("what was never confirmed is deleted, and what was confirmed or unsubscribed stays", async () => {
    await subscribed();
    const staying = email;
    email = newAddress();
    await press((await subscribed()).unsubscribe);
    const leaving = email;
    email = newAddress();
    const { unsubscribe } = await asked();
    await letMonthPass();
    expect(await row()).toBeUndefined();
    const rows = site.services.db.read.selectFrom("outbox").selectAll();
    expect(await rows.where("kind", "like", "newsletter.%").execute()).toEqual([]);
    expect(await status(staying)).toBe("confirmed");
    expect(await status(leaving)).toBe("unsubscribed");
    // Its email's link still works: there is nothing left to end.
    expect(where(await press(unsubscribe))).toEqual(unsubscribed);
    // It also ends a later subscription of the same address.
    await signUpAs();
    await press(confirmPath(await message(2)));
    expect(await status()).toBe("confirmed");
    await press(unsubscribe);
    expect(await status()).toBe("unsubscribed");
  });

  test("an unsubscribed address that a stranger signed up is unsubscribed again", async () => {
    await press((await subscribed()).unsubscribe);
    site.clock.forwardDays(2);
    await signUpAs("Stranger");
    expect(await status()).toBe("pending");
    const confirm = confirmPath(await message(3));
    await letMonthPass();
    expect(await row()).toMatchObject({ status: "unsubscribed", firstName: "" });
    await press(confirm);
    expect(await status()).toBe("unsubscribed");
  });
});

describe("a name", () => {
  test.each([
    'Eve, "boss" <boss@example.org>',
    "Eve, boss@example.org",
    'Eve", "x',
    "Eve; all: x",
    "=?utf-8?q?Bcc=3A?=",
    "Zoë, 'Å'",
  ])("%s adds no receiver and no header to the email", async (firstName) => {
    await signUpAs(firstName);
    const [head = ""] = (await message()).source.split(/\r?\n\r?\n/);
    const to = head.replaceAll(/\r?\n[ \t]+/g, " ").match(/^To: .*$/gm) ?? [];
    expect(to).toHaveLength(1);
    expect(to[0]).toMatch(new RegExp(`(^To: |<)${email}>?$`));
    expect(to[0]).not.toContain("boss@example.org");
    expect(head).not.toMatch(/^b?cc:/im);
    expect(head.match(/^reply-to:.*$/gim)).toEqual([`Reply-To: ${content.email}`]);
  });

  test("that is an advertisement is not repeated", async () => {
    await signUpAs("Buy at https://spam.example");
    const first = await message();
    expect(first.source).not.toContain("spam.example");
    expect(first.text).toContain("Hello,");
  });
});
