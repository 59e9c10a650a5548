import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteOldSignups } from "~/features/newsletter/subscribe.server.ts";
import { site as content } from "~content/site.ts";
import { newAddress } from "../support/accounts.ts";
import { readable } from "../support/answers.ts";
import { lettersTo, letterTo } from "../support/mailbox.ts";
import {
  confirmPath,
  headerOf,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { startSite, type TestSite } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

let site: TestSite;
let ada: Visitor;
let email: string;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());
beforeEach(() => {
  ada = visitor(site);
  email = newAddress();
});

const letter = (count = 1) => letterTo(site.services.config, email, count);
const letters = () => lettersTo(site.services.config, email);
const press = (path: string) => ada.ask(path, { form: {} });
const standing = async () => (await subscriber(site, email))?.status;
const minutes = (n: number) => site.clock.forward(n * 60_000 + 1000);
const where = (answer: Response) => [answer.status, answer.headers.get("location")];
async function join(firstName = "Ada") {
  expect((await signUp(ada, { email, firstName })).status).toBe(200);
  await settled(site);
}
/** Signs up and confirms; @returns the way to confirm and the way out */
async function subscribed() {
  await join();
  const first = await letter();
  await press(confirmPath(first));
  await settled(site);
  return { confirm: confirmPath(first), unsubscribe: unsubscribePath(first) };
}

describe("double opt-in", () => {
  test("a letter, a page, a press, a welcome", async () => {
    await join();
    const first = await letter();
    expect(first.subject).toBe("Please confirm: a letter once a week");
    expect(first.text).toContain("Hello Ada,");
    const opened = await ada.ask(confirmPath(first));
    expect(opened.status).toBe(200);
    const page = await opened.text();
    expect(page).toContain("Yes, send me the letters");
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(await standing()).toBe("pending");

    expect(where(await press(confirmPath(first)))).toEqual([303, "/newsletter/confirmed"]);
    expect(await subscriber(site, email)).toMatchObject({
      status: "confirmed",
      confirmedAt: expect.any(Date),
    });
    const confirmed = await ada.ask("/newsletter/confirmed");
    expect(readable(await confirmed.text())).toContain("You’re on the list");
    await settled(site);
    expect(letters().map(({ subject }) => subject)).toEqual([
      "Please confirm: a letter once a week",
      "You are on the list",
    ]);
  });

  test("programs that open every link confirm nobody and unsubscribe nobody", async () => {
    await join();
    const first = await letter();
    for (const path of [confirmPath(first), unsubscribePath(first)])
      for (const method of ["GET", "HEAD", "GET"]) {
        expect((await ada.ask(path, { method })).status).toBe(200);
        const data = path.replace("?", ".data?");
        expect((await ada.ask(data, { method })).status).toBe(200);
      }
    expect(await subscriber(site, email)).toMatchObject({ status: "pending", generation: 1 });
  });

  test("the same link again leads to the same friendly page, with no second welcome", async () => {
    const { confirm } = await subscribed();
    expect(where(await press(confirm))).toEqual([303, "/newsletter/confirmed"]);
    expect(where(await ada.ask(confirm))).toEqual([302, "/newsletter/confirmed"]);
    site.clock.forwardDays(8);
    expect(where(await ada.ask(confirm))).toEqual([302, "/newsletter/confirmed"]);
    await settled(site);
    expect(letters()).toHaveLength(2);
  });

  test("two presses at once confirm once", async () => {
    await join();
    const path = confirmPath(await letter());
    const answers = await Promise.all([press(path), press(path), press(path)]);
    for (const answer of answers) expect(where(answer)).toEqual([303, "/newsletter/confirmed"]);
    await settled(site);
    expect(letters()).toHaveLength(2);
  });
});

const dead = async (path: string) => {
  const before = await subscriber(site, email);
  const answers = [await ada.ask(path), await press(path)];
  const statuses = answers.map(({ status }) => status);
  const texts = await Promise.all(answers.map(async (answer) => readable(await answer.text())));
  const mains = texts.map((text) => /<main[^>]*>([\s\S]*)<\/main>/.exec(text)?.[1] ?? "");
  expect(await subscriber(site, email)).toEqual(before);
  expect(statuses[0]).toBe(statuses[1]);
  expect(mains[0]).toBe(mains[1]);
  expect(texts[0]).toContain('<meta name="robots" content="noindex"/>');
  return { status: statuses[0], main: mains[0] ?? "" };
};

