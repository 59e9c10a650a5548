import { describe, expect, test } from "vitest";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { deleteRetiredKeys, rotateSigningKeys } from "~/platform/auth/access-token.ts";
import { sessionCookie } from "~/platform/auth/constants.ts";
import { deleteExpiredSessions, deleteExpiredVerifications } from "~/platform/auth/sessions.ts";
import { createAccount } from "../support/accounts.ts";
import { emailTo } from "../support/mailbox.ts";
import { changeOwn, deleteOwn, ownRows } from "../support/own-rows.ts";
import { siteOfFile } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

const site = siteOfFile();

/** Someone with a session, as a program sees it. */
async function signIn({ role = "student" }: { role?: "student" | "admin" } = {}) {
  const { services } = site;
  const account = await createAccount(services, { role });
  const who = visitor(site);
  const { email, password } = account;
  const response = await who.ask("/api/auth/sign-in/email", { json: { email, password } });
  expect(response.status).toBe(200);
  const cookie = who.cookies.get(sessionCookie) ?? "";
  return { ...account, who, refreshToken: decodeURIComponent(cookie) };
}

const exchange = (refreshToken: unknown, who = visitor(site)) =>
  who.ask("/api/auth/token", {
    json: { grant_type: "refresh_token", refresh_token: refreshToken },
    origin: null,
  });

async function accessToken(refreshToken: string): Promise<string> {
  const response = await exchange(refreshToken);
  expect(response.status).toBe(200);
  return (await response.json()).access_token;
}

