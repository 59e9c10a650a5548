import { beforeEach, describe, expect, test } from "vitest";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { emailsTo, emailTo, pathOf } from "../../support/mailbox.ts";
import { signInWith } from "../../support/oidc/visits.ts";
import { providerOfFile } from "../../support/oidc/world.ts";
import { changeOwn, givePasskey, ownRows, profilesWith } from "../../support/own-rows.ts";
import { visitorOfTest } from "../../support/people-of-tests.ts";
import { mainOf, readable } from "../../support/responses.ts";
import { isSignedIn, visitor } from "../../support/visitor.ts";

const world = providerOfFile();
const { site } = world;
const ada = visitorOfTest(site);

beforeEach(() => {
  world.oidc.trouble = {};
  member({});
});

/** Who is at the provider now. */
function member(more: { sub?: string; email?: string; email_verified?: boolean; name?: string }) {
  const email = newAddress();
  world.oidc.member = { sub: email, email, email_verified: true, name: "Ada Lovelace", ...more };
  return world.oidc.member;
}

const come = (who = ada, query = "") => signInWith(site, who, world.oidc, { query });
const profileOf = async (email = "") => (await profilesWith(site.services, email))[0];
const waysInto = (id = "") => ownRows(site.services, "accounts", id);

/** Signs up with a password, and confirms nothing. */
async function unconfirmed(email: string) {
  const form = { name: "Mallory", email, password: goodPassword };
  await visitor(site).ask("/auth?mode=sign-up", { form });
  return emailTo(site.services.config, email);
}

