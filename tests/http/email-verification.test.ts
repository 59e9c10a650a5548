import { beforeEach, describe, expect, test } from "vitest";
import { callAuth } from "~/platform/auth/call.ts";
import { goodPassword, newAddress } from "../support/accounts.ts";
import { emailTo, pathOf } from "../support/mailbox.ts";
import { readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

const maker = "blue-dot.maker";
const strangersPassword = "A-strangers-pass-9";

const site = siteOfFile();
/** She who reads the mailbox, on a device on which no one has signed up. */
let ada: Visitor;
let eve: Visitor;
let email: string;

beforeEach(() => {
  [ada, eve] = [visitor(site), visitor(site)];
  email = newAddress();
});

const signUp = (who: Visitor, password: string) =>
  who.ask("/auth?mode=sign-up", { form: { name: "Ada", email, password } });
const signIn = (who: Visitor, password: string) => who.ask("/auth", { form: { email, password } });
const link = async (count = 1) => pathOf(await emailTo(site.services.config, email, count));
const isConfirmed = async () => {
  const profiles = site.services.db.read.selectFrom("profiles").select("emailVerified");
  return (await profiles.where("email", "=", email).executeTakeFirstOrThrow()).emailVerified;
};

describe("the email of an account that a stranger made", () => {
  test("does not make his password good when its owner presses the button", async () => {
    await signUp(eve, strangersPassword);
    const page = readable(await (await ada.ask(await link())).text());
    expect(page).toContain("The password that you chose");
    expect(page).toContain('href="/auth/forgot?redirect=/my-courses"');
    const pressed = await ada.ask(await link(), { form: {} });
    expect(pressed.status).toBe(400);
    expect(readable(await pressed.text())).toContain("Please enter the password that you chose");
    expect(await isConfirmed()).toBe(false);
    expect((await signIn(eve, strangersPassword)).status).toBe(400);
  });

  test("nor through the library, no matter who asks", async () => {
    await signUp(eve, strangersPassword);
    const token = new URLSearchParams((await link()).split("?")[1]).get("token") ?? "";
    const { services } = site;
    const caller = { address: "192.0.2.7", cookie: null, userAgent: null };
    const answer = await callAuth(services, caller, `/verify-email?token=${token}`, null);
    expect(answer).toMatchObject({ status: 401, code: "PASSWORD_REQUIRED" });
    expect((await ada.ask(`/api/auth/verify-email?token=${token}`)).status).toBe(404);
    expect(await isConfirmed()).toBe(false);
  });

  test("nor when she has signed up as well, and opens his email", async () => {
    await signUp(eve, strangersPassword);
    await signUp(ada, goodPassword);
    expect((await ada.ask(await link(), { form: {} })).status).toBe(400);
    const own = await ada.ask(await link(), { form: { password: goodPassword } });
    expect(own.status).toBe(400);
    expect(readable(await own.text())).toContain("This is not the password");
    expect(await isConfirmed()).toBe(false);
  });

  test("nor in his own browser, once she has chosen a password", async () => {
    await signUp(eve, strangersPassword);
    await ada.ask("/auth/forgot", { form: { email } });
    await ada.ask(await link(2), { form: { password: goodPassword } });
    expect(await isConfirmed()).toBe(true);
    expect((await signIn(eve, strangersPassword)).status).toBe(400);
    expect((await signIn(ada, goodPassword)).status).toBe(303);
  });
});

describe("her own email", () => {
  test("takes one press in the browser in which she signed up", async () => {
    await signUp(ada, goodPassword);
    const page = readable(await (await ada.ask(await link())).text());
    expect(page).toContain("One press, and your account is ready.");
    expect(page).not.toContain('type="password"');
    expect((await ada.ask(await link(), { form: {} })).status).toBe(303);
    expect(await isConfirmed()).toBe(true);
    expect((await ada.ask("/my-courses")).status).toBe(200);
  });

  test("on her phone takes the password that she chose", async () => {
    await signUp(ada, goodPassword);
    const phone = visitor(site);
    const wrong = await phone.ask(await link(), { form: { password: "Not-this-one-9" } });
    expect(wrong.status).toBe(400);
    const right = await phone.ask(await link(), { form: { password: goodPassword } });
    expect([right.status, right.headers.get("location")]).toEqual([303, "/my-courses"]);
    expect((await phone.ask("/my-courses")).status).toBe(200);
  });

  test("does not count her out when she signs up twice", async () => {
    await signUp(ada, goodPassword);
    await signUp(ada, goodPassword);
    expect((await ada.ask(await link(), { form: {} })).status).toBe(303);
  });

  test("confirms no other account that has the address later", async () => {
    await signUp(ada, goodPassword);
    const old = await link();
    const { db } = site.services;
    await db.write.deleteFrom("profiles").where("email", "=", email).execute();
    await signUp(eve, strangersPassword);
    expect((await eve.ask(old, { form: {} })).status).toBe(400);
    expect(await isConfirmed()).toBe(false);
    expect((await eve.ask(await link(2), { form: {} })).status).toBe(303);
    expect(await isConfirmed()).toBe(true);
  });

  test("can be pressed again, and says confirmed", async () => {
    await signUp(ada, goodPassword);
    await ada.ask(await link(), { form: {} });
    const page = readable(await (await visitor(site).ask(await link())).text());
    expect(page).not.toContain('type="password"');
    expect((await visitor(site).ask(await link(), { form: {} })).status).toBe(303);
  });

  test("lets no one guess on and on", async () => {
    await signUp(eve, strangersPassword);
    for (let n = 0; n < 10; n += 1)
      await ada.ask(await link(), { form: { password: `Guess-number-${n}` } });
    const right = await ada.ask(await link(), { form: { password: strangersPassword } });
    expect(right.status).toBe(400);
    expect(readable(await right.text())).toContain("That was a lot of tries");
  });
});

test("the cookie is the same kind for an address that has an account, and scripts cannot read it", async () => {
  const fresh = await signUp(ada, goodPassword);
  await ada.ask(await link(), { form: {} });
  const known = await signUp(eve, goodPassword);
  const [one, other] = [fresh, known].map((answer) =>
    answer.headers.getSetCookie().find((line) => line.startsWith(maker)),
  );
  expect(one).toMatch(/HttpOnly/i);
  expect(one).toMatch(/SameSite=Lax/i);
  const shape = (line = "") => line.replace(/=[^;]*/, "").replace(/expires[^;]*/i, "");
  expect(shape(other)).toBe(shape(one));
  expect(other?.length).toBe(one?.length);
  expect(eve.cookies.get(maker)).not.toBe(ada.cookies.get(maker));
});
