import { beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { emailTo } from "../../support/mailbox.ts";
import { changeOwn, deleteOwn, givePasskey, minutesAgo, ownRows } from "../../support/own-rows.ts";
import { passkeyDevice } from "../../support/passkey.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, signedIn, type Visitor, visitor } from "../../support/visitor.ts";
import { secondStep, security } from "./steps.ts";

const site = siteOfFile();
let ada: Awaited<ReturnType<typeof createAccount>>;
let who: Visitor;
let device: ReturnType<typeof passkeyDevice>;

beforeEach(async () => {
  ada = await createAccount(site.services);
  who = await signedIn(site, ada);
  device = passkeyDevice(site.services.config.appUrl);
});

const registerOptions = "/api/auth/passkey/generate-register-options";
const signInOptions = "/api/auth/passkey/generate-authenticate-options";
type Options = { challenge: string; userVerification?: string };
const optionsFor = async (by: Visitor, path: string) =>
  (await (await by.ask(path)).json()) as Options;

async function add(by = who, name = "Laptop", asking = {}) {
  const passkey = device.register(await optionsFor(by, registerOptions), asking);
  return by.ask(security, { form: { intent: "add-passkey", name, passkey } });
}

async function enter(by: Visitor, path = "/auth?redirect=/courses", asking = {}) {
  const passkey = device.signIn(await optionsFor(by, signInOptions), asking);
  return by.ask(path, { form: { intent: "passkey", passkey } });
}

const passkeys = () => ownRows(site.services, "passkeys", ada.id);

test("passkeys: of two that are added at one moment as the tenth, one is refused", async () => {
  for (let n = 0; n < 9; n += 1) await givePasskey(site.services, ada.id);
  const other = await signedIn(site, ada);
  const answers = await Promise.all([add(who), add(other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await passkeys()).toHaveLength(10);
});

describe("a passkey", () => {
  test("is added with a name, signs in, and shows when it was used", async () => {
    const nameless = await add(who, " ");
    expect(nameless.status).toBe(400);
    expect(await passkeys()).toEqual([]);
    const added = await add();
    expect(added.status).toBe(200);
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("A passkey was added");
    const page = readable(await (await who.ask(security)).text());
    expect(page).toContain("Laptop");
    expect(page).toContain("Not used yet");

    const other = visitor(site);
    const entered = await enter(other);
    expect(entered.status).toBe(303);
    expect(entered.headers.get("location")).toBe("/courses");
    expect(toastOf(entered)?.title).toBe("Welcome back!");
    expect(await isSignedIn(other)).toBe(true);
    expect((await passkeys())[0]?.lastUsedAt).not.toBeNull();
    expect(readable(await (await other.ask(security)).text())).toContain("Last used on");
  });

  test("an answer counts once, and only for the challenge it was made for", async () => {
    await add();
    const one = visitor(site);
    const passkey = device.signIn(await optionsFor(one, signInOptions));
    const form = { intent: "passkey", passkey };
    const two = visitor(site);
    await two.ask(signInOptions);
    expect((await two.ask("/auth", { form })).status).toBe(400);
    for (const [name, value] of one.cookies) two.cookies.set(name, value);
    expect((await one.ask("/auth", { form })).status).toBe(303);
    const replay = await two.ask("/auth", { form });
    expect(replay.status).toBe(400);
    expect(toastOf(replay)?.title ?? readable(await replay.text())).toContain("Sign in failed");
  });

  test("without user verification is refused, to add and to sign in", async () => {
    const refused = await add(who, "Key", { verified: false });
    expect(refused.status).toBe(400);
    expect(await passkeys()).toEqual([]);
    await add();
    const other = visitor(site);
    const page = readable(await (await enter(other, "/auth", { verified: false })).text());
    expect(page).toContain("That device did not ask who you are.");
    expect(await isSignedIn(other)).toBe(false);
  });

  test("signs in to the account that it names, and must name one without a session", async () => {
    const options = (await optionsFor(who, registerOptions)) as Options & { user: { id: string } };
    expect(Buffer.from(options.user.id, "base64url").toString()).toBe(ada.id);
    await add();
    const other = await createAccount(site.services);
    for (const userHandle of [Buffer.from(other.id).toString("base64url"), "", "x", null]) {
      const stranger = visitor(site);
      expect([userHandle, (await enter(stranger, "/auth", { userHandle })).status]).toEqual([
        userHandle,
        400,
      ]);
      expect(await isSignedIn(stranger)).toBe(false);
    }
    expect((await passkeys())[0]?.lastUsedAt).toBeNull();
    await giveApp(site.services, ada);
    const pending = await signedIn(site, ada);
    expect((await enter(pending, secondStep, { userHandle: null })).status).toBe(303);
    expect(await isSignedIn(pending)).toBe(true);
  });

  test("that is unknown is refused with a reason", async () => {
    const page = readable(await (await enter(visitor(site))).text());
    expect(page).toContain("That passkey is not known here.");
    const nonsense = { intent: "passkey", passkey: "{" };
    expect((await visitor(site).ask("/auth", { form: nonsense })).status).toBe(400);
  });

  test("counts as both factors, and passes the second step", async () => {
    await add();
    await giveApp(site.services, ada);
    const direct = visitor(site);
    expect((await enter(direct)).status).toBe(303);
    expect(await isSignedIn(direct)).toBe(true);
    const pending = await signedIn(site, ada);
    expect(await isSignedIn(pending)).toBe(false);
    const done = await enter(pending, secondStep);
    expect(done.headers.get("location")).toBe("/my-courses");
    expect(await isSignedIn(pending)).toBe(true);
  });

  test("is added ten minutes after the sign-in only with the password", async () => {
    await changeOwn(site.services, "sessions", ada.id, { createdAt: minutesAgo(11) });
    const stale = await who.ask(registerOptions);
    expect(stale.status).toBe(403);
    expect(await stale.json()).toMatchObject({ code: "SESSION_NOT_FRESH" });
    const show = (password: string) =>
      who.ask(security, { form: { intent: "show-owner", password } });
    expect((await show("Wrong-horse-9")).status).toBe(400);
    expect((await who.ask(registerOptions)).status).toBe(403);
    expect((await show(ada.password)).status).toBe(200);
    expect((await add()).status).toBe(200);
    expect(await passkeys()).toHaveLength(1);
  });

  test("cannot be changed by the library's own addresses", async () => {
    await add();
    const [row] = await passkeys();
    const passkey = JSON.parse(device.register(await optionsFor(who, registerOptions)));
    const asked: [string, unknown][] = [
      ["verify-registration", { response: passkey, name: "x" }],
      ["delete-passkey", { id: row?.id }],
      ["update-passkey", { id: row?.id, name: "x" }],
    ];
    for (const [path, json] of asked)
      expect((await who.ask(`/api/auth/passkey/${path}`, { json })).status).toBe(404);
    expect((await who.ask("/api/auth/passkey/list-user-passkeys")).status).toBe(404);
    expect(await passkeys()).toMatchObject([{ name: "Laptop" }]);
  });
});

describe("removing a passkey", () => {
  const remove = async (form: Record<string, string>) => {
    const [row] = await passkeys();
    return who.ask(`${security}/remove?passkey=${row?.id}`, { form });
  };

  test("asks for the password, and sends an alert", async () => {
    await add();
    expect((await remove({ password: "Wrong-horse-9" })).status).toBe(400);
    expect(await passkeys()).toHaveLength(1);
    expect((await remove({ password: ada.password })).status).toBe(303);
    expect(await passkeys()).toEqual([]);
    const message = await emailTo(site.services.config, ada.email, 2);
    expect(message.subject).toBe("A passkey was removed");
    expect((await enter(visitor(site))).status).toBe(400);
  });

  test("is refused for the last sign-in method, also of two at once", async () => {
    await add();
    device = passkeyDevice(site.services.config.appUrl);
    await add(who, "Phone");
    await deleteOwn(site.services, "accounts", ada.id);
    const answers = await Promise.all(
      (await passkeys()).map(({ id }) =>
        who.ask(`${security}/remove?passkey=${id}`, { form: { intent: "remove" } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await passkeys()).toHaveLength(1);
  });
});
