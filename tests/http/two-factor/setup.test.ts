import { beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { emailsTo, emailTo } from "../../support/mailbox.ts";
import { changeOwn, ownRows } from "../../support/own-rows.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, signedIn, type Visitor } from "../../support/visitor.ts";
import { addApp, beginApp, giveCode, security } from "./steps.ts";

const site = siteOfFile();
let ada: Awaited<ReturnType<typeof createAccount>>;
let who: Visitor;

beforeEach(async () => {
  ada = await createAccount(site.services);
  who = await signedIn(site, ada);
});

const factors = async () => {
  const rows = await ownRows(site.services, "factors", ada.id);
  return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
};

describe("adding an authenticator app", () => {
  test("asks for a name and the password, then for a code; what it shows is the secret", async () => {
    const form = { intent: "begin", name: " ", password: "wrong" };
    const nameless = await who.ask(`${security}/app`, { form });
    expect(nameless.status).toBe(400);
    expect(readable(await nameless.text())).toContain("Give it a name");
    const stranger = await who.ask(`${security}/app`, { form: { ...form, name: "Pixel" } });
    expect(stranger.status).toBe(400);
    const page = readable(await stranger.text());
    expect(page).toContain("That is not your password.");
    expect(page).toContain('value="Pixel"');
    expect(await factors()).toEqual([]);

    const { page: setup, path } = await beginApp(who, "Pixel");
    expect(readable(setup)).toContain("Set up “Pixel”");
    const link = /href="(otpauth:[^"]+)"/.exec(readable(setup))?.[1] ?? "";
    expect(link).toContain(`otpauth://totp/Blue%20Dot:${encodeURIComponent(ada.email)}`);
    const typed = new URL(link).searchParams.get("secret") ?? "";
    expect(setup).toContain(typed.replaceAll(/(.{4})(?=.)/g, "$1 "));
    expect(setup).toMatch(/<svg class="qr[^>]+viewBox="0 0 (\d+) \1"/);
    const [row] = await factors();
    expect(row).toMatchObject({ status: "unverified", friendlyName: "Pixel" });
    expect(row?.secret).not.toContain(typed);

    for (const code of ["", "12345", "abcdef"]) {
      const refused = await who.ask(path, { form: { intent: "finish", code } });
      expect(refused.status).toBe(400);
      expect(readable(await refused.text())).toContain("Enter the six digits");
    }
    const wrong = await who.ask(path, { form: { intent: "finish", code: "000000" } });
    expect(readable(await wrong.text())).toContain("That code does not fit.");
    // It counts for nothing yet.
    expect(await isSignedIn(await signedIn(site, ada))).toBe(true);
  });

  test("the first one ends all other sessions but this one, and shows ten codes once", async () => {
    const elsewhere = await signedIn(site, ada);
    const before = new Map(who.cookies);
    const { codes, path } = await addApp(site, who, "Pixel");
    expect(new Set(codes).size).toBe(10);
    expect(await isSignedIn(who)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    const old = [...before].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await site.ask("/my-courses", { headers: { cookie: old } })).status).toBe(302);

    const again = await who.ask(path);
    const page = await again.text();
    expect(page).not.toContain("otpauth:");
    for (const code of codes) expect(page).not.toContain(code);
    const overview = readable(await (await who.ask(security)).text());
    expect(overview).toContain("Pixel");
    expect(overview).toContain("10 are left.");
    const hashes = await ownRows(site.services, "backupCodes", ada.id);
    for (const { codeHash } of hashes)
      expect(codes.map((code) => code.replace("-", ""))).not.toContain(codeHash);

    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("An authenticator app was added");
    expect(message.text).toContain("Pixel");
    expect(message.text).toContain("/auth/forgot");
  });

  test("a second one brings no new codes, and codes of both are taken", async () => {
    const first = await addApp(site, who, "One");
    const second = await addApp(site, who, "Two");
    expect(second).toMatchObject({ status: 303, codes: [] });
    for (const { app } of [first, second]) {
      site.clock.forward(60_000);
      const next = await signedIn(site, ada);
      const response = await giveCode(next, await app.code(site.clock.now()));
      expect(response.headers.get("location")).toBe("/my-courses");
    }
  });

  test("twice at once makes one set of codes", async () => {
    const { path, app } = await beginApp(who);
    const form = { intent: "finish", code: await app.code(site.clock.now()) };
    const both = await Promise.all([who.ask(path, { form }), who.ask(path, { form })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await factors()).toHaveLength(1);
  });

  test("is refused after ten", async () => {
    await addApp(site, who);
    for (let n = 0; n < 9; n += 1) await giveApp(site.services, ada);
    const form = { intent: "begin", name: "Eleventh", password: ada.password };
    const refused = await who.ask(`${security}/app`, { form });
    expect(readable(await refused.text())).toContain("There are 10 apps already.");
    expect(await factors()).toHaveLength(10);
  });
});

