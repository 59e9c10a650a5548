import { describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { emailsTo, emailTo, pathOf } from "../support/mailbox.ts";
import { changeOwn, ownRows } from "../support/own-rows.ts";
import { cookieOf } from "../support/people.ts";
import { visitorOfTest } from "../support/people-of-tests.ts";
import { mainOf, readable, toastOf } from "../support/responses.ts";
import { type Asking, siteOfFile } from "../support/site.ts";
import { isSignedIn, visitor } from "../support/visitor.ts";

const site = siteOfFile();
const ada = visitorOfTest(site);

type Credentials = { email: string; password: string };
const signIn = (form: Credentials, who = ada, query = "") => who.ask(`/auth${query}`, { form });

describe("sign-in", () => {
  test("goes to My Courses with a session that scripts cannot read", async () => {
    const account = await createAccount(site.services);
    const response = await signIn(account);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/my-courses");
    expect(toastOf(response)).toMatchObject({
      title: "Welcome back!",
      description: "You've successfully signed in.",
    });
    const cookie = response.headers.getSetCookie().find((line) => line.includes("session_token="));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).not.toMatch(/Secure/);
    const page = readable(await (await ada.ask("/my-courses")).text());
    expect(page).toContain("Welcome back!");
    expect(page).toContain("haven't enrolled in any courses yet");
    expect(readable(await (await ada.ask("/my-courses")).text())).not.toContain("Welcome back!");
  });

  test("takes an address in capitals, with spaces around it", async () => {
    const account = await createAccount(site.services);
    const response = await signIn({ ...account, email: ` ${account.email.toUpperCase()} ` });
    expect(response.status).toBe(303);
  });

  test("refuses a wrong password and an unknown address alike", async () => {
    const { email } = await createAccount(site.services);
    const refusals = [
      await signIn({ email, password: "Wrong-horse-9" }),
      await signIn({ email: newAddress(), password: "Wrong-horse-9" }),
    ];
    for (const response of refusals) {
      expect(response.status).toBe(400);
      const page = readable(await response.text());
      expect(page).toContain("Sign in failed");
      expect(page).toContain("Invalid email or password");
    }
    expect(ada.cookies.has("blue-dot.session_token")).toBe(false);
  });

  // Other ways to other sites: auth/rules.test.ts and security/open-redirects.test.ts.
  const ways: [string, string][] = [
    ["/courses", "/courses"],
    ["/courses/calm/learn?lesson=a%26b#x", "/courses/calm/learn?lesson=a%26b#x"],
    ["https://evil.example", "/my-courses"],
    ["//evil.example", "/my-courses"],
    ["", "/my-courses"],
  ];
  test("leads to a path of this site only, also with a session already", async () => {
    const account = await createAccount(site.services);
    for (const [asked, destination] of ways) {
      const query = `?redirect=${encodeURIComponent(asked)}`;
      const before = await signIn(account, visitor(site), query);
      const after = await site.ask(`/auth${query}`, { as: account });
      for (const [response, status] of [[before, 303] as const, [after, 302] as const])
        expect([response.status, response.headers.get("location")], asked).toEqual([
          status,
          destination,
        ]);
    }
  });
});

