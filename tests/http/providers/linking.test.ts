import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createAccount, newAddress } from "../../support/accounts.ts";
import { hidden, mainOf, readable } from "../../support/answers.ts";
import { letterTo, pathOf } from "../../support/mailbox.ts";
import { comeBack, leave, signInWith, visit } from "../../support/oidc/visits.ts";
import { startWithProvider } from "../../support/oidc/world.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

let world: Awaited<ReturnType<typeof startWithProvider>>;

beforeAll(async () => {
  world = await startWithProvider();
});
afterAll(() => world.close());
beforeEach(() => {
  const email = newAddress();
  Object.assign(world.oidc, { trouble: {}, cancels: false });
  world.oidc.member = { sub: email, email, email_verified: false, name: "Ada" };
});

const page = "/account/sign-in-methods";
const link = (who: Visitor) => signInWith(world.site, who, world.oidc, { isLink: true });
const textOf = async (who: Visitor) => readable(mainOf(await (await who.ask(page)).text()));
const isSignedIn = async (who: Visitor) => (await who.ask("/my-courses")).status === 200;

async function signedIn() {
  const account = await createAccount(world.site.services);
  const who = visitor(world.site);
  await who.ask("/auth", { form: { email: account.email, password: account.password } });
  return { ...account, who };
}

/** Somebody who came through the provider and has no password. */
async function withoutPassword() {
  const who = visitor(world.site);
  world.oidc.member.email_verified = true;
  await signInWith(world.site, who, world.oidc);
  const email = world.oidc.member.email ?? "";
  const { id } = await world.site.services.db.read
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return { who, email, id };
}

const idsOf = async (userId: string) =>
  (
    await world.site.services.db.read
      .selectFrom("accounts")
      .select("id")
      .where("userId", "=", userId)
      .where("providerId", "!=", "credential")
      .execute()
  ).map(({ id }) => id);
const unlink = (who: Visitor, id = "") => who.ask(page, { form: { intent: "unlink", id } });

