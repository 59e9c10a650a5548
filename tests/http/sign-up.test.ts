import { describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { emailsTo, emailTo, pathOf } from "../support/mailbox.ts";
import { ownRows, profilesWith } from "../support/own-rows.ts";
import { visitorOfTest } from "../support/people-of-tests.ts";
import { mainOf, readable, toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

const site = siteOfFile();
const ada = visitorOfTest(site);

const signUp = (email: string, { who = ada, query = "", ...more }: Options = {}) =>
  who.ask(`/auth?mode=sign-up${query}`, {
    form: { name: "Ada", email, password: goodPassword, ...more.fields },
  });
type Options = { who?: Visitor; query?: string; fields?: Record<string, string> };
const signIn = (email: string, password = goodPassword, who = ada) =>
  who.ask("/auth", { form: { email, password } });
const profile = async (email: string) => (await profilesWith(site.services, email))[0];
const message = (email: string, count = 1) => emailTo(site.services.config, email, count);

describe("sign-up", () => {
  test("by form, email and confirmation leads to its destination", async () => {
    const email = newAddress();
    const made = await signUp(email, { query: "&redirect=/courses/calm?from=letter" });
    expect(made.status).toBe(200);
    const page = readable(await made.text());
    expect(page).toContain("Account created!");
    expect(page).toContain("Please check your email to verify your account.");
    expect(page).toContain(`We sent a link to ${email}.`);
    expect(page).toContain("Open it and press the button there, and your account is ready.");
    expect([...ada.cookies.keys()]).toEqual(["blue-dot.maker"]);

    const mail = await message(email);
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

  test("with a used link says confirmed, and signs nobody in", async () => {
    const email = newAddress();
    await signUp(email);
    const mail = await message(email);
    await ada.ask(pathOf(mail), { form: {} });
    const thief = visitor(site);
    const again = await thief.ask(pathOf(mail), { form: {} });
    expect(again.headers.get("location")).toBe("/auth?redirect=/my-courses");
    expect(thief.cookies.has("blue-dot.session_token")).toBe(false);
  });

  test.each(["", "x", "eyJhbGciOiJIUzI1NiJ9.e30.x"])(
    "with a wrong token (%j) confirms nobody",
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

  test("does not call a good link expired after too many attempts", async () => {
    const email = newAddress();
    await signUp(email);
    const link = pathOf(await message(email));
    for (let n = 0; n < 30; n += 1) await ada.ask("/auth/verify?token=x", { form: {} });
    const response = await ada.ask(link, { form: {} });
    expect(response.status).toBe(400);
    const page = readable(await response.text());
    expect(page).toContain("That was a lot of tries in a short time");
    expect(page).toContain("One press, and your account is ready.");
    expect(page).not.toContain("This link no longer works");
  });

  // That the answer is the same: security/account-enumeration.test.ts.
  test("with a registered address sends its owner an email", async () => {
    const { email, id } = await createAccount(site.services);
    await signUp(email);
    expect((await message(email)).subject).toBe("You already have an account");
    expect(await profile(email)).toMatchObject({ id, name: "Ada" });
  });

  test("with an address that a stranger registered leads its owner to a new password", async () => {
    const email = newAddress();
    await signUp(email, { fields: { password: "Strangers-1" } });
    await message(email);
    await signUp(email, { who: visitor(site) });
    const mail = await message(email, 2);
    expect(mail.link).toMatch(/\/auth\/forgot$/);
  });

  test("with capital letters in an address makes no second account", async () => {
    const { email } = await createAccount(site.services);
    await signUp(email.toUpperCase());
    expect((await message(email)).subject).toBe("You already have an account");
  });

  test("twice at once makes one account", async () => {
    const email = newAddress();
    const both = await Promise.all([signUp(email), signUp(email, { who: visitor(site) })]);
    for (const { status } of both) expect(status).toBeLessThan(500);
    expect(await profilesWith(site.services, email)).toHaveLength(1);
  });

  test.each([
    ['Eve, boss@example.org\r\nBcc: all@example.org <b>"x"', false],
    ['Eve, "boss"; all: x', true],
  ])("the name %j cannot add a receiver, a header or markup to the email", async (name, isTold) => {
    const email = newAddress();
    await signUp(email, { fields: { name } });
    const mail = await message(email);
    expect(mail.to).toMatch(isTold ? new RegExp(`^".+" <${email}>$`) : new RegExp(`^${email}$`));
    const [head = ""] = mail.source.split(/\r?\n\r?\n/);
    expect(head).not.toMatch(/^Bcc:/im);
    const html = mail.source.slice(mail.source.search(/content-type: text\/html/i));
    expect(html.includes("<b>")).toBe(false);
    expect(emailsTo(site.services.config, "all@example.org")).toEqual([]);
  });
});

describe("an unconfirmed address", () => {
  test("cannot sign in, reads what to do, and gets the email again", async () => {
    const email = newAddress();
    await signUp(email);
    await message(email);
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
    const confirmed = await ada.ask(pathOf(await message(email, 2)), { form: {} });
    expect(confirmed.headers.get("location")).toBe("/courses");
  });

  test("can have the email again by a press", async () => {
    const email = newAddress();
    await signUp(email);
    await message(email);
    const again = await ada.ask("/auth?redirect=/courses", { form: { intent: "resend", email } });
    expect(readable(await again.text())).toContain("It has been sent again.");
    const confirmed = await ada.ask(pathOf(await message(email, 2)), { form: {} });
    expect(confirmed.headers.get("location")).toBe("/courses");
  });

  test("gets no email from a wrong password, and no more than five an hour from the right one", async () => {
    const email = newAddress();
    await signUp(email);
    const { id = "" } = (await profile(email)) ?? {};
    const sent = async () => (await ownRows(site.services, "outbox", id)).length;
    await signIn(email, "Wrong-horse-9");
    expect(await sent()).toBe(1);
    for (let n = 0; n < 6; n += 1) await signIn(email, goodPassword, visitor(site));
    expect(await sent()).toBe(5);
  });

  test("of no account gets the same answer when the email is sent again", async () => {
    const nobody = newAddress();
    const answer = await ada.ask("/auth", { form: { intent: "resend", email: nobody } });
    expect(answer.status).toBe(200);
    expect(readable(await answer.text())).toContain("It has been sent again.");
    expect(emailsTo(site.services.config, nobody)).toEqual([]);
  });
});

describe("sign-up fields", () => {
  // Each rule and its message: app/features/auth/rules.test.ts.
  test.each([
    [{ name: "", email: "", password: "" }, "Name is required"],
    [{ email: "ada@", password: "x" }, "Invalid email format"],
    [{ password: "abcdefg1" }, "Password must include at least one uppercase letter"],
  ])("%j: only the first message, as a toast", async (fields, message) => {
    const form = { name: "Ada", email: "ada@example.com", ...fields };
    const response = await ada.ask("/auth?mode=sign-up", { form });
    expect(response.status).toBe(400);
    const page = readable(await response.text());
    expect(page).toContain("Validation Error");
    expect(page.match(/data-tone="destructive"/g)).toHaveLength(1);
    expect(page).toMatch(new RegExp(`data-tone="destructive"[\\s\\S]*${message}`));
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
    // The same words from the address that scripts use.
    const direct = await visitor(site).ask("/api/auth/sign-up/email", { json: form });
    expect([direct.status, await direct.json()]).toMatchObject([400, { message }]);
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
