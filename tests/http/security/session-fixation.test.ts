import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { createPerson } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, type Visitor, visitor } from "../../support/visitor.ts";

const name = "blue-dot.session_token";
const site = siteOfFile();

const tokenOf = (who: Visitor) =>
  decodeURIComponent(who.cookies.get(name) ?? "").split(".")[0] ?? "";
const rows = (token: string) =>
  site.services.db.read.selectFrom("sessions").selectAll().where("token", "=", token).execute();
const signIn = (account: { email: string; password: string }, who = visitor(site)) =>
  who.ask("/auth", { form: { email: account.email, password: account.password } }).then(() => who);
/** Someone with exactly these cookies. */
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
    expect(await isSignedIn(ada)).toBe(true);
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

  test("no one is signed in by an address that someone else sent", async () => {
    const eve = visitor(site);
    const email = newAddress();
    await eve.ask("/auth?mode=sign-up", { form: { name: "Eve", email, password: goodPassword } });
    const message = new URL((await emailTo(site.services.config, email)).link);
    const token = message.searchParams.get("token") ?? "";
    const ada = visitor(site);
    for (const path of [
      pathOf({ link: message.href } as never),
      `/api/auth/verify-email?token=${token}`,
    ]) {
      const answer = await ada.ask(path);
      expect(answer.headers.getSetCookie().join()).not.toContain(name);
    }
    expect(await isSignedIn(ada)).toBe(false);
  });
});

test("a new password ends what a stolen cookie is worth, also where two links are pressed at once", async () => {
  const account = await createAccount(site.services);
  const stolen = (await signIn(account)).cookies.get(name) ?? "";
  const who = visitor(site);
  const links: string[] = [];
  for (let n = 1; n <= 2; n += 1) {
    await who.ask("/auth/forgot", { form: { email: account.email } });
    links.push(pathOf(await emailTo(site.services.config, account.email, n)));
  }
  const asked = links.map((link) =>
    visitor(site).ask(link, { form: { password: "Another-horse-7" } }),
  );
  expect((await Promise.all(asked)).map(({ status }) => status)).toContain(303);
  expect(await isSignedIn(withCookie(stolen))).toBe(false);
});

test("a link to choose a password works once, also for many who press at once", async () => {
  const { email } = await createAccount(site.services);
  await visitor(site).ask("/auth/forgot", { form: { email } });
  const link = pathOf(await emailTo(site.services.config, email));
  const tries = Array.from({ length: 8 }, (_, n) =>
    visitor(site).ask(link, { form: { password: `Another-horse-${n}` } }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  // On a busy machine some wait too long for their turn to hash.
  expect(statuses.filter((status) => status === 400 || status === 503)).toHaveLength(7);
});