describe("linking", () => {
  test("any account over there, also with an address that nobody confirmed", async () => {
    const { who, email } = await signedIn();
    expect(await textOf(who)).toContain("Link Lantern");
    const linked = await link(who);
    expect(linked).toMatchObject({ at: page, toast: { title: "Lantern is linked." } });
    const text = await textOf(who);
    expect(text).toContain(world.oidc.member.email);
    expect(text).not.toContain("Link Lantern");
    expect((await letterTo(world.site.services.config, email)).subject).toBe(
      "You can now sign in with Lantern",
    );
    const again = visitor(world.site);
    await signInWith(world.site, again, world.oidc);
    expect(await textOf(again)).toContain(world.oidc.member.email);
  });

  test("an account over there that opens somebody else's here is refused, and nothing changes", async () => {
    const first = await signedIn();
    await link(first.who);
    const second = await signedIn();
    const { at, toast } = await link(second.who);
    expect(at).toBe(page);
    expect(toast?.title).toBe("That belongs to another account");
    expect(await idsOf(second.id)).toEqual([]);
    expect(await idsOf(first.id)).toHaveLength(1);
  });

  test("after a while only for whoever shows that it is she; unlinking as well", async () => {
    const { who, id, password } = await signedIn();
    await link(who);
    const [linked] = await idsOf(id);
    const old = () =>
      world.site.services.db.write
        .updateTable("sessions")
        .set({ createdAt: new Date(Date.now() - 11 * 60_000) })
        .where("userId", "=", id)
        .execute();
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

  test("only in the session in which it was begun", async () => {
    const first = await signedIn();
    const left = await leave(first.who, world.oidc, { isLink: true });
    const back = await visit(world.site, left.url);
    const second = await createAccount(world.site.services);
    await first.who.ask("/auth/sign-out", { form: {} });
    const form = { email: second.email, password: second.password };
    await first.who.ask("/auth", { form });
    const { toast } = await comeBack(world.site, first.who, back);
    expect(toast?.title).toBe("Lantern was not linked");
    expect(await idsOf(first.id)).toEqual([]);
    expect(await idsOf(second.id)).toEqual([]);
  });

  test("not without a session", async () => {
    const left = await leave(visitor(world.site), world.oidc, { isLink: true });
    expect(left.url).toBeNull();
    expect(left.toast?.title).toBe("Lantern was not linked");
  });

  test("another browser's way back links nothing to whoever opens it", async () => {
    const [attacker, victim] = [await signedIn(), await signedIn()];
    const left = await leave(attacker.who, world.oidc, { isLink: true });
    await comeBack(world.site, victim.who, await visit(world.site, left.url));
    expect(await idsOf(victim.id)).toEqual([]);
  });
});

describe("unlinking", () => {
  test("asks first, tells the owner, and the provider opens nothing any more", async () => {
    const { who, id, email } = await signedIn();
    await link(who);
    const [identity = ""] = await idsOf(id);
    const asked = await (await who.ask(`${page}?unlink=${identity}`)).text();
    expect(readable(asked)).toContain("Unlink Lantern?");
    expect(hidden(asked, "id")).toEqual([identity]);
    const answer = await unlink(who, identity);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
    expect(await idsOf(id)).toEqual([]);
    expect((await letterTo(world.site.services.config, email, 2)).subject).toBe(
      "You no longer sign in with Lantern",
    );
    const stranger = visitor(world.site);
    await signInWith(world.site, stranger, world.oidc);
    expect(await isSignedIn(stranger)).toBe(false);
  });

  test("somebody else's, or a password: nothing happens", async () => {
    const [ada, eve] = [await signedIn(), await signedIn()];
    await link(ada.who);
    const [identity = ""] = await idsOf(ada.id);
    await unlink(eve.who, identity);
    expect(await idsOf(ada.id)).toEqual([identity]);
    const { id: password } = await world.site.services.db.read
      .selectFrom("accounts")
      .select("id")
      .where("userId", "=", ada.id)
      .where("providerId", "=", "credential")
      .executeTakeFirstOrThrow();
    await unlink(ada.who, password);
    const form = { email: ada.email, password: ada.password };
    expect((await visitor(world.site).ask("/auth", { form })).status).toBe(303);
  });

  test("never the only way in, until there is a password or a passkey", async () => {
    const { who, id, email } = await withoutPassword();
    expect(await textOf(who)).toContain("Your only way in");
    const [identity = ""] = await idsOf(id);
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([identity]);

    await who.ask(page, { form: { intent: "password" } });
    const letter = await letterTo(world.site.services.config, email);
    expect(letter.subject).toBe("Choose a new password");
    const password = "Her-own-word-7";
    await visitor(world.site).ask(pathOf(letter), { form: { password } });
    expect(await isSignedIn(who)).toBe(false);
    await who.ask("/auth", { form: { email, password } });
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([]);
  });

  test("a passkey is a way in, a provider that is set up no longer is none", async () => {
    const { who, id } = await withoutPassword();
    const { write } = world.site.services.db;
    const [identity = ""] = await idsOf(id);
    const now = new Date();
    const gone = { id: newId(), accountId: newId(), providerId: "gone", userId: id };
    await write
      .insertInto("accounts")
      .values({ ...gone, createdAt: now, updatedAt: now })
      .execute();
    await unlink(who, identity);
    expect(await idsOf(id)).toHaveLength(2);
    await write
      .insertInto("passkeys")
      .values({
        id: newId(),
        userId: id,
        publicKey: "x",
        credentialId: newId(),
        counter: 0,
        deviceType: "singleDevice",
        backedUp: false,
      })
      .execute();
    await unlink(who, identity);
    expect(await idsOf(id)).toEqual([gone.id]);
  });

  test("of two at once one stays", async () => {
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