describe("a session", () => {
  test("ends on sign-out, also for a copied cookie", async () => {
    const account = await createAccount(site.services);
    await signIn(account);
    const copied = Object.fromEntries(ada.cookies);
    const out = await ada.ask("/auth/sign-out", { form: {} });
    expect([out.status, out.headers.get("location")]).toEqual([303, "/"]);
    expect(ada.cookies.has("blue-dot.session_token")).toBe(false);
    const thief = visitor(site);
    for (const [name, value] of Object.entries(copied)) thief.cookies.set(name, value);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await (await thief.ask("/api/auth/get-session")).json()).toBeNull();
    expect(await ownRows(site.services, "sessions", account.id)).toEqual([]);
  });

  test("clears prerendered pages when it ends, and no storage", async () => {
    const ends: [string, Asking][] = [
      ["/auth/sign-out", { form: {} }],
      ["/auth/sign-out.data", { form: {} }],
      ["/api/auth/sign-out", { json: {} }],
    ];
    for (const [path, asking] of ends) {
      const who = visitor(site);
      await signIn(await createAccount(site.services), who);
      const answer = await who.ask(path, asking);
      const cleared = answer.headers.get("clear-site-data");
      expect(cleared, path).toBe('"prefetchCache", "prerenderCache"');
      const again = await who.ask("/auth");
      expect([again.status, again.headers.get("clear-site-data")]).toEqual([200, null]);
    }
  });

  test("has its cached files cleared by a request of this site alone", async () => {
    const asked = (origin?: string) =>
      ada.ask("/api/clear-cache", { method: "POST", ...(origin && { origin }) });
    const cleared = await asked();
    expect([cleared.status, cleared.headers.get("clear-site-data")]).toEqual([204, '"cache"']);
    const foreign = await asked("https://evil.example");
    expect([foreign.status, foreign.headers.get("clear-site-data")]).toEqual([403, null]);
  });

  test("ends on the way to a new one, which leads back to a page of this site only", async () => {
    for (const [redirect, to] of [
      ["/account/data/delete", "/auth?redirect=/account/data/delete"],
      ["//elsewhere.example/", "/"],
      ["https://elsewhere.example/", "/"],
    ] as const) {
      await signIn(await createAccount(site.services));
      const out = await ada.ask("/auth/sign-out", { form: { redirect } });
      expect([out.status, out.headers.get("location")]).toEqual([303, to]);
      expect(await isSignedIn(ada)).toBe(false);
    }
  });

  test("ends whatever is sent along with signing out", async () => {
    await signIn(await createAccount(site.services));
    const headers = { "content-type": "application/json" };
    const out = await ada.ask("/auth/sign-out", { method: "POST", headers, body: "{" });
    expect([out.status, out.headers.get("location")]).toEqual([303, "/"]);
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("is not accepted with an altered signature or token", async () => {
    const { id } = await createAccount(site.services);
    const cookie = await cookieOf(site.services, id);
    const asked = (value: string) => site.ask("/my-courses", { headers: { cookie: value } });
    expect((await asked(cookie)).status).toBe(200);
    const flip = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === "a" ? "b" : "a") + text.slice(at + 1);
    expect((await asked(flip(cookie, 30))).status).toBe(302);
    expect((await asked(flip(cookie, cookie.length - 10))).status).toBe(302);
    expect((await asked("blue-dot.session_token=%")).status).toBe(302);
    expect((await asked("blue-dot.session_token=.")).status).toBe(302);
  });

  test("is prolonged by use and ends without", async () => {
    const { id } = await createAccount(site.services);
    const cookie = await cookieOf(site.services, id);
    const expire = (days: number) =>
      changeOwn(site.services, "sessions", id, {
        expiresAt: new Date(Date.now() + days * 24 * 3600_000),
      });
    await expire(10);
    const used = await site.ask("/my-courses", { headers: { cookie } });
    expect(used.status).toBe(200);
    expect(used.headers.getSetCookie().join()).toContain("blue-dot.session_token=");
    const session = await site.services.db.read
      .selectFrom("sessions")
      .select("expiresAt")
      .where("userId", "=", id)
      .executeTakeFirstOrThrow();
    expect(session.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3600_000);
    await expire(-1);
    expect((await site.ask("/my-courses", { headers: { cookie } })).status).toBe(302);
  });
});

