import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { letterTo, pathOf } from "../../support/mailbox.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

const name = "blue-dot.session_token";
let site: TestSite;
beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());

const isIn = async (who: Visitor) => (await who.ask("/my-courses")).status === 200;
const tokenOf = (who: Visitor) =>
  decodeURIComponent(who.cookies.get(name) ?? "").split(".")[0] ?? "";
const rows = (token: string) =>
  site.services.db.read.selectFrom("sessions").selectAll().where("token", "=", token).execute();
const signIn = (account: { email: string; password: string }, who = visitor(site)) =>
  who.ask("/auth", { form: { email: account.email, password: account.password } }).then(() => who);
/** Somebody with exactly these cookies. */
function withCookie(value: string): Visitor {
  const who = visitor(site);
  who.cookies.set(name, value);
  return who;
}

describe("a session that was planted", () => {
  const signed = (token: string, secret: string) =>
    encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`);
  const planted: [string, () => Promise<string>][] = [
    ["without a signature", async () => "a".repeat(32)],
    [
      "signed by another secret",
      async () => signed("a".repeat(32), "another-secret-of-somebody-else!"),
    ],
    [
      "well signed, of no session",
      async () => signed("a".repeat(32), site.services.config.authSecret),
    ],
    [
      "of somebody else",
      async () => {
        const other = await createPerson(site.services, { name: "Eve" });
        return (await site.cookieOf(other)).split("=").slice(1).join("=");
      },
    ],
  ];

  test.each(planted)("%s: signing in makes a new one", async (_, make) => {
    const value = await make();
    const account = await createAccount(site.services);
    const ada = await signIn(account, withCookie(value));
    expect(await isIn(ada)).toBe(true);
    expect(tokenOf(ada)).not.toBe(decodeURIComponent(value).split(".")[0]);
    expect(await rows(tokenOf(ada))).toMatchObject([{ userId: account.id }]);
    for (const { userId } of await rows(decodeURIComponent(value).split(".")[0] ?? ""))
      expect(userId).not.toBe(account.id);
  });

  test("each time of signing in has a token of its own, on the same device as well", async () => {
    const account = await createAccount(site.services);
    const ada = visitor(site);
    const tokens = new Set<string>();
    for (let n = 0; n < 3; n += 1) tokens.add(tokenOf(await signIn(account, ada)));
    expect(tokens.size).toBe(3);
  });

  test("nobody is signed in by an address that somebody else has sent her", async () => {
    const eve = visitor(site);
    const email = newAddress();
    await eve.ask("/auth?mode=sign-up", { form: { name: "Eve", email, password: goodPassword } });
    const letter = new URL((await letterTo(site.services.config, email)).link);
    const token = letter.searchParams.get("token") ?? "";
    const ada = visitor(site);
    for (const path of [
      pathOf({ link: letter.href } as never),
      `/api/auth/verify-email?token=${token}`,
    ]) {
      const answer = await ada.ask(path);
      expect(answer.headers.getSetCookie().join()).not.toContain(name);
    }
    expect(await isIn(ada)).toBe(false);
  });
});

describe("a stolen cookie is dead", () => {
  test("after signing out, in the database too", async () => {
    const ada = await signIn(await createAccount(site.services));
    const stolen = ada.cookies.get(name) ?? "";
    const token = tokenOf(ada);
    await ada.ask("/auth/sign-out", { form: {} });
    expect(await rows(token)).toEqual([]);
    expect(await isIn(withCookie(stolen))).toBe(false);
    const session = await withCookie(stolen).ask("/api/auth/get-session");
    expect(await session.json()).toBeNull();
  });

  test("after a new password, and so is the other link to choose one", async () => {
    const account = await createAccount(site.services);
    const stolen = (await signIn(account)).cookies.get(name) ?? "";
    const who = visitor(site);
    const links: string[] = [];
    for (let n = 1; n <= 2; n += 1) {
      await who.ask("/auth/forgot", { form: { email: account.email } });
      links.push(pathOf(await letterTo(site.services.config, account.email, n)));
    }
    const asked = links.map((link) =>
      visitor(site).ask(link, { form: { password: "Another-horse-7" } }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toContain(303);
    expect(await isIn(withCookie(stolen))).toBe(false);
  });
});

test("a link to choose a password works once, also for many who press at once", async () => {
  const { email } = await createAccount(site.services);
  await visitor(site).ask("/auth/forgot", { form: { email } });
  const link = pathOf(await letterTo(site.services.config, email));
  const tries = Array.from({ length: 8 }, (_, n) =>
    visitor(site).ask(link, { form: { password: `Another-horse-${n}` } }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(7);
});

test("a link that confirms an address signs in once, also where many press at once", async () => {
  const email = newAddress();
  await visitor(site).ask("/auth?mode=sign-up", {
    form: { name: "Ada", email, password: goodPassword },
  });
  const link = pathOf(await letterTo(site.services.config, email));
  await visitor(site).ask(link, { form: {} });
  const late = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const who = visitor(site);
      await who.ask(link, { form: {} });
      return isIn(who);
    }),
  );
  expect(late).toEqual(Array(6).fill(false));
});
