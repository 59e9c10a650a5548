import { beforeEach, describe, expect, test } from "vitest";
import { createAccount, goodPassword } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { emailTo } from "../../support/mailbox.ts";
import { changeOwn, ownRows } from "../../support/own-rows.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, signedIn, type Visitor, visitor } from "../../support/visitor.ts";
import { giveCode, secondStep } from "./steps.ts";

const site = siteOfFile();
let ada: Awaited<ReturnType<typeof createAccount>>;
let app: Awaited<ReturnType<typeof giveApp>>;

beforeEach(async () => {
  ada = await createAccount(site.services);
  app = await giveApp(site.services, ada);
  // No code of the test before fits by chance of the clock.
  site.clock.forward(120_000);
});

const now = () => site.clock.now();
const ids = async () =>
  (await ownRows(site.services, "sessions", ada.id)).sort((a, b) => a.id.localeCompare(b.id));

describe("sign-in with an app", () => {
  test("leads to the second step, and from there to its destination", async () => {
    const who = visitor(site);
    const back = "/courses?a=b";
    const first = await who.ask(`/auth?redirect=${encodeURIComponent(back)}`, {
      form: { email: ada.email, password: goodPassword },
    });
    const step = first.headers.get("location") ?? "";
    expect(step).toBe("/auth/second-step?redirect=/courses%3Fa%3Db");
    expect(toastOf(first)).toBeNull();
    expect(await isSignedIn(who)).toBe(false);
    // The page of signing in leads there as well.
    expect((await who.ask(`/auth?redirect=${back}`)).headers.get("location")).toMatch(
      /^\/auth\/second-step\?redirect=\/courses/,
    );
    const page = await (await who.ask(step)).text();
    expect(readable(page)).toContain("Type the code that your authenticator app shows.");
    expect(page).toMatch(/<input[^>]+name="code"/);
    expect(page).toMatch(/inputMode="numeric"/i);
    expect(page).toMatch(/autoComplete="one-time-code"/i);

    const before = who.cookies.get("blue-dot.session_token");
    const code = await app.code(now());
    const done = await giveCode(who, ` ${code.slice(0, 3)} ${code.slice(3)} `, step);
    expect(done.status).toBe(303);
    expect(done.headers.get("location")).toBe(back);
    expect(toastOf(done)).toMatchObject({
      title: "Welcome back!",
      description: "You've successfully signed in.",
    });
    expect(await isSignedIn(who)).toBe(true);
    // The previous token is worth nothing.
    const cookie = `blue-dot.session_token=${before}`;
    expect((await site.ask("/my-courses", { headers: { cookie } })).status).toBe(302);
    const [session] = await ids();
    expect(session?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3600_000);
    expect((await who.ask(secondStep)).headers.get("location")).toBe("/my-courses");
  });

  test("marks malformed and wrong codes at the field", async () => {
    const who = await signedIn(site, ada);
    for (const code of ["", "123", "hello"]) {
      const page = readable(await (await giveCode(who, code)).text());
      expect(page).toContain("Enter the six digits that your app shows, or a backup code.");
    }
    const wrong = await giveCode(who, await app.code(now(), 40));
    expect(wrong.status).toBe(400);
    expect(readable(await wrong.text())).toContain("That code does not fit.");
    expect(await isSignedIn(who)).toBe(false);
  });

  test("takes a code once, also for another session", async () => {
    const code = await app.code(now());
    expect((await giveCode(await signedIn(site, ada), code)).status).toBe(303);
    const again = await giveCode(await signedIn(site, ada), code);
    expect(again.status).toBe(400);
    expect(readable(await again.text())).toContain("That code has been used already.");
    // Nor one of before it, although its time has not run out.
    const before = await app.code(now(), -1);
    expect((await giveCode(await signedIn(site, ada), before)).status).toBe(400);
    site.clock.forward(30_000);
    const next = await app.code(now());
    expect((await giveCode(await signedIn(site, ada), next)).status).toBe(303);
  });

  test.each([
    ["code", () => app.code(now())],
    ["backup code", () => app.codes[0] ?? ""],
  ])("lets one in of many who send the same %s at once", async (_, codeOf) => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signedIn(site, ada)));
    const code = codeOf();
    const answers = await Promise.all(people.map((who) => giveCode(who, code)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const inside = await Promise.all(people.map(isSignedIn));
    expect(inside.filter(Boolean)).toHaveLength(1);
  });

  test("refuses another user's codes", async () => {
    const eve = await createAccount(site.services);
    const hers = await giveApp(site.services, eve);
    expect((await giveCode(await signedIn(site, ada), await hers.code(now()))).status).toBe(400);
    const [code = ""] = hers.codes;
    expect((await giveCode(await signedIn(site, ada), code)).status).toBe(400);
  });

  test("'Use another account' signs out and leads back", async () => {
    const who = await signedIn(site, ada);
    const out = await who.ask(secondStep, { form: { intent: "sign-out" } });
    expect(out.headers.get("location")).toBe("/auth?redirect=/my-courses");
    expect(await ids()).toEqual([]);
    expect((await who.ask("/auth")).status).toBe(200);
  });

  test("starts over after ten minutes, with a message", async () => {
    const who = await signedIn(site, ada);
    const [session] = await ids();
    const left = (session?.expiresAt.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(8 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);
    await changeOwn(site.services, "sessions", ada.id, { expiresAt: new Date(Date.now() - 1000) });
    for (const response of [
      await who.ask(secondStep),
      await giveCode(who, await app.code(now())),
    ]) {
      expect(response.headers.get("location")).toBe("/auth?redirect=/my-courses");
      expect(toastOf(response)?.title).toBe("Please sign in once more");
    }
    expect(await isSignedIn(who)).toBe(false);
  });

  test("leads a visitor to sign in, without a message", async () => {
    const response = await visitor(site).ask(secondStep);
    expect(response.headers.get("location")).toBe("/auth?redirect=/my-courses");
    expect(toastOf(response)).toBeNull();
  });
});