describe("a confirmation link that is no good changes nothing, and says what to do", () => {
  test("expired", async () => {
    await join();
    const path = confirmPath(await letter());
    site.clock.forwardDays(7.01);
    const { status, main } = await dead(path);
    expect(status).toBe(410);
    expect(main).toContain("This link no longer works");
    expect(main).toContain("worked for seven days");
    expect(main).toContain('name="email"');
    expect(main).not.toContain("Yes, send me the letters");
    await join();
    await press(confirmPath(await letter(2)));
    expect(await standing()).toBe("confirmed");
  });

  test("works until then", async () => {
    await join();
    const path = confirmPath(await letter());
    site.clock.forwardDays(6.9);
    await press(path);
    expect(await standing()).toBe("confirmed");
  });

  test("of an earlier subscription, before and after subscribing again", async () => {
    const old = await subscribed();
    await press(old.unsubscribe);
    expect(await dead(old.confirm)).toMatchObject({
      status: 410,
      main: expect.stringContaining("You have unsubscribed since"),
    });
    await join();
    expect((await dead(old.confirm)).status).toBe(410);
    expect(await standing()).toBe("pending");
  });

  test.each([
    ["cut off", (path: string) => path.slice(0, -1)],
    ["cut off in the middle", (path: string) => path.slice(0, 60)],
    ["with a letter more", (path: string) => `${path}A`],
    ["for somebody else", (path: string) => path.replace(/token=.{8}/, "token=01a1fd36")],
    ["of a later generation", (path: string) => path.replace(/\.1\./, ".2.")],
    ["for longer", (path: string) => path.replace(/\.(\d{10})\./, ".9999999999.")],
    ["without a token", () => "/newsletter/confirm"],
    ["with an empty token", () => "/newsletter/confirm?token="],
    ["with nonsense", () => "/newsletter/confirm?token=%00%F0%9F%92%99.1.2"],
    ["with two tokens", (path: string) => path.replace("?", "?token=x&")],
  ])("%s", async (_, spoil) => {
    await join();
    const { status, main } = await dead(spoil(confirmPath(await letter())));
    expect(status).toBe(400);
    expect(main).toContain("This link does not work");
    expect(main).toContain('name="email"');
    expect(await standing()).toBe("pending");
  });

  test("for the other purpose", async () => {
    await join();
    const first = await letter();
    const token = (path: string) => path.split("token=")[1];
    const crossed = `/newsletter/confirm?token=${token(unsubscribePath(first))}`;
    expect((await dead(crossed)).status).toBe(400);
    const back = `/newsletter/unsubscribe?token=${token(confirmPath(first))}`;
    const { status, main } = await dead(back);
    expect(status).toBe(400);
    expect(main).toContain("write to");
    const oneClick = { form: { "List-Unsubscribe": "One-Click" }, origin: null };
    expect((await ada.ask(back, oneClick)).status).toBe(400);
    expect(await standing()).toBe("pending");
  });

  test("or a press from another site's page", async () => {
    await join();
    const path = confirmPath(await letter());
    const origin = "https://evil.example";
    expect((await ada.ask(path, { form: {}, origin })).status).toBe(403);
    expect(await standing()).toBe("pending");
  });
});

describe("unsubscribing", () => {
  test("asks once, and does it; twice is fine", async () => {
    const { unsubscribe } = await subscribed();
    const page = readable(await (await ada.ask(unsubscribe)).text());
    expect(page).toContain('<button type="submit"');
    expect(await standing()).toBe("confirmed");
    for (let n = 0; n < 2; n += 1)
      expect(where(await press(unsubscribe))).toEqual([303, "/newsletter/unsubscribed"]);
    expect(await subscriber(site, email)).toMatchObject({
      status: "unsubscribed",
      generation: 2,
      firstName: "",
      unsubscribedAt: expect.any(Date),
    });
    expect((await ada.ask("/newsletter/unsubscribed")).status).toBe(200);
  });

  test("works with the link of every letter, however old, also after coming back", async () => {
    const { unsubscribe } = await subscribed();
    const welcome = await letter(2);
    expect(unsubscribePath(welcome)).toBe(unsubscribe);
    await press(unsubscribe);
    site.clock.forwardDays(400);
    await join();
    await press(confirmPath(await letter(3)));
    expect(await standing()).toBe("confirmed");
    await press(unsubscribe);
    expect(await standing()).toBe("unsubscribed");
  });

  test("and subscribing again begins anew, with a letter at once", async () => {
    const { unsubscribe } = await subscribed();
    await press(unsubscribe);
    await join();
    expect(await subscriber(site, email)).toMatchObject({
      status: "pending",
      generation: 2,
      firstName: "Ada",
    });
    await press(confirmPath(await letter(3)));
    expect(await standing()).toBe("confirmed");
  });

  test("before confirming keeps the letters away: the link in the letter is dead", async () => {
    await join();
    const first = await letter();
    await press(unsubscribePath(first));
    expect((await dead(confirmPath(first))).status).toBe(410);
    expect(await standing()).toBe("unsubscribed");
  });

  test.each(["", "x", "01a1fd36-4566-735c-9e1a-a0fde67203d5.x"])(
    "with a link that is not ours (%j) says what to do",
    async (token) => {
      const { status, main } = await dead(`/newsletter/unsubscribe?token=${token}`);
      expect(status).toBe(400);
      expect(main).toContain("mailto:");
    },
  );
});

