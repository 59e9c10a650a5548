import { describe, expect, test } from "vitest";
import { ensureAdmin, newSetupToken } from "~/features/auth/users.server.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { siteOfFile, startSite, type TestSite } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

const site = siteOfFile();

async function isAdmin(of: TestSite, credentials: { email: string; password: string }) {
  const who = visitor(of);
  const signedIn = await who.ask("/auth", { form: credentials });
  if (signedIn.status !== 303) return "refused";
  const { isAdmin } = (await (await who.ask("/api/verify-admin", { json: {} })).json()) as {
    isAdmin: boolean;
  };
  return isAdmin;
}

test("/setup: makes the first admin, once", async () => {
  const older = await newSetupToken(site.services);
  const token = await newSetupToken(site.services);
  expect((await site.ask(`/setup?token=${older}`)).status).toBe(404);
  expect((await site.ask(`/setup?token=${token}`)).status).toBe(200);
  const form = { name: "Nora", email: newAddress(), password: goodPassword };
  const address = `/setup?token=${token}`;

  const weak = await site.ask(address, { form: { ...form, password: "weak" } });
  expect(weak.status).toBe(400);
  const student = await createAccount(site.services);
  const taken = await site.ask(address, { form: { ...form, email: student.email } });
  expect(taken.status).toBe(400);

  const both = await Promise.all([
    site.ask(address, { form }),
    site.ask(address, { form: { ...form, email: newAddress() } }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect((await site.ask(address)).status).toBe(404);
  expect((await site.ask(address, { form: { ...form, email: newAddress() } })).status).toBe(404);
  expect(await newSetupToken(site.services)).toBeNull();
  const admins = await site.services.db.read
    .selectFrom("profiles")
    .select(["email", "emailVerified"])
    .where("role", "=", "admin")
    .execute();
  expect(admins).toHaveLength(1);
  expect(await isAdmin(site, { email: admins[0]?.email ?? "", password: goodPassword })).toBe(true);
  expect(await isAdmin(site, student)).toBe(false);
});

describe("ADMIN_EMAIL and ADMIN_PASSWORD", () => {
  test("make an admin at the start", async () => {
    const admin = { email: "Nora@Example.com", password: goodPassword };
    const configured = await startSite({
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    });
    try {
      expect(await isAdmin(configured, admin)).toBe(true);
      expect(await newSetupToken(configured.services)).toBeNull();
    } finally {
      await configured.close();
    }
  });

  test("make one admin, although several processes start at once", async () => {
    const email = newAddress();
    const start = () => ensureAdmin(site.services, email, "Configured-1");
    await Promise.all([start(), start(), start()]);
    expect(await isAdmin(site, { email, password: "Configured-1" })).toBe(true);
  });

  test("leave a confirmed account its password", async () => {
    const { email } = await createAccount(site.services);
    await ensureAdmin(site.services, email, "Configured-1");
    expect(await isAdmin(site, { email, password: "Configured-1" })).toBe("refused");
    expect(await isAdmin(site, { email, password: goodPassword })).toBe(true);
  });

  test("make an account an administrator again, on the audit log, once", async () => {
    const { id: personId, email } = await createAccount(site.services);
    for (let starts = 0; starts < 2; starts++)
      await ensureAdmin(site.services, email, "Configured-1");
    const entries = site.services.db.read
      .selectFrom("auditEntries")
      .where("personId", "=", personId);
    expect(await entries.select(["action", "actorId", "actorName"]).execute()).toEqual([
      { action: "account.made-admin", actorId: null, actorName: "ADMIN_EMAIL" },
    ]);
  });

  test("give an unconfirmed account the configured password", async () => {
    const email = newAddress();
    const form = { name: "Eve", email, password: "Strangers-1" };
    await visitor(site).ask("/auth?mode=sign-up", { form });
    await ensureAdmin(site.services, email, "Configured-1");
    expect(await isAdmin(site, { email, password: "Strangers-1" })).toBe("refused");
    expect(await isAdmin(site, { email, password: "Configured-1" })).toBe(true);
  });
});
