import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createAccount, newAddress } from "../../support/accounts.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { comeBack, leave, signInWith, visit } from "../../support/oidc/visits.ts";
import { providerOfFile } from "../../support/oidc/world.ts";
import {
  changeOwn,
  givePasskey,
  minutesAgo,
  ownRows,
  profilesWith,
} from "../../support/own-rows.ts";
import { hidden, mainOf, readable } from "../../support/responses.ts";
import { isSignedIn, signedIn, type Visitor, visitor } from "../../support/visitor.ts";

const world = providerOfFile();
const { site } = world;

beforeEach(() => {
  const email = newAddress();
  Object.assign(world.oidc, { trouble: {}, cancels: false });
  world.oidc.member = { sub: email, email, email_verified: false, name: "Ada" };
});

const page = "/account/sign-in-methods";
const link = (who: Visitor) => signInWith(site, who, world.oidc, { isLink: true });
const textOf = async (who: Visitor) => readable(mainOf(await (await who.ask(page)).text()));

async function createOwner() {
  const account = await createAccount(site.services);
  return { ...account, who: await signedIn(site, account) };
}

/** Someone who came through the provider and has no password. */
async function withoutPassword() {
  const who = visitor(site);
  world.oidc.member.email_verified = true;
  await signInWith(site, who, world.oidc);
  const email = world.oidc.member.email ?? "";
  const [profile] = await profilesWith(site.services, email);
  return { who, email, id: profile?.id ?? "" };
}

const idsOf = async (userId: string) =>
  (await ownRows(site.services, "accounts", userId))
    .filter(({ providerId }) => providerId !== "credential")
    .map(({ id }) => id);
const unlink = (who: Visitor, id = "") => who.ask(page, { form: { intent: "unlink", id } });

describe("linking a provider", () => {
  test("works also with an unconfirmed address", async () => {
    const { who, email } = await createOwner();
    expect(await textOf(who)).toContain("Link Lantern");
    const linked = await link(who);
    expect(linked).toMatchObject({ at: page, toast: { title: "Lantern is linked." } });
    const text = await textOf(who);
    expect(text).toContain(world.oidc.member.email);
    expect(text).not.toContain("Link Lantern");
    expect((await emailTo(site.services.config, email)).subject).toBe(
      "You can now sign in with Lantern",
    );
    const again = visitor(site);
    await signInWith(site, again, world.oidc);
    expect(await textOf(again)).toContain(world.oidc.member.email);
  });

  test("is refused for an identity that is linked to another account", async () => {
    const first = await createOwner();
    await link(first.who);
    const second = await createOwner();
    const { at, toast } = await link(second.who);
    expect(at).toBe(page);
    expect(toast?.title).toBe("That belongs to another account");
    expect(await idsOf(second.id)).toEqual([]);
    expect(await idsOf(first.id)).toHaveLength(1);
  });

  test("asks for the password ten minutes after the sign-in, and so does unlinking", async () => {
    const { who, id, password } = await createOwner();
    await link(who);
    const [linked] = await idsOf(id);
    const old = () => changeOwn(site.services, "sessions", id, { createdAt: minutesAgo(11) });
    await old();
    const asked = await unlink(who, linked);
    expect(asked.headers.get("location")).toBe(`${page}?show=owner`);
    expect(await idsOf(id)).toEqual([linked]);
    const [question] = [await (await who.ask(`${page}?show=owner`)).text()];
    expect(readable(question)).toContain("Please show that it is you");
    const show = (typed: string) =>
      who.ask(`${page}?show=owner`, { form: { intent: "show-owner", password: typed } });
    const wrong = await show("Wrong-horse-9");
    expect([wrong.status, readable(await wrong.text())]).toEqual([
      400,
      expect.stringContaining("That is not your password."),
    ]);
    expect((await leave(who, world.oidc, { isLink: true })).location).toBe(`${page}?show=owner`);
    expect((await show(password)).headers.get("location")).toBe(page);
    await unlink(who, linked);
    expect(await idsOf(id)).toEqual([]);
    await old();
    expect((await leave(who, world.oidc, { isLink: true })).url).toBeNull();
    await show(password);
    expect((await link(who)).toast?.title).toBe("Lantern is linked.");
  });

  test("is finished only in the session that started it", async () => {
    const first = await createOwner();
    const left = await leave(first.who, world.oidc, { isLink: true });
    const back = await visit(site, left.url);
    const second = await createAccount(site.services);
    await first.who.ask("/auth/sign-out", { form: {} });
    const form = { email: second.email, password: second.password };
    await first.who.ask("/auth", { form });
    const { toast } = await comeBack(site, first.who, back);
    expect(toast?.title).toBe("Lantern was not linked");
    expect(await idsOf(first.id)).toEqual([]);
    expect(await idsOf(second.id)).toEqual([]);
  });

  test("is refused without a session", async () => {
    const left = await leave(visitor(site), world.oidc, { isLink: true });
    expect(left.url).toBeNull();
    expect(left.toast?.title).toBe("Lantern was not linked");
  });

  test("is not finished in another browser", async () => {
    const [attacker, victim] = [await createOwner(), await createOwner()];
    const left = await leave(attacker.who, world.oidc, { isLink: true });
    await comeBack(site, victim.who, await visit(site, left.url));
    expect(await idsOf(victim.id)).toEqual([]);
  });
});

