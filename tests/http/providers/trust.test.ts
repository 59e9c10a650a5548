import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { newAddress } from "../../support/accounts.ts";
import { readable } from "../../support/answers.ts";
import { startOidc } from "../../support/oidc/server.ts";
import { comeBack, leave, signInWith, visit } from "../../support/oidc/visits.ts";
import { startWithProvider } from "../../support/oidc/world.ts";
import { patient } from "../../support/patient.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

let world: Awaited<ReturnType<typeof startWithProvider>>;
let ada: Visitor;

beforeAll(async () => {
  world = await startWithProvider();
});
afterAll(() => world.close());
beforeEach(() => {
  ada = visitor(world.site);
  const email = newAddress();
  Object.assign(world.oidc, { trouble: {}, cancels: false });
  world.oidc.member = { sub: email, email, email_verified: true, name: "Ada" };
});

const isSignedIn = async (who: Visitor) => (await who.ask("/my-courses")).status === 200;
const peopleNow = async () =>
  (
    await world.site.services.db.read
      .selectFrom("profiles")
      .select((eb) => eb.fn.countAll<number>().as("many"))
      .executeTakeFirstOrThrow()
  ).many;

describe("the way out", () => {
  test("is a page that goes on, with state, nonce and PKCE, and a cookie that scripts cannot read", async () => {
    const response = await ada.ask(`/auth/providers/${world.oidc.id}`, { form: {} });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("form-action 'self';");
    const cookie = response.headers.getSetCookie().join();
    expect(cookie).toMatch(/state=.*HttpOnly/i);
    const left = await leave(ada, world.oidc);
    const { searchParams, pathname } = new URL(left.url ?? "");
    expect(pathname).toBe("/auth");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      state: expect.stringMatching(/^.{32}$/),
      nonce: expect.stringMatching(/^.{32}$/),
    });
  });

  test.each(["//evil.example", "https://evil.example", "/\\evil.example"])(
    "whoever asks to go on to %s goes to her courses",
    async (redirect) => {
      const query = `?redirect=${encodeURIComponent(redirect)}`;
      expect(await signInWith(world.site, ada, world.oidc, { query })).toMatchObject({
        at: "/my-courses",
        status: 200,
      });
    },
  );

  test("a provider that nobody set up, and one asked for from elsewhere", async () => {
    const unknown = await ada.ask("/auth/providers/none?redirect=/courses", { form: {} });
    expect(unknown.status).toBe(404);
    const path = `/auth/providers/${world.oidc.id}`;
    const foreign = await ada.ask(path, { form: {}, origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await ada.ask(path)).headers.get("location")).toBe("/auth");
  });
});

