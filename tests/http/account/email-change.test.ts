import { beforeEach, describe, expect, test, vi } from "vitest";
import { createVerifiedUser } from "~/features/auth/users.server.ts";
import { type Holder, holder, isIn, newDevice, pageFor } from "../../support/account.ts";
import { goodPassword, newAddress } from "../../support/accounts.ts";
import { emailsTo, emailTo } from "../../support/mailbox.ts";
import { changeOwn, deleteOwn, ownRows, profileOf } from "../../support/own-rows.ts";
import { patient } from "../../support/patient.ts";
import { mainOf, readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

const site = siteOfFile();
let ada: Holder;
let wanted: string;

beforeEach(async () => {
  ada = await holder(site);
  wanted = newAddress();
});

const wish = (email = wanted, password = goodPassword) =>
  ada.ask("/account/email", { form: { email, password } });
const emailNow = async () => (await profileOf(site.services, ada.id))?.email;
const wishes = () => ownRows(site.services, "emailChanges", ada.id);
const pages = async () => ({
  old: await pageFor(site, ada.email),
  new: await pageFor(site, wanted),
});
/** Confirms on the page of that email: the new address in the account, where alone it counts. */
const pressAs = (page: Awaited<ReturnType<typeof pageFor>>, side: "old" | "new") =>
  side === "new" ? page.press(ada.ask) : page.press();
const words = async (response: Response) => mainOf(readable(await response.text()));

describe("an email change", () => {
  test.each([
    ["old", "new"],
    ["new", "old"],
  ] as const)("is made once both emails are confirmed: the %s one first", async (one, other) => {
    const phone = await ada.device();
    const asked = await wish(` ${wanted.toUpperCase()} `);
    expect([asked.status, asked.headers.get("location")]).toEqual([303, "/account/email"]);
    const messages = await pages();
    const before = await words(await ada.ask("/account/email"));
    expect(before.match(/Waits for you/g)).toHaveLength(2);
    expect(before).toContain(wanted);

    // A program that opens every link of an email changes nothing.
    expect((await messages[one].look()).status).toBe(200);
    expect((await messages[other].look()).headers.get("cache-control")).toBe("private, no-store");
    expect(await words(await ada.ask("/account/email"))).toBe(before);

    const first = await pressAs(messages[one], one);
    expect(await words(first)).toContain("One email is left");
    // Pressing the same link again does not confirm the other one.
    expect(await words(await pressAs(messages[one], one))).toContain("One email is left");
    expect(await emailNow()).toBe(ada.email);
    expect(await isIn(phone)).toBe(true);
    const half = await words(await ada.ask("/account/email"));
    expect([half.match(/Waits for you/g)?.length, half.match(/Confirmed/g)?.length]).toEqual([
      1, 1,
    ]);

    const second = await messages[other].press(ada.ask);
    expect([second.status, second.headers.get("location")]).toEqual([303, "/account"]);
    expect(toastOf(second)?.title).toBe("Email address changed");
    expect(await emailNow()).toBe(wanted);
    expect(await wishes()).toEqual([]);
    expect([await isIn(ada.ask), await isIn(phone)]).toEqual([true, false]);
    const last = await emailTo(site.services.config, ada.email, 2);
    expect(last.subject).toBe("Your email address was changed");
    expect(last.text).toContain(wanted);
    // On record with the account, as the export has it: it went to an address without one.
    const recorded = async () => {
      const rows = await ownRows(site.services, "sentEmails", ada.id);
      return rows.filter(({ kind }) => kind === "accounts.address-changed");
    };
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(1), patient);
    for (const page of [messages[one], messages[other]])
      expect(await words(await page.press())).toContain("This link no longer works");
    const isSignedIn = async (email: string) =>
      (await visitor(site).ask("/auth", { form: { email, password: goodPassword } })).status ===
      303;
    expect([await isSignedIn(wanted), await isSignedIn(ada.email)]).toEqual([true, false]);
  });

  test("of a stranger is not confirmed by the owner of the new address", async () => {
    const grace = await holder(site);
    await wish();
    const messages = await pages();
    await messages.old.press();
    for (const ask of [undefined, grace.ask]) {
      expect(await words(await messages.new.look(ask))).toContain("Is this your account?");
      const answer = await messages.new.press(ask);
      expect([answer.status, await words(answer)]).toEqual([
        400,
        expect.stringContaining("Is this your account?"),
      ]);
    }
    expect(await emailNow()).toBe(ada.email);
    const before = await words(await messages.new.look());
    expect(before).toContain("/auth?redirect=/account/email/confirm%3Ftoken%3D");
    expect((await messages.new.press(ada.ask)).status).toBe(303);
    expect(await emailNow()).toBe(wanted);
  });

  test("tells the new mailbox nothing about the account", async () => {
    await changeOwn(site.services, "profiles", ada.id, { name: "Buy at www.shop.example" });
    await wish();
    const { source } = await emailTo(site.services.config, wanted);
    const page = await words(await (await pageFor(site, wanted)).look());
    for (const text of [source, page]) {
      expect(text).not.toContain(ada.email);
      expect(text).not.toContain("shop.example");
    }
    const old = await emailTo(site.services.config, ada.email);
    expect(old.source).not.toContain("shop.example");
    expect(old.text).toContain("Hello,");
  });

  test("confirmed twice at the same moment is made once", async () => {
    await wish();
    const messages = await pages();
    const answers = await Promise.all([
      messages.old.press(),
      messages.new.press(ada.ask),
      messages.old.press(),
      messages.new.press(ada.ask),
    ]);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await emailNow()).toBe(wanted);
    await emailTo(site.services.config, ada.email, 2);
    const emails = await ownRows(site.services, "outbox", ada.id);
    expect(emails.filter(({ kind }) => kind === "accounts.address-changed")).toHaveLength(1);
  });

  test("to a registered address gets the same answer, and sends its owner an email", async () => {
    const grace = await holder(site);
    const free = await wish();
    const page = await words(await ada.ask("/account/email"));
    const bob = await holder(site);
    const taken = await bob.ask("/account/email", {
      form: { email: grace.email, password: goodPassword },
    });
    expect([taken.status, taken.headers.get("location")]).toEqual([
      free.status,
      free.headers.get("location"),
    ]);
    const same = (text: string, of: Holder, to: string) =>
      text
        .replaceAll(of.email, "OLD")
        .replaceAll(to, "NEW")
        .replaceAll(/\d+:\d\d [AP]M/g, "TIME");
    expect(same(await words(await bob.ask("/account/email")), bob, grace.email)).toBe(
      same(page, ada, wanted),
    );
    const message = await emailTo(site.services.config, grace.email);
    expect(message.subject).toBe("This address has an account already");
    expect(message.source).not.toContain(bob.email);
    expect(message.text).not.toContain("/account/email/confirm");
  });

  test("to an address that was taken meanwhile says so to its owner, and changes nothing", async () => {
    await wish();
    const messages = await pages();
    await messages.old.press();
    const id = await createVerifiedUser(site.services, {
      name: "Grace",
      email: wanted,
      password: goodPassword,
      role: "student",
    });
    const answer = await messages.new.press(ada.ask);
    expect(answer.status).toBe(409);
    expect(await words(answer)).toContain("This address has an account");
    expect([await emailNow(), (await profileOf(site.services, id))?.email]).toEqual([
      ada.email,
      wanted,
    ]);
    expect(await wishes()).toEqual([]);
    expect(emailsTo(site.services.config, ada.email)).toHaveLength(1);
  });

  test("expires after a day", async () => {
    await wish();
    const messages = await pages();
    await messages.new.press(ada.ask);
    site.clock.forward(24 * 3600_000 + 1000);
    for (const page of [messages.old, messages.new]) {
      expect((await page.look()).status).toBe(400);
      const answer = await page.press();
      expect([answer.status, await emailNow()]).toEqual([400, ada.email]);
      expect(await words(answer)).toContain("This link no longer works");
    }
    expect(await words(await ada.ask("/account/email"))).toContain("New email address");
  });

  test("that is cancelled or requested again makes older links useless", async () => {
    await wish();
    const first = await pages();
    const kept = await ada.ask("/account/email", { form: { intent: "cancel" } });
    expect(toastOf(kept)?.title).toBe("Your address stays as it is.");
    expect((await first.old.press()).status).toBe(400);
    await wish();
    const second = await pageFor(site, wanted, 2);
    await wish();
    for (const page of [first.new, second]) expect((await page.press(ada.ask)).status).toBe(400);
    await (await pageFor(site, wanted, 3)).press(ada.ask);
    await (await pageFor(site, ada.email, 3)).press();
    expect(await emailNow()).toBe(wanted);
  });
});