describe("a forgotten password", () => {
  async function expectExpired(path: string) {
    const opened = await site.ask(path);
    const page = readable(await opened.text());
    expect(opened.status, path).toBe(400);
    expect(page).toMatch(/<h1[^>]*>This link no longer works<\/h1>/);
    expect(page).toContain('href="/auth/forgot?redirect=/courses"');
    expect(page).not.toContain('name="password"');
    expect(page).toContain("If you have used it already, your new password works.");
  }

  const forgot = (email: string, who = ada) =>
    who.ask("/auth/forgot?redirect=/courses", { form: { email } });

  test("a new one ends all sessions, works at once, and its link once", async () => {
    const account = await createAccount(site.services);
    const elsewhere = visitor(site);
    await signIn(account, elsewhere);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const asked = await forgot(account.email);
    expect(readable(await asked.text())).toContain(`If ${account.email} has an account here`);
    const message = await emailTo(site.services.config, account.email);
    expect(message.subject).toBe("Choose a new password");
    const opened = await ada.ask(pathOf(message));
    expect(opened.status).toBe(200);
    expect(readable(await opened.text())).toContain(
      "You will be signed out everywhere, and can sign in with the new one.",
    );

    const weak = await ada.ask(pathOf(message), { form: { password: "weak" } });
    expect(weak.status).toBe(400);
    const password = "Another-horse-7";
    const changed = await ada.ask(pathOf(message), { form: { password } });
    expect(changed.status).toBe(303);
    expect(changed.headers.get("location")).toBe("/auth?redirect=/courses");
    expect(toastOf(changed)?.title).toBe("Password changed");
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect((await signIn(account)).status).toBe(400);
    expect((await signIn({ ...account, password })).status).toBe(303);

    // A minute at an open mailbox is enough for this: its owner gets an alert.
    const told = await emailTo(site.services.config, account.email, 2);
    expect(told.subject).toBe("A new password was chosen");
    expect(told.text).toContain("You have been signed out everywhere");
    expect(pathOf(told)).toBe("/auth/forgot");

    const again = await visitor(site).ask(pathOf(message), { form: { password: "Third-horse-5" } });
    expect(again.status).toBe(400);
    const dead = readable(await again.text());
    expect(dead).toMatch(/<h1[^>]*>This link no longer works<\/h1>/);
    expect(mainOf(dead).match(/This link no longer works/g)).toHaveLength(1);
    expect(dead).toContain('href="/auth/forgot?redirect=/courses"');
    expect(dead).not.toContain("signed out everywhere");
    expect(dead).not.toContain('data-tone="destructive"');
    await expectExpired(pathOf(message));
  });

  test("a link says that it was used or has expired as soon as it is opened", async () => {
    const account = await createAccount(site.services);
    await forgot(account.email);
    const link = pathOf(await emailTo(site.services.config, account.email));
    // Mail programs open links before their readers do.
    for (let opened = 0; opened < 2; opened += 1)
      expect((await site.ask(link)).status, "opened again").toBe(200);
    const verifications = site.services.db.write.updateTable("verifications");
    await verifications
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where("value", "=", account.id)
      .execute();
    for (const path of [link, link.replace("token=", "token=x"), "/auth/reset?redirect=/courses"])
      await expectExpired(path);
  });

  test("a new one makes every other link void", async () => {
    const account = await createAccount(site.services);
    await forgot(account.email);
    const first = await emailTo(site.services.config, account.email);
    await forgot(account.email);
    const second = await emailTo(site.services.config, account.email, 2);
    await ada.ask(pathOf(second), { form: { password: "Another-horse-7" } });
    const late = await ada.ask(pathOf(first), { form: { password: "Third-horse-5" } });
    const said = readable(await late.text());
    expect(said).toContain("If you have used it already, your new password works.");
    expect(late.status).toBe(400);
    expect((await signIn({ ...account, password: "Another-horse-7" })).status).toBe(303);
  });

  test("sends five emails an hour at most to one address", async () => {
    const account = await createAccount(site.services);
    for (let n = 0; n < 8; n += 1) {
      const answer = await forgot(account.email, visitor(site));
      expect(readable(await answer.text())).toContain("has an account here");
    }
    await emailTo(site.services.config, account.email, 5);
    const rows = await ownRows(site.services, "outbox", account.id);
    expect(rows).toHaveLength(5);
  });

  test("an unknown address gets the same words and no email", async () => {
    const nobody = newAddress();
    const response = await forgot(nobody);
    expect(response.status).toBe(200);
    expect(readable(await response.text())).toContain(`If ${nobody} has an account here`);
    const known = await createAccount(site.services);
    await forgot(known.email);
    await emailTo(site.services.config, known.email);
    expect(emailsTo(site.services.config, nobody)).toEqual([]);
  });

  test("a new one confirms the address too", async () => {
    const email = newAddress();
    await ada.ask("/auth?mode=sign-up", { form: { name: "Ada", email, password: "Strangers-1" } });
    await emailTo(site.services.config, email);
    await forgot(email);
    const message = await emailTo(site.services.config, email, 2);
    await ada.ask(pathOf(message), { form: { password: goodPassword } });
    expect((await signIn({ email, password: goodPassword })).status).toBe(303);
    expect((await signIn({ email, password: "Strangers-1" }, visitor(site))).status).toBe(400);
  });
});

describe("too many attempts", () => {
  const tooMany = "That was a lot of tries in a short time";
  const wrong = { email: "nobody@example.com", password: "Wrong-horse-9" };

  test("to sign in are refused, by form and directly, for that caller", async () => {
    const account = await createAccount(site.services);
    const answers: Response[] = [];
    for (let n = 0; n < 11; n += 1) answers.push(await signIn(wrong));
    const pages = await Promise.all(answers.map(async (answer) => readable(await answer.text())));
    expect(pages.map((page) => page.includes(tooMany))).toEqual([...Array(10).fill(false), true]);
    expect((await signIn(account)).status).toBe(400);
    expect((await ada.ask("/api/auth/sign-in/email", { json: account })).status).toBe(429);
    expect((await signIn(account, visitor(site))).status).toBe(303);
  });

  test("at once are counted one by one", async () => {
    const tries = Array.from({ length: 20 }, () =>
      ada.ask("/api/auth/sign-in/email", { json: { ...wrong, email: newAddress() } }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test.each([
    [
      "signing up",
      "/auth?mode=sign-up",
      () => ({ name: "A", email: newAddress(), password: goodPassword }),
    ],
    ["asking for a new password", "/auth/forgot", () => ({ email: newAddress() })],
    ["asking for the email again", "/auth", () => ({ intent: "resend", email: newAddress() })],
  ])("%s are refused after five", async (_, path, form) => {
    for (let n = 0; n < 5; n += 1) expect((await ada.ask(path, { form: form() })).status).toBe(200);
    const sixth = await ada.ask(path, { form: form() });
    expect(sixth.status).toBe(400);
    expect(readable(await sixth.text())).toContain(tooMany);
  });
});
