import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { mainOf, readable } from "../../support/answers.ts";
import { lettersTo, letterTo, pathOf } from "../../support/mailbox.ts";
import { signInWith } from "../../support/oidc/visits.ts";
import { startWithProvider } from "../../support/oidc/world.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

let world: Awaited<ReturnType<typeof startWithProvider>>;
let ada: Visitor;

beforeAll(async () => {
  world = await startWithProvider();
});
afterAll(() => world.close());
beforeEach(() => {
  ada = visitor(world.site);
  world.oidc.trouble = {};
  member({});
});

/** Who is at the provider now. */
function member(more: { sub?: string; email?: string; email_verified?: boolean; name?: string }) {
  const email = newAddress();
  world.oidc.member = { sub: email, email, email_verified: true, name: "Ada Lovelace", ...more };
  return world.oidc.member;
}

const come = (who = ada, query = "") => signInWith(world.site, who, world.oidc, { query });
const isSignedIn = async (who: Visitor) => (await who.ask("/my-courses")).status === 200;
const db = () => world.site.services.db.read;
const profileOf = (email = "") =>
  db()
    .selectFrom("profiles")
    .select(["id", "name", "email", "emailVerified", "role"])
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
const waysInto = async (id = "") =>
  (await db().selectFrom("accounts").selectAll().where("userId", "=", id).execute()) as Record<
    string,
    unknown
  >[];

/** Signs up with a password, and confirms nothing. */
async function unconfirmed(email: string) {
  const form = { name: "Mallory", email, password: goodPassword };
  await visitor(world.site).ask("/auth?mode=sign-up", { form });
  return letterTo(world.site.services.config, email);
}

