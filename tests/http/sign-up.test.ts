import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { mainOf, readable, toastOf } from "../support/answers.ts";
import { lettersTo, letterTo, pathOf } from "../support/mailbox.ts";
import { startSite, type TestSite } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

let site: TestSite;
let ada: Visitor;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());
beforeEach(() => {
  ada = visitor(site);
});

const signUp = (email: string, { who = ada, query = "", ...more }: Options = {}) =>
  who.ask(`/auth?mode=sign-up${query}`, {
    form: { name: "Ada", email, password: goodPassword, ...more.fields },
  });
type Options = { who?: Visitor; query?: string; fields?: Record<string, string> };
const signIn = (email: string, password = goodPassword, who = ada) =>
  who.ask("/auth", { form: { email, password } });
const profile = (email: string) =>
  site.services.db.read
    .selectFrom("profiles")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirst();
const letter = (email: string, count = 1) => letterTo(site.services.config, email, count);

describe("signing up", () => {
  test("by form, letter and a press, leads to where one wanted to go", async () => {
    const email = newAddress();
    const made = await signUp(email, { query: "&redirect=/courses/calm?from=letter" });
    expect(made.status).toBe(200);
    const page = readable(await made.text());
    expect(page).toContain("Account created!");
    expect(page).toContain("Please check your email to verify your account.");
    expect(page).toContain(`We sent a link to ${email}.`);
    expect(page).toContain("Open it and press the button there, and your account is ready.");
    expect([...ada.cookies.keys()]).toEqual(["blue-dot.maker"]);

    const mail = await letter(email);
    expect(mail.subject).toBe("Please confirm your email address");
    expect(mail.source).toContain("Please confirm your address, and you can begin.");
    expect(mail.link.startsWith(`${site.services.config.appUrl}/auth/verify?`)).toBe(true);

    const opened = await ada.ask(pathOf(mail));
    expect(opened.status).toBe(200);
    expect(await profile(email)).toMatchObject({ emailVerified: false, role: "student" });

    const confirmed = await ada.ask(pathOf(mail), { form: {} });
    expect(confirmed.status).toBe(303);
    expect(confirmed.headers.get("location")).toBe("/courses/calm?from=letter");
    expect(toastOf(confirmed)?.title).toBe("Email address confirmed");
    const cookie = confirmed.headers
      .getSetCookie()
      .find((line) => line.startsWith("blue-dot.session_token="));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).toMatch(/Path=\//i);
    expect((await ada.ask("/my-courses")).status).toBe(200);
    expect(await profile(email)).toMatchObject({ emailVerified: true });
  });

  test("the letter's link a second time says confirmed, and signs nobody in", async () => {
    const email = newAddress();
    await signUp(email);
    const mail = await letter(email);
    await ada.ask(pathOf(mail), { form: {} });
    const thief = visitor(site);
    const again = await thief.ask(pathOf(mail), { form: {} });
    expect(again.headers.get("location")).toBe("/auth?redirect=/my-courses");
    expect(thief.cookies.has("blue-dot.session_token")).toBe(false);
  });

  test.each(["", "x", "eyJhbGciOiJIUzI1NiJ9.e30.x"])(
    "a wrong token (%j) confirms nobody",
    async (token) => {
      const response = await ada.ask(`/auth/verify?token=${token}&redirect=/courses`, { form: {} });
      expect(response.status).toBe(400);
      const page = readable(await response.text());
      expect(page).toMatch(/<h1[^>]*>This link no longer works<\/h1>/);
      expect(mainOf(page).match(/This link no longer works/g)).toHaveLength(1);
      expect(page).toContain('href="/auth?redirect=/courses"');
      expect(page).not.toContain("your account is ready");
      expect(page).not.toContain('data-tone="destructive"');
      expect(ada.cookies.has("blue-dot.session_token")).toBe(false);
    },
  );

  test("a good link that is pressed too often is not called dead", async () => {
    const email = newAddress();
    await signUp(email);
    const link = pathOf(await letter(email));
    for (let n = 0; n < 30; n += 1) await ada.ask("/auth/verify?token=x", { form: {} });
    const response = await ada.ask(link, { form: {} });
    expect(response.status).toBe(400);
    const page = readable(await response.text());
    expect(page).toContain("That was a lot of tries in a short time");
    expect(page).toContain("One press, and your account is ready.");
    expect(page).not.toContain("This link no longer works");
  });

  test("an address that has an account gets the same answer, and its owner a letter", async () => {
    const { email, id } = await createAccount(site.services);
    const fresh = newAddress();
    const plain = async (response: Response, address: string) =>
      readable(await response.text()).replaceAll(address, "ADDRESS");
    const answers = [await signUp(fresh), await signUp(email, { who: visitor(site) })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = answers as [Response, Response];
    expect(await plain(other, email)).toBe(await plain(one, fresh));
    const mail = await letter(email);
    expect(mail.subject).toBe("You already have an account");
    expect(await profile(email)).toMatchObject({ id, name: "Ada" });
  });

  test("an address that a stranger registered comes alive only by its owner's new password", async () => {
    const email = newAddress();
    await signUp(email, { fields: { password: "Strangers-1" } });
    await letter(email);
    await signUp(email, { who: visitor(site) });
    const mail = await letter(email, 2);
    expect(mail.link).toMatch(/\/auth\/forgot$/);
  });

  test("capital letters in an address make no second account", async () => {
    const { email } = await createAccount(site.services);
    await signUp(email.toUpperCase());
    expect((await letter(email)).subject).toBe("You already have an account");
  });

  test("twice at once makes one account", async () => {
    const email = newAddress();
    const both = await Promise.all([signUp(email), signUp(email, { who: visitor(site) })]);
    for (const { status } of both) expect(status).toBeLessThan(500);
    const rows = await site.services.db.read
      .selectFrom("profiles")
      .select("id")
      .where("email", "=", email)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("no field makes an administrator or confirms an address", async () => {
    const email = newAddress();
    await signUp(email, { fields: { role: "admin", emailVerified: "true" } });
    expect(await profile(email)).toMatchObject({ role: "student", emailVerified: false });
    const direct = newAddress();
    await ada.ask("/api/auth/sign-up/email", {
      json: {
        name: "Eve",
        email: direct,
        password: goodPassword,
        role: "admin",
        emailVerified: true,
      },
    });
    expect(await profile(direct)).not.toMatchObject({ role: "admin" });
    expect(await profile(direct)).not.toMatchObject({ emailVerified: true });
  });

  test.each([
    ['Eve, boss@example.org\r\nBcc: all@example.org <b>"x"', false],
    ['Eve, "boss"; all: x', true],
  ])(
    "the name %j cannot add a receiver, a header or markup to the letter",
    async (name, isTold) => {
      const email = newAddress();
      await signUp(email, { fields: { name } });
      const mail = await letter(email);
      expect(mail.to).toMatch(isTold ? new RegExp(`^".+" <${email}>$`) : new RegExp(`^${email}$`));
      const [head = ""] = mail.source.split(/\r?\n\r?\n/);
      expect(head).not.toMatch(/^Bcc:/im);
      const html = mail.source.slice(mail.source.search(/content-type: text\/html/i));
      expect(html.includes("<b>")).toBe(false);
      expect(lettersTo(site.services.config, "all@example.org")).toEqual([]);
    },
  );
});

describe("an address that is not confirmed", () => {
  test("cannot sign in, reads what to do, and gets the email again", async () => {
    const email = newAddress();
    await signUp(email);
    await letter(email);
    const refused = await ada.ask("/auth?redirect=/courses", {
      form: { email, password: goodPassword },
    });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(readable(page)).toContain("Sign in failed");
    expect(readable(page)).toContain(
      "Invalid email or password, or the email has not been confirmed yet.",
    );
    expect(readable(page)).toContain("Have you just signed up?");
    expect(page).toContain('name="intent" value="resend"');
    expect(ada.cookies.has("blue-dot.session_token")).toBe(false);

    // The right password has sent the link once more, to where the sign-in was to lead.
    const confirmed = await ada.ask(pathOf(await letter(email, 2)), { form: {} });
    expect(confirmed.headers.get("location")).toBe("/courses");
  });

  test("can have the email again by a press", async () => {
    const email = newAddress();
    await signUp(email);
    await letter(email);
    const again = await ada.ask("/auth?redirect=/courses", { form: { intent: "resend", email } });
    expect(readable(await again.text())).toContain("It has been sent again.");
    const confirmed = await ada.ask(pathOf(await letter(email, 2)), { form: {} });
    expect(confirmed.headers.get("location")).toBe("/courses");
  });

  test("gets no email from a wrong password, and no more than five an hour from the right one", async () => {
    const email = newAddress();
    await signUp(email);
    const sent = async () => {
      const profileId = (await profile(email))?.id ?? "";
      const rows = site.services.db.read.selectFrom("outbox").select("id");
      return (await rows.where("userId", "=", profileId).execute()).length;
    };
    await signIn(email, "Wrong-horse-9");
    expect(await sent()).toBe(1);
    for (let n = 0; n < 6; n += 1) await signIn(email, goodPassword, visitor(site));
    expect(await sent()).toBe(5);
  });

  test("sending again tells nobody whether there is an account", async () => {
    const nobody = newAddress();
    const answer = await ada.ask("/auth", { form: { intent: "resend", email: nobody } });
    expect(answer.status).toBe(200);
    expect(readable(await answer.text())).toContain("It has been sent again.");
    expect(lettersTo(site.services.config, nobody)).toEqual([]);
  });
});

const long = (length: number) => "a".repeat(length);
const bounds = { name: "Ada", email: "ada@example.com", password: goodPassword };

describe("validation", () => {
  test.each([
    ["all empty", { name: "", email: "", password: "" }, "Name is required"],
    ["blank name", { name: "  " }, "Name is required"],
    ["long name", { name: long(101) }, "Name must be less than 100 characters"],
    ["no address", { email: "" }, "Invalid email format"],
    ["bad address", { email: "ada@", password: "x" }, "Invalid email format"],
    [
      "long address",
      { email: `${long(250)}@example.com` },
      "Email must be less than 255 characters",
    ],
    ["short password", { password: "Abc1" }, "Password must be at least 8 characters"],
    ["long password", { password: `A1${long(99)}` }, "Password must be less than 100 characters"],
    ["no capital", { password: "abcdefg1" }, "Password must include at least one uppercase letter"],
    [
      "no small letter",
      { password: "ABCDEFG1" },
      "Password must include at least one lowercase letter",
    ],
    ["no digit", { password: "Abcdefgh" }, "Password must include at least one number"],
  ])("%s: only the first message, as a toast", async (_, fields, message) => {
    const response = await ada.ask("/auth?mode=sign-up", { form: { ...bounds, ...fields } });
    expect(response.status).toBe(400);
    const page = readable(await response.text());
    expect(page).toContain("Validation Error");
    expect(page).toMatch(new RegExp(`data-tone="destructive"[\\s\\S]*${message}`));
    const all = Object.values(messages).filter((one) => page.includes(one));
    expect(all).toEqual([message]);
    // The same words from the address that scripts use.
    const direct = await visitor(site).ask("/api/auth/sign-up/email", {
      json: { ...bounds, ...fields },
    });
    expect(direct.status).toBe(400);
  });

  test("what was typed stands in the form again, the password does not", async () => {
    const form = { name: "Ada <3", email: "ada@", password: "Secret-9-word" };
    const page = await (await ada.ask("/auth?mode=sign-up", { form })).text();
    expect(page).toContain('value="Ada &lt;3"');
    expect(page).toContain('value="ada@"');
    expect(page).not.toContain("Secret-9-word");
  });

  test("signing in checks the same fields", async () => {
    const response = await signIn("ada@example.com", "short");
    expect(response.status).toBe(400);
    expect(readable(await response.text())).toContain("Password must be at least 8 characters");
  });
});

const messages = [
  "Name is required",
  "Name must be less than 100 characters",
  "Invalid email format",
  "Email must be less than 255 characters",
  "Password must be at least 8 characters",
  "Password must be less than 100 characters",
  "Password must include at least one uppercase letter",
  "Password must include at least one lowercase letter",
  "Password must include at least one number",
];