describe("authenticator apps", () => {
  const remove = (id: string | undefined, form: Record<string, string>, by = who) =>
    by.ask(`${security}/remove?app=${id}`, { form });

  test("are renamed, and removed with the password", async () => {
    await addApp(site, who, "Old name");
    const [row] = await factors();
    const nameless = await who.ask(`${security}/rename?app=${row?.id}`, { form: { name: "" } });
    expect(nameless.status).toBe(400);
    const renamed = await who.ask(`${security}/rename?app=${row?.id}`, { form: { name: "New" } });
    expect(toastOf(renamed)?.title).toBe("The name is changed.");
    expect((await factors())[0]?.friendlyName).toBe("New");

    const none = await remove(row?.id, {});
    expect(readable(await none.text())).toContain("Enter your password.");
    const wrong = await remove(row?.id, { password: "Wrong-horse-9" });
    expect(readable(await wrong.text())).toContain("That is not your password.");
    expect(await factors()).toHaveLength(1);

    const pending = await signedIn(site, ada);
    const removed = await remove(row?.id, { password: ada.password });
    expect(toastOf(removed)?.title).toBe("It is removed.");
    expect(await factors()).toEqual([]);
    expect(await isSignedIn(who)).toBe(true);
    // Anyone who stood at the second step has not been let in by this.
    expect(await isSignedIn(pending)).toBe(false);
    expect(await isSignedIn(await signedIn(site, ada))).toBe(true);
    expect(await ownRows(site.services, "backupCodes", ada.id)).toEqual([]);
    await emailTo(site.services.config, ada.email, 2);
    const subjects = emailsTo(site.services.config, ada.email).map(({ subject }) => subject);
    expect(subjects).toContain("An authenticator app was removed");
  });

  test("of another user are not found", async () => {
    await addApp(site, who);
    const [row] = await factors();
    const eve = await createAccount(site.services);
    const other = await signedIn(site, eve);
    for (const page of ["rename", "remove"]) {
      const path = `${security}/${page}?app=${row?.id}`;
      const form = { name: "Mine", password: eve.password };
      for (const response of [await other.ask(path), await other.ask(path, { form })])
        expect(response.headers.get("location")).toBe(security);
    }
    expect(await factors()).toMatchObject([{ friendlyName: "My phone" }]);
  });

  test("get new backup codes with the password, and the old ones expire", async () => {
    const { codes: old } = await addApp(site, who);
    const refused = await who.ask(`${security}/codes`, { form: { password: "Wrong-horse-9" } });
    expect(refused.status).toBe(400);
    const made = await who.ask(`${security}/codes`, { form: { password: ada.password } });
    const page = await made.text();
    expect(page.match(/<code>\w{5}-\w{5}<\/code>/g)).toHaveLength(10);
    const pending = await signedIn(site, ada);
    expect((await giveCode(pending, old[0] ?? "")).status).toBe(400);
    const [fresh = ""] = /\w{5}-\w{5}(?=<\/code>)/.exec(page) ?? [];
    expect((await giveCode(pending, fresh)).status).toBe(303);
  });

  test("are removed with a code where there is no password", async () => {
    await addApp(site, who, "One");
    const { app } = await addApp(site, who, "Two");
    const { db } = site.services;
    await changeOwn({ db }, "accounts", ada.id, { password: null });
    const [one, two] = await factors();
    expect((await remove(one?.id, {})).status).toBe(303);
    await changeOwn({ db }, "sessions", ada.id, { createdAt: new Date(Date.now() - 3600_000) });
    expect((await remove(two?.id, {})).status).toBe(400);
    expect((await remove(two?.id, { code: "000000" })).status).toBe(400);
    site.clock.forward(60_000);
    const code = await app.code(site.clock.now());
    expect((await remove(two?.id, { code })).status).toBe(303);
    expect(await factors()).toEqual([]);
  });
});