describe("signing up", () => {
  test("makes a confirmed account, and goes on to where she was going", async () => {
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

  test("nothing that the provider gave out is kept", async () => {
    const { email } = member({});
    await come();
    await come(visitor(world.site));
    const [way] = await waysInto((await profileOf(email))?.id);
    const kept = ["accessToken", "refreshToken", "idToken", "scope"];
    for (const name of [...kept, "accessTokenExpiresAt", "refreshTokenExpiresAt"])
      expect(way?.[name], name).toBeNull();
  });

  test("the second time it is the same account, whatever has become of her address", async () => {
    const { email, sub } = member({});
    await come();
    const other = newAddress();
    world.oidc.member = { sub, email: other, email_verified: false };
    const again = visitor(world.site);
    expect(await come(again)).toMatchObject({
      at: "/my-courses",
      toast: { title: "Welcome back!" },
    });
    expect(await profileOf(other)).toBeUndefined();
    const [way, ...more] = await waysInto((await profileOf(email))?.id);
    expect(more).toEqual([]);
    expect(way?.providerEmail).toBe(other);
  });

  test("where the provider has not confirmed the address, our own letter does", async () => {
    const { email = "" } = member({ email_verified: false });
    const { at, page } = await come(ada, "?redirect=/courses");
    expect(at).toBe(`/auth?redirect=/courses&with=${world.oidc.id}&error=unconfirmed`);
    expect(readable(page)).toContain("Lantern has not confirmed your address");
    expect(await isSignedIn(ada)).toBe(false);
    const letter = await letterTo(world.site.services.config, email);
    expect(letter.subject).toBe("Please confirm your email address");
    const pressed = await ada.ask(pathOf(letter), { form: {} });
    expect(pressed.headers.get("location")).toBe("/courses");
    expect(await isSignedIn(ada)).toBe(true);
    const again = visitor(world.site);
    expect(await come(again)).toMatchObject({ toast: { title: "Welcome back!" } });
  });

  test("three letters an hour to one address, whoever keeps pressing", async () => {
    const { email = "" } = member({ email_verified: false });
    for (let presses = 0; presses < 5; presses += 1) await come(visitor(world.site));
    await letterTo(world.site.services.config, email, 3);
    const rows = await db()
      .selectFrom("outbox")
      .select("id")
      .where("userId", "=", (await profileOf(email))?.id ?? "")
      .execute();
    expect(rows).toHaveLength(3);
  });

  test("without an address there is no account, and she is told why", async () => {
    world.oidc.member = { sub: newAddress(), name: "Ada" };
    const { at, toast } = await come(ada, "?redirect=/courses&mode=sign-up");
    expect(at).toBe("/auth?redirect=/courses&mode=sign-up");
    expect(toast?.title).toBe("Lantern did not tell us your email address");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test("whose account is paused is told so, and that nothing is lost", async () => {
    const { email = "" } = member({});
    await come();
    const { id } = (await profileOf(email)) ?? { id: "" };
    const by = await createAccount(world.site.services, { role: "admin" });
    await suspend(world.site.services, { id, reason: "Shared.", by: by.id });
    const again = visitor(world.site);
    const { at, page } = await come(again);
    expect(at).toContain("error=account_suspended");
    expect(readable(page)).toContain("This account is paused");
    expect(await isSignedIn(again)).toBe(false);
  });

  test("two at the same moment make one account", async () => {
    const { email } = member({});
    const both = [visitor(world.site), visitor(world.site)];
    await Promise.all(both.map((who) => come(who)));
    for (const who of both) expect(await isSignedIn(who)).toBe(true);
    expect(await waysInto((await profileOf(email))?.id)).toHaveLength(1);
  });
});

describe("an address that has an account", () => {
  test("is linked where both have confirmed it, and its owner hears of it", async () => {
    const account = await createAccount(world.site.services);
    member({ email: account.email });
    expect(await come()).toMatchObject({ at: "/my-courses", toast: { title: "Welcome back!" } });
    const letter = await letterTo(world.site.services.config, account.email);
    expect(letter.subject).toBe("You can now sign in with Lantern");
    expect(await waysInto(account.id)).toHaveLength(2);
    const form = { email: account.email, password: account.password };
    expect((await visitor(world.site).ask("/auth", { form })).status).toBe(303);
  });

  test("is not entered by somebody who got the same address at the provider later", async () => {
    const account = await createAccount(world.site.services);
    member({ email: account.email });
    await come();
    member({ email: account.email, sub: "somebody-else" });
    const stranger = visitor(world.site);
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

  test("reads the same as a new one where the provider has not confirmed it", async () => {
    const account = await createAccount(world.site.services);
    member({ email: account.email, email_verified: false });
    const known = await come();
    member({ email_verified: false });
    const unknown = await come(visitor(world.site));
    const main = ({ page }: { page: string }) => readable(mainOf(page));
    expect([known.at, known.status, main(known)]).toEqual([
      unknown.at,
      unknown.status,
      main(unknown),
    ]);
    expect(await isSignedIn(ada)).toBe(false);
    expect(await waysInto(account.id)).toHaveLength(1);
    const letter = await letterTo(world.site.services.config, account.email);
    expect(letter.subject).toBe("You already have an account");
  });

  test("that nobody confirmed: a stranger's password and link die with it", async () => {
    const { email = "" } = member({});
    const letter = await unconfirmed(email);
    const arrived = await come();
    expect(arrived.toast?.title).toBe("Account ready");
    const profile = await profileOf(email);
    expect(profile).toMatchObject({ name: "Ada Lovelace", emailVerified: true });
    expect((await waysInto(profile?.id)).map((way) => way.providerId)).toEqual([world.oidc.id]);
    const stranger = visitor(world.site);
    const refused = await stranger.ask("/auth", { form: { email, password: goodPassword } });
    expect(refused.status).toBe(400);
    // The link of the stranger's letter is in her own mailbox, and lets nobody else in.
    await stranger.ask(pathOf(letter), { form: {} });
    expect(await isSignedIn(stranger)).toBe(false);
  });

  test("that a stranger made through the provider: his letter opens nothing to her", async () => {
    const { email = "" } = member({ email_verified: false });
    await come();
    const path = pathOf(await letterTo(world.site.services.config, email));
    const owner = visitor(world.site);
    expect(readable(await (await owner.ask(path)).text())).toContain("Choose a password");
    expect((await owner.ask(path, { form: {} })).status).toBe(400);
    expect((await profileOf(email))?.emailVerified).toBe(false);
  });

  test("that a stranger made through the provider: it is not hers to open later", async () => {
    const { email = "", sub } = member({ email_verified: false });
    await come();
    await letterTo(world.site.services.config, email);
    await visitor(world.site).ask("/auth/forgot", { form: { email } });
    const letter = await letterTo(world.site.services.config, email, 2);
    const owner = visitor(world.site);
    const form = { password: "Her-own-word-7" };
    expect((await owner.ask(pathOf(letter), { form })).status).toBe(303);
    const profile = await profileOf(email);
    expect(profile?.emailVerified).toBe(true);
    expect((await waysInto(profile?.id)).map((way) => way.providerId)).toEqual(["credential"]);
    world.oidc.member = { sub, email, email_verified: false };
    const stranger = visitor(world.site);
    await come(stranger);
    expect(await isSignedIn(stranger)).toBe(false);
    expect(lettersTo(world.site.services.config, email).length).toBeGreaterThan(0);
  });
});

describe("an account with rights or a second factor", () => {
  const factor = (userId: string) =>
    world.site.services.db.write
      .insertInto("factors")
      .values({
        id: newAddress(),
        userId,
        factorType: "totp",
        friendlyName: "Phone",
        status: "verified",
        secret: "x",
        createdAt: new Date(),
      })
      .execute();
  const protectedAccounts = {
    "an administrator": () => createAccount(world.site.services, { role: "admin" }),
    "a student with an authenticator app": async () => {
      const account = await createAccount(world.site.services);
      await factor(account.id);
      return account;
    },
    "a student with a passkey": async () => {
      const account = await createAccount(world.site.services);
      const passkey = { publicKey: "x", counter: 0, deviceType: "singleDevice", backedUp: false };
      await world.site.services.db.write
        .insertInto("passkeys")
        .values({ ...passkey, id: newAddress(), userId: account.id, credentialId: newAddress() })
        .execute();
      return account;
    },
    "an administrator who has not confirmed the address": async () => {
      const account = await createAccount(world.site.services, { role: "admin" });
      await world.site.services.db.write
        .updateTable("profiles")
        .set({ emailVerified: false })
        .where("id", "=", account.id)
        .execute();
      return account;
    },
  };
  const refusal = {
    title: "Please sign in as usual",
    description:
      "Then connect Lantern on your account page: from then on it opens your account too.",
  };

  test.each(Object.entries(protectedAccounts))(
    "%s is not entered by a matching address, and the owner hears of it",
    async (_, make) => {
      const { id, email, password } = await make();
      member({ email });
      const { at, toast } = await come(ada, "?redirect=/courses");
      expect(at).toBe("/auth?redirect=/courses");
      expect(toast).toMatchObject(refusal);
      expect(ada.cookies.has("blue-dot.session_token")).toBe(false);
      const [way, ...more] = await waysInto(id);
      expect([way?.providerId, more]).toEqual(["credential", []]);
      const letter = await letterTo(world.site.services.config, email);
      expect(letter.subject).toBe("A sign-in through another service was refused");
      expect(letter.text).toContain("Lantern");
      const said = letter.text.replaceAll(/\s+/g, " ");
      expect(said).toContain("Nobody was let in, and nothing was connected");
      expect((await profileOf(email))?.name).toBe("Ada");
      const form = { email, password };
      const back = await visitor(world.site).ask("/api/auth/sign-in/email", { json: form });
      expect(back.status).toBe((await profileOf(email))?.emailVerified ? 200 : 401);
    },
  );

  test("is linked from inside, and opened from then on; the owner hears of that too", async () => {
    const { id, email, password } = await protectedAccounts["an administrator"]();
    member({ email });
    await ada.ask("/auth", { form: { email, password } });
    const linked = await signInWith(world.site, ada, world.oidc, { isLink: true });
    expect(linked).toMatchObject({ toast: { title: "Lantern is linked." } });
    expect(await waysInto(id)).toHaveLength(2);
    const letter = await letterTo(world.site.services.config, email);
    expect(letter.subject).toBe("You can now sign in with Lantern");
    expect(await come(visitor(world.site))).toMatchObject({ toast: { title: "Welcome back!" } });
  });

  test("the owner hears of it once a day, however often somebody comes", async () => {
    const { id, email } = await protectedAccounts["an administrator"]();
    member({ email });
    for (let n = 0; n < 3; n += 1) await come(visitor(world.site));
    const rows = db().selectFrom("outbox").select("id").where("userId", "=", id);
    expect(await rows.execute()).toHaveLength(1);
    world.site.clock.forward(24 * 3600_000);
    await come(visitor(world.site));
    expect(await rows.execute()).toHaveLength(2);
  });
});

test("somebody with a second factor still owes it", async () => {
  const { email } = member({});
  await come();
  const profile = await profileOf(email);
  const now = new Date();
  await world.site.services.db.write
    .insertInto("factors")
    .values({
      id: newAddress(),
      userId: profile?.id ?? "",
      factorType: "totp",
      friendlyName: "Phone",
      status: "verified",
      secret: "x",
      createdAt: now,
    })
    .execute();
  const again = visitor(world.site);
  await come(again, "?redirect=/mail-preferences");
  expect(await isSignedIn(again)).toBe(false);
  const sessions = await db()
    .selectFrom("sessions")
    .select(["secondFactorAt", "expiresAt"])
    .where("userId", "=", profile?.id ?? "")
    .orderBy("createdAt", "desc")
    .execute();
  expect(sessions[0]?.secondFactorAt).toBeNull();
  expect(sessions[0]?.expiresAt.getTime()).toBeLessThan(Date.now() + 11 * 60_000);
});
