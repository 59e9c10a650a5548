import { expect, test } from "vitest";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { emailsTo, emailTo } from "../support/mailbox.ts";
import { siteOfFile } from "../support/site.ts";
import { type Visitor, visitor } from "../support/visitor.ts";

const site = siteOfFile();

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0";

async function signIn(email: string, who: Visitor, password = goodPassword) {
  const headers = { "user-agent": firefox };
  return (await who.ask("/auth", { form: { email, password }, headers })).status;
}

async function accountSince(createdAt: Date) {
  const account = await createAccount(site.services);
  await site.services.db.write
    .updateTable("profiles")
    .set({ createdAt })
    .where("id", "=", account.id)
    .execute();
  return account;
}
/** An account that is older than an hour. */
const oldAccount = () => accountSince(new Date(Date.now() - 48 * 3600_000));

const about = (email: string) =>
  emailsTo(site.services.config, email).map(({ subject }) => subject);

test("a sign-in on a new device alerts the owner, one on a known device does not", async () => {
  const { email } = await oldAccount();
  const own = visitor(site);
  expect(await signIn(email, own)).toBe(303);
  const message = await emailTo(site.services.config, email);
  expect(message.subject).toBe("A new device was used to sign in");
  expect(message.text).toContain("Firefox on Windows");
  expect(message.text).toContain("/auth/forgot");

  site.clock.forward(2 * 3600_000);
  await own.ask("/auth/sign-out", { form: {} });
  expect(await signIn(email, own)).toBe(303);
  expect(await signIn(email, visitor(site))).toBe(303);
  await emailTo(site.services.config, email, 2);
  expect(about(email)).toHaveLength(2);
});

test("many new devices at once are one email", async () => {
  const { email } = await oldAccount();
  for (let n = 0; n < 3; n += 1) expect(await signIn(email, visitor(site))).toBe(303);
  site.clock.forward(2 * 3600_000);
  expect(await signIn(email, visitor(site))).toBe(303);
  await emailTo(site.services.config, email, 2);
  expect(about(email)).toHaveLength(2);
});

test("a wrong password, and an account that was made just now, alert no one", async () => {
  const young = await accountSince(site.services.clock.now());
  expect(await signIn(young.email, visitor(site))).toBe(303);
  const old = await oldAccount();
  expect(await signIn(old.email, visitor(site), "Wrong-horse-9")).toBe(400);
  // What would have been written before this is written by now.
  const later = await oldAccount();
  expect(await signIn(later.email, visitor(site))).toBe(303);
  await emailTo(site.services.config, later.email);
  expect([...about(young.email), ...about(old.email)]).toEqual([]);
});

test("guessing alerts the owner, once, and no one where there is no account", async () => {
  const { email } = await oldAccount();
  const nobody = newAddress();
  for (const whose of [email, nobody]) {
    for (let n = 0; n < signInLimits.account.max; n += 1)
      await withinLimit(site.services, { ...signInLimits.account, whose });
    for (let n = 0; n < 3; n += 1)
      expect(await signIn(whose, visitor(site), "Wrong-horse-9")).toBe(400);
  }
  const message = await emailTo(site.services.config, email);
  expect(message.subject).toBe("Many wrong passwords were tried for your account");
  const later = await oldAccount();
  expect(await signIn(later.email, visitor(site))).toBe(303);
  await emailTo(site.services.config, later.email);
  expect(about(email)).toHaveLength(1);
  expect(about(nobody)).toEqual([]);
});
