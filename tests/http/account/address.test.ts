import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createVerifiedUser } from "~/features/auth/users.server.ts";
import { type Holder, holder, isIn, pageFor, rowOf, signedIn } from "../../support/account.ts";
import { goodPassword, newAddress } from "../../support/accounts.ts";
import { mainOf, readable, toastOf } from "../../support/answers.ts";
import { lettersTo, letterTo } from "../../support/mailbox.ts";
import { patient } from "../../support/patient.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

let site: TestSite;
let ada: Holder;
let wanted: string;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());
beforeEach(async () => {
  ada = await holder(site);
  wanted = newAddress();
});

const wish = (email = wanted, password = goodPassword) =>
  ada.ask("/account/email", { form: { email, password } });
const emailNow = async () => (await rowOf(site.services, ada.id))?.email;
const wishes = () =>
  site.services.db.write
    .selectFrom("emailChanges")
    .selectAll()
    .where("userId", "=", ada.id)
    .execute();
const pages = async () => ({
  old: await pageFor(site, ada.email),
  new: await pageFor(site, wanted),
});
/** Presses on the page of that letter: the new mailbox's in her account, where it alone counts. */
const pressAs = (page: Awaited<ReturnType<typeof pageFor>>, side: "old" | "new") =>
  side === "new" ? page.press(ada.ask) : page.press();
const words = async (response: Response) => mainOf(readable(await response.text()));

