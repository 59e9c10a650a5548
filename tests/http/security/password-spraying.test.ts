import { describe, expect, test } from "vitest";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import { type Limit, withinLimit } from "~/platform/db/rate-limit.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

const site = siteOfFile();

const wrong = "Wrong-horse-9";
const { account: owners, device, network } = signInLimits;
const tooMany = "That was a lot of tries in a short time";
const direct = (json: { email: string; password: string }, who = visitor(site)) =>
  who.ask("/api/auth/sign-in/email", { json });
const byForm = (form: { email: string; password: string }, who: Visitor) =>
  who.ask("/auth", { form });

/** As {@link guess} leaves it, without the time that so many passwords take. */
async function besiege(whose: string, limit: Omit<Limit, "whose"> = owners, count = limit.max) {
  for (let n = 0; n < count; n += 1) await withinLimit(site.services, { ...limit, whose });
}
/** Strangers from all over the world guess at this account at once. */
async function guess(email: string, count: number) {
  const tries = Array.from({ length: count }, () => direct({ email, password: wrong }));
  return (await Promise.all(tries)).map(({ status }) => status);
}
const letThrough = (statuses: number[]) => statuses.filter((status) => status !== 429).length;

describe("one account, tried from many addresses", { timeout: 120_000 }, () => {
  test("lets so many through, exactly, also when they come at once", async () => {
    const { email } = await createAccount(site.services);
    expect(letThrough(await guess(email, owners.max + 15))).toBe(owners.max);
    const late = await byForm({ email, password: goodPassword }, visitor(site));
    expect(late.status).toBe(400);
    expect(readable(await late.text())).toContain(tooMany);
    site.clock.forward(owners.windowSeconds * 1000);
    expect((await direct({ email, password: goodPassword })).status).toBe(200);
  });

  test("an unknown address is treated alike", async () => {
    expect(letThrough(await guess(newAddress(), owners.max + 15))).toBe(owners.max);
  });

  test("however it is written", async () => {
    const { email } = await createAccount(site.services);
    const [name = "", host = ""] = email.split("@");
    const ways = [email.toUpperCase(), `${name.toUpperCase()}@${host}`, ` ${email}`, `${email}\t`];
    const tries = Array.from({ length: owners.max * 2 }, (_, n) =>
      direct({ email: ways[n % ways.length] ?? email, password: wrong }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(owners.max);
    expect((await direct({ email, password: goodPassword })).status).toBe(429);
  });

  test("as a form and as JSON, counted together", async () => {
    const { email } = await createAccount(site.services);
    await besiege(email, owners, owners.max - 2);
    expect((await byForm({ email, password: wrong }, visitor(site))).status).toBe(400);
    const form = new URLSearchParams({ email, password: wrong });
    const asked = { method: "POST", body: form };
    expect((await visitor(site).ask("/api/auth/sign-in/email", asked)).status).toBe(401);
    expect((await visitor(site).ask("/api/auth/sign-in/email", asked)).status).toBe(429);
  });

  test("does not lock its owner out on a known device", async () => {
    const account = await createAccount(site.services);
    const ada = visitor(site);
    expect((await byForm(account, ada)).status).toBe(303);
    await ada.ask("/auth/sign-out", { form: {} });
    await besiege(account.email);
    expect((await direct(account)).status).toBe(429);
    expect((await byForm({ ...account, password: wrong }, ada)).status).toBe(400);
    expect((await byForm(account, ada)).status).toBe(303);
    expect((await ada.ask("/my-courses")).status).toBe(200);
  });

  test("does not lock its owner out after a new password, on any device", async () => {
    const { email } = await createAccount(site.services);
    await besiege(email);
    const ada = visitor(site);
    await ada.ask("/auth/forgot", { form: { email } });
    const password = "Another-horse-7";
    const message = await emailTo(site.services.config, email);
    expect((await ada.ask(pathOf(message), { form: { password } })).status).toBe(303);
    expect((await byForm({ email, password }, ada)).status).toBe(303);
    expect((await direct({ email, password })).status).toBe(429);
  });
});

describe("the sign of a known device", { timeout: 120_000 }, () => {
  const name = "blue-dot.device";
  async function known() {
    const account = await createAccount(site.services);
    const who = visitor(site);
    await byForm(account, who);
    return { account, sign: who.cookies.get(name) ?? "" };
  }
  const withSign = (sign: string) => {
    const who = visitor(site);
    who.cookies.set(name, sign);
    return who;
  };

  test("cannot be read by scripts, and signs nobody in", async () => {
    const account = await createAccount(site.services);
    const answer = await byForm(account, visitor(site));
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
    expect(line).toMatch(/; HttpOnly/i);
    expect(line).toMatch(/; SameSite=Lax/i);
    expect(line).not.toContain(encodeURIComponent(account.email));
    expect((await withSign((await known()).sign).ask("/my-courses")).status).toBe(302);
  });

  test("is good for its own account only, and for so many tries", async () => {
    const { account, sign } = await known();
    const other = await createAccount(site.services);
    await besiege(other.email);
    expect((await direct({ ...other, password: wrong }, withSign(sign))).status).toBe(429);
    const tries = Array.from({ length: device.max + 10 }, () =>
      direct({ email: account.email, password: wrong }, withSign(sign)),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(letThrough(statuses)).toBe(device.max);
    // A stolen one takes nothing from the others.
    expect((await direct(account)).status).toBe(200);
  });

  test.each([
    ["none", () => ""],
    ["made up", () => "0198~x.y"],
    ["altered", (sign: string) => `a${sign}`],
    ["with another's signature", (sign: string) => `x~y.${sign.split(".").at(-1)}`],
    ["not decodable", () => "%zz"],
  ])("%s is no sign", async (_, made) => {
    const { account, sign } = await known();
    await besiege(account.email);
    expect((await direct(account, withSign(made(sign)))).status).toBe(429);
  });
});

test("one password, tried at many accounts from one place, ends with that place's limit", async () => {
  const from = (n: number) => ({ "x-forwarded-for": `2001:db8:0:77::${n.toString(16)}` });
  await besiege("2001:db8:0:77::/64", network, network.max - 3);
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const json = { email: newAddress(), password: goodPassword };
    const answer = await site.ask("/api/auth/sign-in/email", { json, headers: from(n + 1) });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  const account = await createAccount(site.services);
  expect((await direct(account)).status).toBe(200);
});

test("successful sign-ins from one place are not counted", async () => {
  const place = { "x-forwarded-for": "203.0.113.200" };
  await besiege("203.0.113.200", network, network.max - 1);
  const { email, password } = await createAccount(site.services);
  await besiege(email, owners, owners.max - 1);
  for (let n = 0; n < 4; n += 1) {
    const asked = { json: { email, password }, headers: place };
    expect((await site.ask("/api/auth/sign-in/email", asked)).status).toBe(200);
  }
});

test("the library's own counting leaves those of an hour alone", async () => {
  const limit = { what: "newsletter", whose: "somebody", max: 2, windowSeconds: 3600 };
  for (let n = 0; n < 2; n += 1) expect(await withinLimit(site.services, limit)).toBe(true);
  const who = visitor(site);
  for (let n = 0; n < 3; n += 1) {
    await direct({ email: newAddress(), password: wrong }, who);
    site.clock.forward(120_000);
  }
  expect(await withinLimit(site.services, limit)).toBe(false);
});