describe("nobody is let in by", () => {
  test.each(["nonce", "audience", "issuer", "age", "key"] as const)(
    "a token with a wrong %s",
    async (forges) => {
      const before = await peopleNow();
      world.oidc.trouble = { forges };
      const { at, toast } = await signInWith(world.site, ada, world.oidc, {
        query: "?redirect=/courses",
      });
      expect(at).toBe("/auth?redirect=/courses");
      expect(toast?.title).toBe("Lantern could not confirm who you are");
      expect(await isSignedIn(ada)).toBe(false);
      expect(await peopleNow()).toBe(before);
    },
  );

  test("the same way back once more", async () => {
    const back = await visit(world.site, (await leave(ada, world.oidc)).url);
    const cookies = new Map(ada.cookies);
    await comeBack(world.site, ada, back);
    expect(await isSignedIn(ada)).toBe(true);
    const thief = visitor(world.site);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    const { toast } = await comeBack(world.site, thief, back);
    expect(toast?.title).toBe("Please try once more");
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("a code that was used, under a state of one's own", async () => {
    const used = new URL(await visit(world.site, (await leave(ada, world.oidc)).url), "http://x");
    await comeBack(world.site, ada, used.pathname + used.search);
    const thief = visitor(world.site);
    const own = new URL((await leave(thief, world.oidc)).url ?? "");
    used.searchParams.set("state", own.searchParams.get("state") ?? "");
    await comeBack(world.site, thief, used.pathname + used.search);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("another browser's way back: neither hers here, nor his there", async () => {
    const back = await visit(world.site, (await leave(ada, world.oidc)).url);
    const other = visitor(world.site);
    await leave(other, world.oidc);
    const { toast } = await comeBack(world.site, other, back);
    expect(toast?.title).toBe("Please try once more");
    expect(await isSignedIn(other)).toBe(false);
    // It was hers, and is still good for her.
    await comeBack(world.site, ada, back);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test("what says that it comes from another provider", async () => {
    const back = new URL(await visit(world.site, (await leave(ada, world.oidc)).url), "http://x");
    back.searchParams.set("iss", "https://another.example");
    const { toast } = await comeBack(world.site, ada, back.pathname + back.search);
    expect(toast?.title).toBe("Lantern could not confirm who you are");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test.each(["", "?state=x&code=y", "?code=y", "?error=access_denied", "?error=%3Cscript%3E"])(
    "an address that somebody made up: %s",
    async (query) => {
      const { at, page, status } = await comeBack(
        world.site,
        ada,
        `/api/auth/callback/${world.oidc.id}${query}`,
      );
      expect([at, status]).toEqual(["/auth?redirect=/my-courses", 200]);
      expect(readable(page)).toContain("Please try once more");
    },
  );
});

test("the library's own page of errors is not there", async () => {
  const response = await ada.ask("/api/auth/error?error=%3Cb%3Ex");
  expect(response.status).toBe(404);
  const answer = await response.json();
  expect(answer).toMatchObject({ error: { code: "not_found" } });
  expect(JSON.stringify(answer)).not.toContain("<");
});

test("'Cancel' over there leads back, and nothing sounds wrong", async () => {
  world.oidc.cancels = true;
  const { at, toast, page } = await signInWith(world.site, ada, world.oidc, {
    query: "?redirect=/courses&mode=sign-up",
  });
  expect(at).toBe("/auth?redirect=/courses&mode=sign-up");
  expect(toast?.title).toBe("You came back from Lantern");
  expect(toast?.tone).toBeUndefined();
  expect(page).not.toContain("pressed cancel");
});

describe("a provider that is away", () => {
  test("while she is there, or comes back", async () => {
    const left = await leave(ada, world.oidc);
    const back = await visit(world.site, left.url);
    world.oidc.trouble = { down: /token/ };
    const { at, toast } = await comeBack(world.site, ada, back);
    expect(at).toBe("/auth?redirect=/my-courses");
    expect(toast?.title).toBe("Lantern cannot be reached just now");
  });

  test("from the start is there as soon as it is back; one that hangs holds nobody up", async () => {
    const other = await startWithProvider();
    try {
      const eve = visitor(other.site);
      await other.oidc.close();
      const query = "?redirect=/courses&mode=sign-up";
      const away = await leave(eve, other.oidc, { query });
      expect(away).toMatchObject({ url: null, status: 303, location: `/auth${query}` });
      expect(away.toast?.title).toBe("Lantern cannot be reached just now");

      const siteUrl = other.site.services.config.appUrl;
      const hanging = await startOidc({ port: other.port, siteUrl });
      hanging.trouble = { hangs: /well-known/ };
      const pressed = leave(eve, hanging);
      await vi.waitFor(() => expect(hanging.asked).toHaveLength(1), patient);
      expect((await visitor(other.site).ask("/auth")).status).toBe(200);
      expect((await pressed).toast?.title).toBe("Lantern cannot be reached just now");

      hanging.trouble = {};
      hanging.member = { sub: "eve", email: newAddress(), email_verified: true };
      await signInWith(other.site, eve, hanging);
      expect(await isSignedIn(eve)).toBe(true);
      await hanging.close();
    } finally {
      await other.site.close();
    }
  });
});

test("a provider that tells the address only when asked for it", async () => {
  const other = await startWithProvider(false);
  const [eve, email] = [visitor(other.site), newAddress()];
  other.oidc.member = { sub: "eve", email, email_verified: true };
  expect(await signInWith(other.site, eve, other.oidc)).toMatchObject({ at: "/my-courses" });
  expect(other.oidc.asked).toContain("GET /me");
  await other.close();
});