describe("one click in a mail program (RFC 8058)", () => {
  const pair = { "List-Unsubscribe": "One-Click" };
  const foreign: [string, object][] = [
    ["with no origin", { form: pair, origin: null }],
    ["with another origin", { form: pair, origin: "https://mail.example" }],
    ["with the origin of a sandbox", { form: pair, origin: "null" }],
    ["as multipart", { multipart: Object.entries(pair), origin: null }],
  ];
  test.each(foreign)("%s ends the subscription, without a redirect", async (_, asking) => {
    const { unsubscribe } = await subscribed();
    for (let n = 0; n < 2; n += 1) {
      const answer = await site.ask(unsubscribe, asking);
      expect([answer.status, await answer.text()]).toEqual([200, "You are unsubscribed."]);
    }
    expect(await subscriber(site, email)).toMatchObject({ status: "unsubscribed", generation: 2 });
  });

  const refused: [string, object][] = [
    ["no body", { method: "POST" }],
    ["another value", { form: { "List-Unsubscribe": "one-click" } }],
    ["another name", { form: { "list-unsubscribe": "One-Click" } }],
    ["a pair more", { form: { ...pair, x: "y" } }],
    ["the pair twice", { form: [...Object.entries(pair), ...Object.entries(pair)] }],
    ["JSON", { json: pair }],
    ["plain text", { body: "List-Unsubscribe=One-Click" }],
  ];
  test.each(refused)("%s from elsewhere is refused", async (_, asking) => {
    const { unsubscribe } = await subscribed();
    const answer = await site.ask(unsubscribe, { ...asking, origin: null });
    expect(answer.status).toBe(403);
    expect(await standing()).toBe("confirmed");
  });

  test("a large body is refused unread", async () => {
    const { unsubscribe } = await subscribed();
    const form = { "List-Unsubscribe": "One-Click".padEnd(10_000) };
    expect((await site.ask(unsubscribe, { form, origin: null })).status).toBe(413);
    expect(await standing()).toBe("confirmed");
  });

  test.each([
    "/newsletter",
    "/newsletter/confirm",
    "/newsletter/unsubscribe/",
    "/auth/sign-out",
    "/",
  ])("opens no other door: %s", async (path) => {
    await join();
    const query = confirmPath(await letter()).split("?")[1];
    const answer = await site.ask(`${path}?${query}`, { form: pair, origin: null });
    expect(answer.status).toBe(403);
    expect(await standing()).toBe("pending");
  });

  test("every letter says how, in the headers that mail programs read", async () => {
    await subscribed();
    site.clock.forwardDays(2);
    await join();
    expect(letters()).toHaveLength(3);
    const { appUrl } = site.services.config;
    for (const one of letters()) {
      expect(headerOf(one, "List-Unsubscribe")).toBe(`<${appUrl}${unsubscribePath(one)}>`);
      expect(headerOf(one, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
      expect(one.text).toContain(`<${appUrl}${unsubscribePath(one)}>`);
    }
  });
});

describe("an address that is signed up again and again", () => {
  test("gets one letter in ten minutes, and three a day", async () => {
    await join();
    await join();
    expect(letters()).toHaveLength(1);
    minutes(9);
    await join();
    expect(letters()).toHaveLength(1);
    for (let n = 0; n < 5; n += 1) {
      minutes(10);
      await join();
    }
    expect(letters()).toHaveLength(3);
    site.clock.forwardDays(1);
    await join();
    expect(letters()).toHaveLength(4);
    // Any of them confirms.
    await press(confirmPath(await letter(4)));
    expect(await standing()).toBe("confirmed");
  });

  test("is greeted by the words of the letter that is confirmed, whoever typed others since", async () => {
    await join();
    const hers = await letter();
    // No letter goes out for it.
    await join("Mallory");
    expect(await subscriber(site, email)).toMatchObject({ firstName: "Ada", generation: 1 });
    minutes(10);
    await join("Mallory");
    const newest = await letter(2);
    expect(await dead(confirmPath(hers))).toMatchObject({
      status: 410,
      main: expect.stringContaining("another email"),
    });
    await press(confirmPath(newest));
    await settled(site);
    expect((await letter(3)).text).toContain("Hello Mallory,");
    expect((await dead(confirmPath(hers))).main).toContain("another email");
  });

  test("is told once a day that it is on the list already", async () => {
    await subscribed();
    await join("Mallory");
    await join();
    minutes(60);
    await join();
    expect(letters()).toHaveLength(3);
    const told = await letter(3);
    expect(told.subject).toBe("You are on the list already");
    expect(told.text).toContain("Hello Ada,");
    expect(await standing()).toBe("confirmed");
    site.clock.forwardDays(1);
    await join();
    expect(letters()).toHaveLength(4);
  });

  test("after 'leave this address alone' gets its letter later, not at once", async () => {
    await join();
    await press(unsubscribePath(await letter()));
    await join();
    await join();
    expect(letters()).toHaveLength(1);
    minutes(10);
    await settled(site);
    expect(letters()).toHaveLength(2);
    await press(confirmPath(await letter(2)));
    expect(await standing()).toBe("confirmed");
  });

  test("and unsubscribed once more while its letter waits gets none", async () => {
    await join();
    const link = unsubscribePath(await letter());
    await press(link);
    await join();
    await press(link);
    minutes(10);
    await settled(site);
    expect(letters()).toHaveLength(1);
  });

  test("and never confirmed is forgotten after a month, unlike who has said yes or no", async () => {
    await subscribed();
    const confirmed = email;
    email = newAddress();
    await press((await subscribed()).unsubscribe);
    const gone = email;
    email = newAddress();
    await join();
    const { id = "" } = (await subscriber(site, email)) ?? {};
    const link = unsubscribePath(await letter());
    site.clock.forwardDays(31);
    await deleteOldSignups.run(site.services);
    expect(await subscriber(site, email)).toBeUndefined();
    const rows = site.services.db.read.selectFrom("outbox").selectAll();
    expect(await rows.where("kind", "like", "newsletter.%").execute()).toEqual([]);
    expect(id).not.toBe("");
    expect(await subscriber(site, confirmed)).toMatchObject({ status: "confirmed" });
    expect(await subscriber(site, gone)).toMatchObject({ status: "unsubscribed" });
    // Its letter's link still does what it says: there is nothing left to end.
    expect(where(await press(link))).toEqual([303, "/newsletter/unsubscribed"]);
  });
});

describe("an address that was forgotten or left, and comes back", () => {
  test("leaves the list with any letter it ever got", async () => {
    await join();
    const early = unsubscribePath(await letter());
    site.clock.forwardDays(31);
    await deleteOldSignups.run(site.services);
    expect(await subscriber(site, email)).toBeUndefined();
    await join();
    await press(confirmPath(await letter(2)));
    expect(await standing()).toBe("confirmed");
    expect(where(await press(early))).toEqual([303, "/newsletter/unsubscribed"]);
    expect(await standing()).toBe("unsubscribed");
  });

  test("stays remembered as gone when somebody else signs it up, and it does not confirm", async () => {
    await press((await subscribed()).unsubscribe);
    site.clock.forwardDays(2);
    await join("Stranger");
    expect(await standing()).toBe("pending");
    const confirm = confirmPath(await letter(3));
    site.clock.forwardDays(31);
    await deleteOldSignups.run(site.services);
    expect(await subscriber(site, email)).toMatchObject({
      status: "unsubscribed",
      firstName: "",
    });
    await press(confirm);
    expect(await standing()).toBe("unsubscribed");
  });
});

describe("a name", () => {
  const heads = () => letters().map(({ source }) => source.split(/\r?\n\r?\n/)[0] ?? "");

  test.each([
    'Eve, "boss" <boss@example.org>',
    "Eve, boss@example.org",
    'Eve", "x',
    "Eve; all: x",
    "=?utf-8?q?Bcc=3A?=",
    "Zoë, 'Å'",
  ])("%s adds no receiver and no header to the letter", async (firstName) => {
    await join(firstName);
    const [head = ""] = heads();
    const to = head.replaceAll(/\r?\n[ \t]+/g, " ").match(/^To: .*$/gm) ?? [];
    expect(to).toHaveLength(1);
    expect(to[0]).toMatch(new RegExp(`(^To: |<)${email}>?$`));
    expect(head).not.toMatch(/^b?cc:/im);
    expect(head.match(/^reply-to:.*$/gim)).toEqual([`Reply-To: ${content.email}`]);
    expect(to[0]).not.toContain("boss@example.org");
  });

  test("is text in the letter, and an advertisement for a name is not repeated", async () => {
    await join("Buy at https://spam.example");
    const first = await letter();
    expect(first.source).not.toContain("spam.example");
    expect(first.text).toContain("Hello,");
  });
});