describe("backup codes", () => {
  test("work once, in capitals too, and send an alert", async () => {
    const [code = ""] = app.codes;
    const done = await giveCode(await signedIn(site, ada), code.toUpperCase());
    expect(done.headers.get("location")).toBe("/my-courses");
    const again = await giveCode(await signedIn(site, ada), code);
    expect(again.status).toBe(400);
    expect(readable(await again.text())).toContain("it has been used before");
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("A backup code was used");
    expect(message.text).toContain("You have 9 backup codes left.");
  });

  test("warn when few are left", async () => {
    const left = async (who: Visitor, code = "") => toastOf(await giveCode(who, code))?.description;
    for (const code of app.codes.slice(0, 7))
      expect(await left(await signedIn(site, ada), code)).toBe("You've successfully signed in.");
    const [eighth, , last] = app.codes.slice(7);
    const who = await signedIn(site, ada);
    expect(await left(who, eighth)).toContain("2 backup codes are left");
    expect(readable(await (await who.ask("/account/security")).text())).toContain("Only 2 left");
    await left(await signedIn(site, ada), app.codes[8]);
    const empty = await signedIn(site, ada);
    expect(await left(empty, last)).toContain("That was your last backup code");
    expect(readable(await (await empty.ask("/account/security")).text())).toContain("None is left");
  });
});

describe("limits of codes", () => {
  test("five wrong codes end the session, and send an alert", async () => {
    const who = await signedIn(site, ada);
    for (let n = 0; n < 5; n += 1)
      expect((await giveCode(who, await app.code(now(), 40 + n))).status).toBe(400);
    const over = await giveCode(who, await app.code(now()));
    expect(over.headers.get("location")).toBe("/auth?redirect=/my-courses");
    expect(toastOf(over)?.description).toContain("Five codes did not fit.");
    expect(await ids()).toEqual([]);
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("Wrong codes were tried for your account");
    // Only that session has ended.
    expect((await giveCode(await signedIn(site, ada), await app.code(now()))).status).toBe(303);
  });

  test("a stranger with the password can neither guess codes nor lock the owner out", async () => {
    let refusals = 0;
    for (let n = 0; n < 7; n += 1) {
      // Each from another place.
      const stranger = await signedIn(site, ada);
      for (let tries = 0; tries < 5; tries += 1) {
        const page = await (await giveCode(stranger, await app.code(now(), 50 + n))).text();
        if (readable(page).includes("Many codes have been tried for this account.")) refusals += 1;
      }
    }
    expect(refusals).toBe(5);
    // No session came to a sixth code, and the owner gets the alert all the same.
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("Wrong codes were tried for your account");
    const who = await signedIn(site, ada);
    const held = await giveCode(who, await app.code(now()));
    expect(readable(await held.text())).toContain("Use a backup code or a passkey");
    const [code = ""] = app.codes;
    expect((await giveCode(who, code)).status).toBe(303);
    site.clock.forward(3600_000);
    expect((await giveCode(await signedIn(site, ada), await app.code(now()))).status).toBe(303);
  });
});