describe("another address", () => {
  test.each([
    ["old", "new"],
    ["new", "old"],
  ] as const)("changes once both letters are confirmed: the %s one first", async (one, other) => {
    const phone = await ada.device();
    const asked = await wish(` ${wanted.toUpperCase()} `);
    expect([asked.status, asked.headers.get("location")]).toEqual([303, "/account/email"]);
    const letters = await pages();
    const before = await words(await ada.ask("/account/email"));
    expect(before.match(/Waits for you/g)).toHaveLength(2);
    expect(before).toContain(wanted);

    // A program that opens every link of a letter changes nothing.
    expect((await letters[one].look()).status).toBe(200);
    expect((await letters[other].look()).headers.get("cache-control")).toBe("private, no-store");
    expect(await words(await ada.ask("/account/email"))).toBe(before);

    const first = await pressAs(letters[one], one);
    expect(await words(first)).toContain("One email is left");
    // Once more is no other letter.
    expect(await words(await pressAs(letters[one], one))).toContain("One email is left");
    expect(await emailNow()).toBe(ada.email);
    expect(await isIn(phone)).toBe(true);
    const half = await words(await ada.ask("/account/email"));
    expect([half.match(/Waits for you/g)?.length, half.match(/Confirmed/g)?.length]).toEqual([
      1, 1,
    ]);

    const second = await letters[other].press(ada.ask);
    expect([second.status, second.headers.get("location")]).toEqual([303, "/account"]);
    expect(toastOf(second)?.title).toBe("Email address changed");
    expect(await emailNow()).toBe(wanted);
    expect(await wishes()).toEqual([]);
    expect([await isIn(ada.ask), await isIn(phone)]).toEqual([true, false]);
    const last = await letterTo(site.services.config, ada.email, 2);
    expect(last.subject).toBe("Your email address was changed");
    expect(last.text).toContain(wanted);
    // On record with the account, as the export has it: it went to an address without one.
    const record = site.services.db.read
      .selectFrom("sentEmails")
      .select("subject")
      .where("userId", "=", ada.id)
      .where("kind", "=", "accounts.address-changed");
    await vi.waitFor(async () => expect(await record.execute()).toHaveLength(1), patient);
    for (const page of [letters[one], letters[other]])
      expect(await words(await page.press())).toContain("This link no longer works");
    const isSignedIn = async (email: string) =>
      (await visitor(site).ask("/auth", { form: { email, password: goodPassword } })).status ===
      303;
    expect([await isSignedIn(wanted), await isSignedIn(ada.email)]).toEqual([true, false]);
  });

  test("a stranger's wish for her address is not made good by her press", async () => {
    const grace = await holder(site);
    await wish();
    const letters = await pages();
    await letters.old.press();
    for (const ask of [undefined, grace.ask]) {
      expect(await words(await letters.new.look(ask))).toContain("Is this your account?");
      const answer = await letters.new.press(ask);
      expect([answer.status, await words(answer)]).toEqual([
        400,
        expect.stringContaining("Is this your account?"),
      ]);
    }
    expect(await emailNow()).toBe(ada.email);
    const before = await words(await letters.new.look());
    expect(before).toContain("/auth?redirect=/account/email/confirm%3Ftoken%3D");
    expect((await letters.new.press(ada.ask)).status).toBe(303);
    expect(await emailNow()).toBe(wanted);
  });

  test("the new mailbox is told nothing of whoever asked", async () => {
    await site.services.db.write
      .updateTable("profiles")
      .set({ name: "Buy at www.shop.example" })
      .where("id", "=", ada.id)
      .execute();
    await wish();
    const { source } = await letterTo(site.services.config, wanted);
    const page = await words(await (await pageFor(site, wanted)).look());
    for (const text of [source, page]) {
      expect(text).not.toContain(ada.email);
      expect(text).not.toContain("shop.example");
    }
    const old = await letterTo(site.services.config, ada.email);
    expect(old.source).not.toContain("shop.example");
    expect(old.text).toContain("Hello,");
  });

  test("both at the same moment change it once", async () => {
    await wish();
    const letters = await pages();
    const answers = await Promise.all([
      letters.old.press(),
      letters.new.press(ada.ask),
      letters.old.press(),
      letters.new.press(ada.ask),
    ]);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await emailNow()).toBe(wanted);
    await letterTo(site.services.config, ada.email, 2);
    const rows = await site.services.db.write
      .selectFrom("outbox")
      .select("id")
      .where("kind", "=", "accounts.address-changed")
      .where("userId", "=", ada.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("an address that has an account gets the same answer, and its owner a letter", async () => {
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
        .replaceAll(/\d\d:\d\d/g, "TIME");
    expect(same(await words(await bob.ask("/account/email")), bob, grace.email)).toBe(
      same(page, ada, wanted),
    );
    const letter = await letterTo(site.services.config, grace.email);
    expect(letter.subject).toBe("This address has an account already");
    expect(letter.source).not.toContain(bob.email);
    expect(letter.text).not.toContain("/account/email/confirm");
  });

  test("taken in the meantime: it stays as it is, and says so to whoever has shown that it is hers", async () => {
    await wish();
    const letters = await pages();
    await letters.old.press();
    const id = await createVerifiedUser(site.services, {
      name: "Grace",
      email: wanted,
      password: goodPassword,
      role: "student",
    });
    const answer = await letters.new.press(ada.ask);
    expect(answer.status).toBe(409);
    expect(await words(answer)).toContain("This address has an account");
    expect([await emailNow(), (await rowOf(site.services, id))?.email]).toEqual([
      ada.email,
      wanted,
    ]);
    expect(await wishes()).toEqual([]);
    expect(lettersTo(site.services.config, ada.email)).toHaveLength(1);
  });

  test("after a day both links are dead", async () => {
    await wish();
    const letters = await pages();
    await letters.new.press(ada.ask);
    site.clock.forward(24 * 3600_000 + 1000);
    for (const page of [letters.old, letters.new]) {
      expect((await page.look()).status).toBe(400);
      const answer = await page.press();
      expect([answer.status, await emailNow()]).toEqual([400, ada.email]);
      expect(await words(answer)).toContain("This link no longer works");
    }
    expect(await words(await ada.ask("/account/email"))).toContain("New email address");
  });

  test("whoever keeps hers, or asks anew, makes the links before useless", async () => {
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

describe("what is typed", () => {
  test.each([
    ["nowhere", goodPassword, "Invalid email format", true],
    ["", goodPassword, "Invalid email format", true],
    ["free@example.com", "Wrong-horse-9", "That is not your password.", false],
    ["free@example.com", "", "Enter your password.", false],
  ])("'%s' with '%s': %s", async (email, password, message, isEmail) => {
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

  test("her own address is no other one", async () => {
    const answer = await wish(ada.email.toUpperCase());
    expect(await words(answer)).toContain("That is your address already.");
  });

  test("not more than five times a day", async () => {
    for (let n = 0; n < 5; n += 1) expect((await wish()).status).toBe(303);
    const sixth = await wish();
    expect([sixth.status, await words(sixth)]).toEqual([
      400,
      expect.stringContaining("several times today"),
    ]);
    site.clock.forwardDays(1);
    expect((await wish()).status).toBe(303);
  });

  test("somebody without a password must have signed in just now", async () => {
    await site.services.db.write.deleteFrom("accounts").where("userId", "=", ada.id).execute();
    expect((await wish(wanted, "")).status).toBe(303);
    await site.services.db.write
      .updateTable("sessions")
      .set({ createdAt: new Date(Date.now() - 3600_000) })
      .where("userId", "=", ada.id)
      .execute();
    const answer = await wish(newAddress(), "");
    expect([answer.status, await words(answer)]).toEqual([
      400,
      expect.stringContaining("sign out and in again first"),
    ]);
    expect(
      (await (await signedIn(site, ada.id))("/account/email", { form: { email: wanted } })).status,
    ).toBe(303);
  });
});
