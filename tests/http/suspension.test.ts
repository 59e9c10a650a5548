import { beforeAll, describe, expect, test } from "vitest";
import { wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { suspend, unsuspend } from "~/features/accounts/suspension.server.ts";
import { createAccount } from "../support/accounts.ts";
import { site as content } from "../support/first-edition.ts";
import { emailTo, pathOf } from "../support/mailbox.ts";
import { changeOwn, ownRows, profileOf } from "../support/own-rows.ts";
import { createPerson } from "../support/people.ts";
import { readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { signedIn, visitor } from "../support/visitor.ts";

const site = siteOfFile();
let coach: { id: string; cookie: string };

beforeAll(async () => {
  const { id } = await createPerson(site.services, { role: "admin", name: "Coach" });
  coach = { id, cookie: await site.cookieOf({ id }) };
});

const press = (id: string, form: Record<string, string>, as = coach) =>
  site.ask(`/admin/students/${id}`, { form, as });
const shut = (id: string) => suspend(site.services, { id, reason: "", by: coach.id });

const rowOf = (id: string) => profileOf(site.services, id);

describe("a suspended account", () => {
  test("is signed out at once, and reads so at the sign-in alone", async () => {
    const account = await createAccount(site.services);
    const here = await signedIn(site, account);
    expect((await here.ask("/my-courses")).status).toBe(200);
    await press(account.id, { intent: "suspend", reason: "Shared her password." });
    expect((await here.ask("/my-courses")).status).toBe(302);
    const refused = await here.ask("/auth", { form: account });
    expect(refused.status).toBe(400);
    expect(refused.headers.getSetCookie().join()).not.toContain("session_token=");
    const page = readable(await refused.text());
    expect(page).toContain("This account is paused");
    expect(page).toContain(content.email);
    expect(page).not.toContain("Shared her password");
    const wrong = await visitor(site).ask("/auth", {
      form: { ...account, password: "Wrong-horse-9" },
    });
    expect(readable(await wrong.text())).not.toContain("paused");
    await press(account.id, { intent: "let-in" });
    expect((await here.ask("/auth", { form: account })).status).toBe(303);
    expect(await rowOf(account.id)).toMatchObject({ suspendedAt: null, suspendedReason: null });
  });

  test("gets no session from the library either", async () => {
    const { id, email, password } = await createAccount(site.services);
    await shut(id);
    const response = await visitor(site).ask("/api/auth/sign-in/email", {
      json: { email, password },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "ACCOUNT_SUSPENDED" });
    expect(await ownRows(site.services, "sessions", id)).toEqual([]);
  });

  test("may choose another password, and still cannot sign in", async () => {
    const { id, email } = await createAccount(site.services);
    await shut(id);
    const here = visitor(site);
    await here.ask("/auth/forgot", { form: { email } });
    const message = await emailTo(site.services.config, email);
    const password = "Another-horse-9";
    expect((await here.ask(pathOf(message), { form: { password } })).status).toBe(303);
    const refused = await here.ask("/auth", { form: { email, password } });
    expect(readable(await refused.text())).toContain("This account is paused");
  });

  test("is not signed in by a session that is left", async () => {
    const { id } = await createPerson(site.services);
    const cookie = await site.cookieOf({ id });
    await changeOwn(site.services, "profiles", id, { suspendedAt: site.clock.now() });
    expect((await site.ask("/my-courses", { as: { id, cookie } })).status).toBe(302);
  });

  test("gets no emails about lessons", async () => {
    const { id: userId } = await createPerson(site.services);
    const wants = () => wantsEmail(site.services.db.read, { userId, kind: "lesson-opened" });
    expect(await wants()).toBe(true);
    await shut(userId);
    expect(await wants()).toBe(false);
    await unsuspend(site.services, userId);
    expect(await wants()).toBe(true);
  });

  test("shows its reason to administrators, and stands so in the list", async () => {
    const { id } = await createPerson(site.services, { name: "Mary Wollstonecraft" });
    await press(id, { intent: "suspend", reason: "She asked for a break.\nUntil May." });
    const page = await (await site.ask(`/admin/students/${id}`, { as: coach })).text();
    expect(page).toContain("She asked for a break.");
    const list = await (await site.ask("/admin/students?q=wollstonecraft", { as: coach })).text();
    expect(list).toContain("Suspended");
  });
});

describe("a suspended admin", () => {
  test("is no admin any more", async () => {
    const { id } = await createPerson(site.services, { role: "admin" });
    const cookie = await site.cookieOf({ id });
    expect((await site.ask("/admin", { as: { id, cookie } })).status).toBe(200);
    await shut(id);
    expect((await site.ask("/admin", { as: { id, cookie } })).status).toBe(302);
  });

  test("cannot be suspended by themselves", async () => {
    const response = await press(coach.id, { intent: "suspend", reason: "Tired." });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("You cannot suspend your own account.");
    expect((await rowOf(coach.id))?.suspendedAt).toBeNull();
  });

  test("of two who suspend each other at once, one is suspended", async () => {
    const [one, two] = [
      await createPerson(site.services, { role: "admin" }),
      await createPerson(site.services, { role: "admin" }),
    ];
    const outcomes = await Promise.allSettled([
      suspend(site.services, { id: one.id, reason: "", by: two.id }),
      suspend(site.services, { id: two.id, reason: "", by: one.id }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rows = await Promise.all([rowOf(one.id), rowOf(two.id)]);
    expect(rows.filter((row) => row?.suspendedAt)).toHaveLength(1);
  });
});