const verifyAdmin = (headers: Record<string, string>, who = visitor(site)) =>
  who.ask("/api/verify-admin", { method: "POST", headers, origin: null });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function isAdmin(token: string): Promise<boolean> {
  const response = await verifyAdmin(bearer(token));
  expect(response.status).toBe(200);
  return (await response.json()).isAdmin;
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("GET /api/session", () => {
  test("says who, until when, and nothing secret", async () => {
    const { who, id, refreshToken } = await signIn();
    const response = await who.ask("/api/session");
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      session: { userId: id, expiresAt: expect.any(String), factors: [], level: 1 },
    });
    expect(text).not.toContain(refreshToken.split(".")[0]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("a session that is due is prolonged", async () => {
    const { who, id } = await signIn();
    const soon = new Date(Date.now() + 3600_000);
    await changeOwn(site.services, "sessions", id, { expiresAt: soon });
    const response = await who.ask("/api/session");
    expect(response.headers.getSetCookie().join()).toContain("session_token=");
    const { session } = await (await who.ask("/api/session")).json();
    expect(Date.parse(session.expiresAt)).toBeGreaterThan(soon.getTime() + 24 * 3600_000);
  });

  test.each([
    ["no cookie", () => ""],
    ["an empty one", (name: string) => `${name}=`],
    ["one that cannot be decoded", (name: string) => `${name}=%zz.%`],
    ["one without a signature", (name: string) => `${name}=abc`],
    ["one with a wrong signature", (name: string) => `${name}=abc.${"A".repeat(43)}%3D`],
    ["one that is very long", (name: string) => `${name}=${"a".repeat(6000)}.b`],
  ])("%s is no session, and no error", async (_, cookie) => {
    const headers = { cookie: cookie(sessionCookie) };
    const response = await visitor(site).ask("/api/session", { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ session: null });
    const page = await visitor(site).ask("/my-courses", { headers });
    expect(page.headers.get("location")).toBe("/auth?redirect=/my-courses");
  });

  test("a session that was ended is none at once", async () => {
    const { who, id } = await signIn();
    await deleteOwn(site.services, "sessions", id);
    expect(await (await who.ask("/api/session")).json()).toEqual({ session: null });
  });
});

describe("access tokens", () => {
  test("speak for their session, for ten minutes, without any cookie", async () => {
    const { id, refreshToken } = await signIn({ role: "admin" });
    const response = await exchange(refreshToken);
    const answer = await response.json();
    expect(answer).toMatchObject({
      token_type: "bearer",
      refresh_token: refreshToken,
      user: { id },
    });
    expect(answer.expires_in).toBeGreaterThan(590);
    expect(answer.expires_in).toBeLessThanOrEqual(600);
    const claims = claimsOf(answer.access_token);
    expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "iat", "iss", "sid", "sub"]);
    expect(claims).toMatchObject({ sub: id, iss: site.services.config.appUrl });
    expect(await isAdmin(answer.access_token)).toBe(true);
  });

  test("a student's is a student's", async () => {
    const { refreshToken } = await signIn();
    expect(await isAdmin(await accessToken(refreshToken))).toBe(false);
  });

  test("end with their session", async () => {
    const { id, refreshToken } = await signIn({ role: "admin" });
    const token = await accessToken(refreshToken);
    await deleteOwn(site.services, "sessions", id);
    expect(await isAdmin(token)).toBe(false);
    expect((await exchange(refreshToken)).status).toBe(401);
  });

  test.each([
    ["changed", (token: string) => token.replace(/\.[^.]+\./, (part) => `.${part.slice(1, -2)}A.`)],
    ["without a signature", (token: string) => token.replace(/[^.]+$/, "")],
    ["cut", (token: string) => token.slice(0, 20)],
    [
      "unsigned by its own word",
      (token: string) =>
        `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
    ],
  ])("one that is %s is refused", async (_, spoil) => {
    const { refreshToken, who } = await signIn({ role: "admin" });
    const token = spoil(await accessToken(refreshToken));
    expect(await isAdmin(token)).toBe(false);
    // Nor does the cookie beside it.
    const origin = site.services.config.appUrl;
    const both = await who.ask("/api/verify-admin", {
      method: "POST",
      headers: bearer(token),
      origin,
    });
    expect(await both.json()).toEqual({ isAdmin: false });
  });

  test.each([
    ["none", undefined, 400],
    ["an empty one", "", 400],
    ["a number", 7, 400],
    ["one that nobody signed", "none", 401],
    ["a long one", "x".repeat(2000), 400],
    ["a very long one", "x".repeat(5000), 413],
  ])("a refresh token that is %s is refused", async (_, refreshToken, status) => {
    const response = await exchange(refreshToken);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
  });

  test("the cookie alone gives none: another site could send it", async () => {
    const { who } = await signIn();
    const response = await who.ask("/api/auth/token", { json: {}, origin: null });
    expect(response.status).toBe(400);
  });

  test("they count for operations of programs only", async () => {
    const { refreshToken } = await signIn({ role: "admin" });
    const headers = bearer(await accessToken(refreshToken));
    const page = await visitor(site).ask("/admin", { headers });
    expect(page.headers.get("location")).toMatch(/^\/auth/);
    const post = await visitor(site).ask("/api/auth/sign-out", {
      method: "POST",
      headers,
      origin: null,
    });
    expect(post.status).toBe(403);
  });

  test("exchanges are limited", async () => {
    const { refreshToken, who } = await signIn();
    const statuses = [];
    for (let i = 0; i < 62; i += 1) statuses.push((await exchange(refreshToken, who)).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});

test("sign-in: ends the session that this browser had, and no other", async () => {
  const { id, email, password, who, refreshToken } = await signIn();
  const elsewhere = visitor(site);
  await elsewhere.ask("/api/auth/sign-in/email", { json: { email, password } });
  await who.ask("/api/auth/sign-in/email", { json: { email, password } });
  expect((await exchange(refreshToken)).status).toBe(401);
  const rows = await ownRows(site.services, "sessions", id);
  expect(rows).toHaveLength(2);
  expect((await (await who.ask("/api/session")).json()).session.userId).toBe(id);
  expect((await (await elsewhere.ask("/api/session")).json()).session.userId).toBe(id);
});

test("deleteExpiredSessions: leaves those that have not expired", async () => {
  const [over, good] = [await signIn(), await signIn()];
  const { db } = site.services;
  await changeOwn({ db }, "sessions", over.id, { expiresAt: new Date(Date.now() - 1000) });
  await deleteExpiredSessions.run(site.services);
  const left = await db.read.selectFrom("sessions").select("userId").execute();
  expect(left).toContainEqual({ userId: good.id });
  expect(left).not.toContainEqual({ userId: over.id });
});

test("deleteExpiredVerifications: deletes what was never finished", async () => {
  const { db } = site.services;
  await visitor(site).ask("/api/auth/passkey/generate-authenticate-options");
  const open = () => db.read.selectFrom("verifications").select("id").execute();
  const [begun] = await open();
  await deleteExpiredVerifications.run(site.services);
  expect(await open()).toContainEqual(begun);
  await db.write
    .updateTable("verifications")
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .execute();
  await deleteExpiredVerifications.run(site.services);
  expect(await open()).toEqual([]);
});

test("access tokens: an account with a pending deletion gets none", async () => {
  const { id, email, password } = await signIn();
  await scheduleDeletion(site.services, id);
  const back = visitor(site);
  await back.ask("/api/auth/sign-in/email", { json: { email, password } });
  const cookie = back.cookies.get(sessionCookie) ?? "";
  expect((await exchange(decodeURIComponent(cookie))).status).toBe(401);
});

describe("signing keys", () => {
  const keyIds = async () => {
    const response = await visitor(site).ask("/.well-known/jwks.json");
    expect(response.headers.get("content-type")).toContain("application/json");
    const { keys } = await response.json();
    return keys.map(({ kid }: { kid: string }) => kid) as string[];
  };
  const keyOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

  test("are changed by command; what was signed before stays good", async () => {
    const { refreshToken } = await signIn({ role: "admin" });
    const before = await accessToken(refreshToken);
    const newKey = await rotateSigningKeys(site.services);
    const after = await accessToken(refreshToken);
    expect(keyOf(after)).toBe(newKey);
    expect(keyOf(before)).not.toBe(newKey);
    expect(await keyIds()).toEqual(expect.arrayContaining([keyOf(before), newKey]));
    expect(await isAdmin(before)).toBe(true);
    expect(await isAdmin(after)).toBe(true);
  });

  test("that are retired for a day are deleted", async () => {
    const { refreshToken } = await signIn();
    const old = keyOf(await accessToken(refreshToken));
    const newKey = await rotateSigningKeys(site.services);
    await site.services.db.write
      .updateTable("jwks")
      .set({ expiresAt: new Date(Date.now() - 25 * 3600_000) })
      .where("id", "=", old)
      .execute();
    await deleteRetiredKeys.run(site.services);
    const left = await keyIds();
    expect(left).toContain(newKey);
    expect(left).not.toContain(old);
  });

  test("are encrypted in the database", async () => {
    const { refreshToken } = await signIn();
    await accessToken(refreshToken);
    const rows = await site.services.db.read.selectFrom("jwks").selectAll().execute();
    for (const { privateKey } of rows) expect(privateKey).not.toContain('"d"');
  });
});

test("links of emails: are in the database as hashes only", async () => {
  const { email } = await createAccount(site.services);
  const redirectTo = `${site.services.config.appUrl}/my-courses`;
  await visitor(site).ask("/api/auth/request-password-reset", { json: { email, redirectTo } });
  const { link } = await emailTo(site.services.config, email);
  const token = new URL(link).searchParams.get("token") ?? "";
  expect(token.length).toBeGreaterThan(10);
  const kept = await site.services.db.read.selectFrom("verifications").selectAll().execute();
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept)).not.toContain(token);
});