describe("POST /account/email", () => {
  test.each([
    ["nowhere", goodPassword, "Invalid email format", true],
    ["", goodPassword, "Invalid email format", true],
    ["free@example.com", "Wrong-horse-9", "That is not your password.", false],
    ["free@example.com", "", "Enter your password.", false],
  ])("refuses '%s' with '%s': %s", async (email, password, message, isEmail) => {
    const answer = await wish(email, password);
    expect(answer.status).toBe(400);
    const page = await words(answer);
    expect(page).toContain(message);
    expect(page).toMatch(
      isEmail ? /name="email"[^>]*aria-invalid|aria-invalid[^>]*name="email"/ : /name="password"/,
    );
    if (email) expect(page).toContain(`value="${email}"`);
    expect(page).not.toContain("Wrong-horse-9");
    expect(await wishes()).toEqual([]);
  });

  test("refuses the current address", async () => {
    const answer = await wish(ada.email.toUpperCase());
    expect(await words(answer)).toContain("That is your address already.");
  });

  test("allows five requests a day", async () => {
    for (let n = 0; n < 5; n += 1) expect((await wish()).status).toBe(303);
    const sixth = await wish();
    expect([sixth.status, await words(sixth)]).toEqual([
      400,
      expect.stringContaining("several times today"),
    ]);
    site.clock.forwardDays(1);
    expect((await wish()).status).toBe(303);
  });

  test("asks a user without a password to sign in again", async () => {
    await deleteOwn(site.services, "accounts", ada.id);
    expect((await wish(wanted, "")).status).toBe(303);
    await changeOwn(site.services, "sessions", ada.id, {
      createdAt: new Date(Date.now() - 3600_000),
    });
    const answer = await wish(newAddress(), "");
    expect([answer.status, await words(answer)]).toEqual([
      400,
      expect.stringContaining("sign out and in again first"),
    ]);
    expect(
      (await (await newDevice(site, ada.id))("/account/email", { form: { email: wanted } })).status,
    ).toBe(303);
  });
});