describe("sign-up with a provider", () => {
  test("makes a confirmed account, and leads on", async () => {
    const { email = "", sub } = member({ email: `ADA-${newAddress()}` });
    const arrived = await come(ada, "?redirect=/mail-preferences");
    expect(arrived).toMatchObject({
      at: "/mail-preferences",
      status: 200,
      toast: { title: "Account ready", tone: "success" },
    });
    const profile = await profileOf(email);
    expect(profile).toMatchObject({ name: "Ada Lovelace", emailVerified: true, role: "student" });
    const [way, ...more] = await waysInto(profile?.id);
    expect(more).toEqual([]);
    expect(way).toMatchObject({ providerId: world.oidc.id, accountId: sub, password: null });
    expect(way?.providerEmail).toBe(email.toLowerCase());
  });

  test("stores no tokens of the provider", async () => {
    const { email } = member({});
    await come();
    await come(visitor(site));
    const [way] = await waysInto((await profileOf(email))?.id);
    const kept = ["accessToken", "refreshToken", "idToken", "scope"];
    for (const name of [...kept, "accessTokenExpiresAt", "refreshTokenExpiresAt"])
      expect((way as Record<string, unknown>)[name], name).toBeNull();
  });

  test("finds the same account again, also with another address", async () => {
    const { email, sub } = member({});
    await come();
    const other = newAddress();
    world.oidc.member = { sub, email: other, email_verified: false };
    const again = visitor(site);
    expect(await come(again)).toMatchObject({
      at: "/my-courses",
      toast: { title: "Welcome back!" },
    });
    expect(await profileOf(other)).toBeUndefined();
    const [way, ...more] = await waysInto((await profileOf(email))?.id);
    expect(more).toEqual([]);
    expect(way?.providerEmail).toBe(other);
  });

  test("with an unconfirmed address sends our own email", async () => {
    const { email = "" } = member({ email_verified: false });
    const { at, page } = await come(ada, "?redirect=/courses");
    expect(at).toBe(`/auth?redirect=/courses&with=${world.oidc.id}&error=unconfirmed`);
    expect(readable(page)).toContain("Lantern has not confirmed your address");
    expect(await isSignedIn(ada)).toBe(false);
    const message = await emailTo(site.services.config, email);
    expect(message.subject).toBe("Please confirm your email address");
    const pressed = await ada.ask(pathOf(message), { form: {} });
    expect(pressed.headers.get("location")).toBe("/courses");
    expect(await isSignedIn(ada)).toBe(true);
    const again = visitor(site);
    expect(await come(again)).toMatchObject({ toast: { title: "Welcome back!" } });
  });

  test("sends three emails an hour to one address", async () => {
    const { email = "" } = member({ email_verified: false });
    for (let presses = 0; presses < 5; presses += 1) await come(visitor(site));
    await emailTo(site.services.config, email, 3);
    const rows = await ownRows(site.services, "outbox", (await profileOf(email))?.id ?? "");
    expect(rows).toHaveLength(3);
  });

  test("without an address makes no account, and says why", async () => {
    world.oidc.member = { sub: newAddress(), name: "Ada" };
    const { at, toast } = await come(ada, "?redirect=/courses&mode=sign-up");
    expect(at).toBe("/auth?redirect=/courses&mode=sign-up");
    expect(toast?.title).toBe("Lantern did not tell us your email address");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("to a suspended account: refused with the reason", async () => {
    const { email = "" } = member({});
    await come();
    const { id } = (await profileOf(email)) ?? { id: "" };
    const by = await createAccount(site.services, { role: "admin" });
    await suspend(site.services, { id, reason: "Shared.", by: by.id });
    const again = visitor(site);
    const { at, page } = await come(again);
    expect(at).toContain("error=account_suspended");
    expect(readable(page)).toContain("This account is paused");
    expect(await isSignedIn(again)).toBe(false);
  });

  test("twice at the same moment makes one account", async () => {
    const { email } = member({});
    const both = [visitor(site), visitor(site)];
    await Promise.all(both.map((who) => come(who)));
    for (const who of both) expect(await isSignedIn(who)).toBe(true);
    expect(await waysInto((await profileOf(email))?.id)).toHaveLength(1);
  });
});

describe("sign-in with a provider, with the address of an account,", () => {
  test("links it where both have confirmed it, and sends an alert", async () => {
    const account = await createAccount(site.services);
    member({ email: account.email });
    expect(await come()).toMatchObject({ at: "/my-courses", toast: { title: "Welcome back!" } });
    const message = await emailTo(site.services.config, account.email);
    expect(message.subject).toBe("You can now sign in with Lantern");
    expect(await waysInto(account.id)).toHaveLength(2);
    const form = { email: account.email, password: account.password };
    expect((await visitor(site).ask("/auth", { form })).status).toBe(303);
  });

  test("is refused for a later owner of the address", async () => {
    const account = await createAccount(site.services);
    member({ email: account.email });
    await come();
    member({ email: account.email, sub: "somebody-else" });
    const stranger = visitor(site);
    const { at, toast } = await come(stranger);
    expect(at).toBe("/auth?redirect=/my-courses");
    expect(toast).toMatchObject({
      title: "Please sign in as usual",
      description:
        "Then connect Lantern on your account page: from then on it opens your account too.",
    });
    expect(await isSignedIn(stranger)).toBe(false);
    expect(await waysInto(account.id)).toHaveLength(2);
  });

  test("reads the same as for a new one where the provider has not confirmed it", async () => {
    const account = await createAccount(site.services);
    member({ email: account.email, email_verified: false });
    const known = await come();
    member({ email_verified: false });
    const unknown = await come(visitor(site));
    const main = ({ page }: { page: string }) => readable(mainOf(page));
    expect([known.at, known.status, main(known)]).toEqual([
      unknown.at,
      unknown.status,
      main(unknown),
    ]);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await waysInto(account.id)).toHaveLength(1);
    const message = await emailTo(site.services.config, account.email);
    expect(message.subject).toBe("You already have an account");
  });

  test("an unconfirmed account: a stranger's password and link are removed", async () => {
    const { email = "" } = member({});
    const message = await unconfirmed(email);
    const arrived = await come();
    expect(arrived.toast?.title).toBe("Account ready");
    const profile = await profileOf(email);
    expect(profile).toMatchObject({ name: "Ada Lovelace", emailVerified: true });
    expect((await waysInto(profile?.id)).map((way) => way.providerId)).toEqual([world.oidc.id]);
    const stranger = visitor(site);
    const refused = await stranger.ask("/auth", { form: { email, password: goodPassword } });
    expect(refused.status).toBe(400);
    // The link of the stranger's email is in the owner's mailbox, and lets nobody else in.
    await stranger.ask(pathOf(message), { form: {} });
    expect(await isSignedIn(stranger)).toBe(false);
  });

  test("an account that a stranger made through the provider: the email to its owner confirms nothing", async () => {
    const { email = "" } = member({ email_verified: false });
    await come();
    const path = pathOf(await emailTo(site.services.config, email));
    const owner = visitor(site);
    expect(readable(await (await owner.ask(path)).text())).toContain("Choose a password");
    expect((await owner.ask(path, { form: {} })).status).toBe(400);
    expect((await profileOf(email))?.emailVerified).toBe(false);
  });

  test("an account that a stranger made through the provider: the stranger cannot sign in later", async () => {
    const { email = "", sub } = member({ email_verified: false });
    await come();
    await emailTo(site.services.config, email);
    await visitor(site).ask("/auth/forgot", { form: { email } });
    const message = await emailTo(site.services.config, email, 2);
    const owner = visitor(site);
    const form = { password: "Her-own-word-7" };
    expect((await owner.ask(pathOf(message), { form })).status).toBe(303);
    const profile = await profileOf(email);
    expect(profile?.emailVerified).toBe(true);
    expect((await waysInto(profile?.id)).map((way) => way.providerId)).toEqual(["credential"]);
    world.oidc.member = { sub, email, email_verified: false };
    const stranger = visitor(site);
    await come(stranger);
    expect(await isSignedIn(stranger)).toBe(false);
    expect(emailsTo(site.services.config, email).length).toBeGreaterThan(0);
  });
});

describe("a protected account", () => {
  const protectedAccounts = {
    "an administrator": () => createAccount(site.services, { role: "admin" }),
    "a student with an authenticator app": async () => {
      const account = await createAccount(site.services);
      await giveApp(site.services, account);
      return account;
    },
    "a student with a passkey": async () => {
      const account = await createAccount(site.services);
      await givePasskey(site.services, account.id);
      return account;
    },
    "an administrator who has not confirmed the address": async () => {
      const account = await createAccount(site.services, { role: "admin" });
      await changeOwn(site.services, "profiles", account.id, { emailVerified: false });
      return account;
    },
  };
  const refusal = {
    title: "Please sign in as usual",
    description:
      "Then connect Lantern on your account page: from then on it opens your account too.",
  };

  test.each(Object.entries(protectedAccounts))(
    "of %s is not linked by its address, and its owner gets an alert",
    async (_, make) => {
      const { id, email, password } = await make();
      member({ email });
      const { at, toast } = await come(ada, "?redirect=/courses");
      expect(at).toBe("/auth?redirect=/courses");
      expect(toast).toMatchObject(refusal);
      expect(ada.cookies.has("blue-dot.session_token")).toBe(false);
      const [way, ...more] = await waysInto(id);
      expect([way?.providerId, more]).toEqual(["credential", []]);
      const message = await emailTo(site.services.config, email);
      expect(message.subject).toBe("A sign-in through another service was refused");
      expect(message.text).toContain("Lantern");
      const said = message.text.replaceAll(/\s+/g, " ");
      expect(said).toContain("They did not get in, and nothing was connected");
      expect((await profileOf(email))?.name).toBe("Ada");
      const form = { email, password };
      const back = await visitor(site).ask("/api/auth/sign-in/email", { json: form });
      expect(back.status).toBe((await profileOf(email))?.emailVerified ? 200 : 401);
    },
  );

  test("is linked while signed in, with an alert", async () => {
    const { id, email, password } = await protectedAccounts["an administrator"]();
    member({ email });
    await ada.ask("/auth", { form: { email, password } });
    const linked = await signInWith(site, ada, world.oidc, { isLink: true });
    expect(linked).toMatchObject({ toast: { title: "Lantern is linked." } });
    expect(await waysInto(id)).toHaveLength(2);
    const message = await emailTo(site.services.config, email);
    expect(message.subject).toBe("You can now sign in with Lantern");
    expect(await come(visitor(site))).toMatchObject({ toast: { title: "Welcome back!" } });
  });

  test("gets one alert a day", async () => {
    const { id, email } = await protectedAccounts["an administrator"]();
    member({ email });
    for (let n = 0; n < 3; n += 1) await come(visitor(site));
    const emails = () => ownRows(site.services, "outbox", id);
    expect(await emails()).toHaveLength(1);
    site.clock.forward(24 * 3600_000);
    await come(visitor(site));
    expect(await emails()).toHaveLength(2);
  });
});

test("sign-in with a provider asks for two-factor", async () => {
  const { email } = member({});
  await come();
  const profile = await profileOf(email);
  await giveApp(site.services, { id: profile?.id ?? "" });
  const again = visitor(site);
  await come(again, "?redirect=/mail-preferences");
  expect(await isSignedIn(again)).toBe(false);
  const sessions = await ownRows(site.services, "sessions", profile?.id ?? "");
  sessions.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  expect(sessions[0]?.secondFactorAt).toBeNull();
  expect(sessions[0]?.expiresAt.getTime()).toBeLessThan(Date.now() + 11 * 60_000);
});