describe("unlinking a provider", () => {
  test("asks first, sends an alert, and ends sign-in with it", async () => {
    const { who, id, email } = await createOwner();
    await link(who);
    const [identity = ""] = await idsOf(id);
    const asked = await (await who.ask(`${page}?unlink=${identity}`)).text();
    expect(readable(asked)).toContain("Unlink Lantern?");
    expect(hidden(asked, "id")).toEqual([identity]);
    const answer = await unlink(who, identity);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
    expect(await idsOf(id)).toEqual([]);
    expect((await emailTo(site.services.config, email, 2)).subject).toBe(
      "You no longer sign in with Lantern",
    );
    const stranger = visitor(site);
    await signInWith(site, stranger, world.oidc);
    expect(await isSignedIn(stranger)).toBe(false);
  });

  test("does nothing to another user's, or to a password", async () => {
    const [ada, eve] = [await createOwner(), await createOwner()];
    await link(ada.who);
    const [identity = ""] = await idsOf(ada.id);
    await unlink(eve.who, identity);
    expect(await idsOf(ada.id)).toEqual([identity]);
    const ways = await ownRows(site.services, "accounts", ada.id);
    const credential = ways.find(({ providerId }) => providerId === "credential");
    expect(credential).toBeDefined();
    await unlink(ada.who, credential?.id);
    const form = { email: ada.email, password: ada.password };
    expect((await visitor(site).ask("/auth", { form })).status).toBe(303);
  });

  test("is refused for the only sign-in method", async () => {
    const { who, id, email } = await withoutPassword();
    expect(await textOf(who)).toContain("Your only way in");
    const [identity = ""] = await idsOf(id);
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([identity]);

    await who.ask(page, { form: { intent: "password" } });
    const message = await emailTo(site.services.config, email);
    expect(message.subject).toBe("Choose a new password");
    const password = "Her-own-word-7";
    await visitor(site).ask(pathOf(message), { form: { password } });
    expect(await isSignedIn(who)).toBe(false);
    await who.ask("/auth", { form: { email, password } });
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([]);
  });

  test("counts passkeys, and no provider that is not configured any more", async () => {
    const { who, id } = await withoutPassword();
    const { write } = site.services.db;
    const [identity = ""] = await idsOf(id);
    const now = new Date();
    const gone = { id: newId(), accountId: newId(), providerId: "gone", userId: id };
    await write
      .insertInto("accounts")
      .values({ ...gone, createdAt: now, updatedAt: now })
      .execute();
    await unlink(who, identity);
    expect(await idsOf(id)).toHaveLength(2);
    await givePasskey(site.services, id);
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([gone.id]);
  });

  test("leaves one of two at the same moment", async () => {
    for (let times = 0; times < 5; times += 1) {
      const { who, id } = await withoutPassword();
      const { member } = world.oidc;
      world.oidc.member = { ...member, sub: newId() };
      await link(who);
      const both = await idsOf(id);
      expect(both).toHaveLength(2);
      await Promise.all(both.map((identity) => unlink(who, identity)));
      expect(await idsOf(id)).toHaveLength(1);
      world.oidc.member = { sub: newId(), email: newAddress(), email_verified: true };
    }
  });
});
