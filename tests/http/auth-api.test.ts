import { describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { ownRows, profilesWith } from "../support/own-rows.ts";
import { passkeyDevice } from "../support/passkey.ts";
import { siteOfFile, startSite } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

const site = siteOfFile();

const post = (
  path: string,
  json: unknown,
  more: { origin?: string | null; as?: { id: string } } = {},
) => visitor(site).ask(`/api/auth${path}`, { json, ...more });

describe("/api/auth follows the rules of the forms", () => {
  const fields = () => ({ name: "Ada", email: newAddress(), password: goodPassword });

  test("saves a name without the spaces around it, of any kind", async () => {
    const email = newAddress();
    const name = "\u00a0\u2028\u3000=1+1 \ufeff";
    expect((await post("/sign-up/email", { ...fields(), name, email })).status).toBe(200);
    expect(await profilesWith(site.services, email)).toMatchObject([{ name: "=1+1" }]);
  });

  test("a new password that is weak", async () => {
    const response = await post("/reset-password", { token: "x", newPassword: "abcdefgh" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: "Password must include at least one uppercase letter",
    });
  });

  // Operations of the library: roles.test.ts.
  test.each(["/admin/set-role", "/no-such-operation"])("%s is closed", async (path) => {
    const { id } = await createAccount(site.services);
    const statuses = [
      (await post(path, { role: "admin" }, { as: { id } })).status,
      (await site.ask(`/api/auth${path}`, { as: { id } })).status,
    ];
    expect(statuses).toEqual([404, 404]);
  });

  test("a body that is no JSON is refused without a stack", async () => {
    const response = await visitor(site).ask("/api/auth/sign-in/email", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\n\s+at |node_modules/);
  });

  test("one's own session can be asked for", async () => {
    const { id } = await createAccount(site.services);
    const response = await site.ask("/api/auth/get-session", { as: { id } });
    expect(await response.json()).toMatchObject({ user: { id } });
  });
});

describe("answers to scripts hold no session token, which only the HttpOnly cookie has", () => {
  const tokens = async (userId: string) => {
    return (await ownRows(site.services, "sessions", userId)).map(({ token }) => token);
  };
  async function expectNone(response: Response, userId: string) {
    const body = await response.text();
    expect(response.status).toBe(200);
    const all = await tokens(userId);
    expect(all.length).toBeGreaterThan(0);
    for (const token of all) expect(body).not.toContain(token);
    return JSON.parse(body);
  }

  test("POST /api/auth/sign-in/email", async () => {
    const { id, email, password } = await createAccount(site.services);
    const answer = await post("/sign-in/email", { email, password });
    expect(await expectNone(answer, id)).toMatchObject({ redirect: false, user: { id } });
  });

  test("GET /api/auth/get-session", async () => {
    const person = await createAccount(site.services);
    const answer = await site.ask("/api/auth/get-session", { as: person });
    const told = { session: { userId: person.id }, user: { id: person.id } };
    expect(await expectNone(answer, person.id)).toMatchObject(told);
  });

  test("GET /api/session and GET /api/auth/token", async () => {
    const person = await createAccount(site.services);
    const cookie = await site.cookieOf(person);
    await expectNone(await site.ask("/api/session", { headers: { cookie } }), person.id);
    const answer = await site.ask("/api/auth/token", { headers: { cookie } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    // An access token, which names its session by id and ends after ten minutes, is what it gives.
    expect(await expectNone(answer, person.id)).toEqual({ token: expect.stringMatching(/^ey/) });
  });

  test("POST /api/auth/passkey/verify-authentication", async () => {
    const person = await createAccount(site.services);
    const device = passkeyDevice(site.services.config.appUrl);
    const owner = visitor(site);
    await owner.ask("/auth", { form: person });
    const registering = await owner.ask("/api/auth/passkey/generate-register-options");
    const passkey = device.register(await registering.json());
    const form = { intent: "add-passkey", name: "Laptop", passkey };
    expect((await owner.ask("/account/security", { form })).status).toBe(200);
    const other = visitor(site);
    const options = await other.ask("/api/auth/passkey/generate-authenticate-options");
    const response = JSON.parse(device.signIn(await options.json()));
    const path = "/api/auth/passkey/verify-authentication";
    const answer = await other.ask(path, { json: { response } });
    const told = { session: { userId: person.id } };
    expect(await expectNone(answer, person.id)).toMatchObject(told);
  });
});

describe("behind an https proxy", () => {
  const secure = siteOfFile({ APP_URL: "https://grief.example" });

  test("forms work, and cookies are for https only", async () => {
    const account = await createAccount(secure.services);
    const response = await visitor(secure).ask("/auth", {
      form: account,
      origin: "https://grief.example",
    });
    expect(response.status).toBe(303);
    const cookie = response.headers.getSetCookie().find((line) => line.includes("session_token="));
    expect(cookie).toMatch(/^__Host-blue-dot\.session_token=.*Secure/);
    expect(response.headers.get("strict-transport-security")).toMatch(/max-age=\d{8}/);
  });

  test("a cookie counts with the prefix `__Host-` alone, which only this host can have set", async () => {
    const cookie = await secure.cookieOf(await createAccount(secure.services));
    const toast = `toast=${encodeURIComponent(JSON.stringify({ title: "A notice" }))}`;
    const asked = async (prefix: string) => {
      const headers = { cookie: `${prefix}${cookie}; ${prefix}${toast}; ${prefix}tz=Asia%2FTokyo` };
      const page = await secure.ask("/my-courses", { headers });
      return { status: page.status, notice: (await page.text()).includes("A notice") };
    };
    expect(await asked("__Host-")).toEqual({ status: 200, notice: true });
    expect(await asked("")).toEqual({ status: 302, notice: false });
    expect(await asked("__Secure-")).toEqual({ status: 302, notice: false });
  });
});

describe("without a proxy", () => {
  test("X-Forwarded-For is ignored", async () => {
    const direct = await startSite();
    try {
      const json = { email: "nobody@example.com", password: "Wrong-horse-9" };
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1)
        statuses.push((await visitor(direct).ask("/api/auth/sign-in/email", { json })).status);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await direct.close();
    }
  });
});
