import { beforeEach, describe, expect, test, vi } from "vitest";
import { newAddress } from "../../support/accounts.ts";
import { startOidc } from "../../support/oidc/server.ts";
import { comeBack, leave, signInWith, visit } from "../../support/oidc/visits.ts";
import { providerOfFile, startWithProvider } from "../../support/oidc/world.ts";
import { patient } from "../../support/patient.ts";
import { visitorOfTest } from "../../support/people-of-tests.ts";
import { readable } from "../../support/responses.ts";
import { isSignedIn, visitor } from "../../support/visitor.ts";

const world = providerOfFile();
const { site } = world;
const ada = visitorOfTest(site);

beforeEach(() => {
  const email = newAddress();
  Object.assign(world.oidc, { trouble: {}, cancels: false });
  world.oidc.member = { sub: email, email, email_verified: true, name: "Ada" };
});

const peopleNow = async () =>
  (
    await site.services.db.read
      .selectFrom("profiles")
      .select((eb) => eb.fn.countAll<number>().as("many"))
      .executeTakeFirstOrThrow()
  ).many;

describe("POST /auth/providers/{provider}", () => {
  test("answers with a page that goes on: state, nonce, PKCE and an HttpOnly cookie", async () => {
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
    "with redirect=%s leads to My Courses",
    async (redirect) => {
      const query = `?redirect=${encodeURIComponent(redirect)}`;
      expect(await signInWith(site, ada, world.oidc, { query })).toMatchObject({
        at: "/my-courses",
        status: 200,
      });
    },
  );

  test("refuses unknown providers and other origins", async () => {
    const unknown = await ada.ask("/auth/providers/none?redirect=/courses", { form: {} });
    expect(unknown.status).toBe(404);
    const path = `/auth/providers/${world.oidc.id}`;
    const foreign = await ada.ask(path, { form: {}, origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await ada.ask(path)).headers.get("location")).toBe("/auth");
  });
});

describe("the provider callback refuses", () => {
  test.each(["nonce", "audience", "issuer", "age", "key"] as const)(
    "a token with a wrong %s",
    async (forges) => {
      const before = await peopleNow();
      world.oidc.trouble = { forges };
      const { at, toast } = await signInWith(site, ada, world.oidc, {
        query: "?redirect=/courses",
      });
      expect(at).toBe("/auth?redirect=/courses");
      expect(toast?.title).toBe("Lantern could not confirm who you are");
      expect(await isSignedIn(ada)).toBe(false);
      expect(await peopleNow()).toBe(before);
    },
  );

  test("the same address a second time", async () => {
    const back = await visit(site, (await leave(ada, world.oidc)).url);
    const cookies = new Map(ada.cookies);
    await comeBack(site, ada, back);
    expect(await isSignedIn(ada)).toBe(true);
    const thief = visitor(site);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    const { toast } = await comeBack(site, thief, back);
    expect(toast?.title).toBe("Please try once more");
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("a code that was used, under a state of one's own", async () => {
    const used = new URL(await visit(site, (await leave(ada, world.oidc)).url), "http://x");
    await comeBack(site, ada, used.pathname + used.search);
    const thief = visitor(site);
    const own = new URL((await leave(thief, world.oidc)).url ?? "");
    used.searchParams.set("state", own.searchParams.get("state") ?? "");
    await comeBack(site, thief, used.pathname + used.search);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("another browser's address", async () => {
    const back = await visit(site, (await leave(ada, world.oidc)).url);
    const other = visitor(site);
    await leave(other, world.oidc);
    const { toast } = await comeBack(site, other, back);
    expect(toast?.title).toBe("Please try once more");
    expect(await isSignedIn(other)).toBe(false);
    // It still works in its own browser.
    await comeBack(site, ada, back);
    expect(await isSignedIn(ada)).toBe(true);
  });

  test.each(["another", "no"])("%s issuer", async (which) => {
    const back = new URL(await visit(site, (await leave(ada, world.oidc)).url), "http://x");
    if (which === "no") back.searchParams.delete("iss");
    else back.searchParams.set("iss", "https://another.example");
    const { toast } = await comeBack(site, ada, back.pathname + back.search);
    expect(toast?.title).toBe("Lantern could not confirm who you are");
    expect(await isSignedIn(ada)).toBe(false);
  });

  test.each(["", "?state=x&code=y", "?code=y", "?error=access_denied", "?error=%3Cscript%3E"])(
    "a made-up address: %s",
    async (query) => {
      const { at, page, status } = await comeBack(
        site,
        ada,
        `/api/auth/callback/${world.oidc.id}${query}`,
      );
      expect([at, status]).toEqual(["/auth?redirect=/my-courses", 200]);
      expect(readable(page)).toContain("Please try once more");
    },
  );
});

test("GET /api/auth/error: is closed", async () => {
  const response = await ada.ask("/api/auth/error?error=%3Cb%3Ex");
  expect(response.status).toBe(404);
  const answer = await response.json();
  expect(answer).toMatchObject({ error: { code: "not_found" } });
  expect(JSON.stringify(answer)).not.toContain("<");
});

test("the provider callback: 'Cancel' leads back without an error", async () => {
  world.oidc.cancels = true;
  const { at, toast, page } = await signInWith(site, ada, world.oidc, {
    query: "?redirect=/courses&mode=sign-up",
  });
  expect(at).toBe("/auth?redirect=/courses&mode=sign-up");
  expect(toast?.title).toBe("You came back from Lantern");
  expect(toast?.tone).toBeUndefined();
  expect(page).not.toContain("pressed cancel");
});

describe("a provider that cannot be reached", () => {
  test("during the sign-in: says so", async () => {
    const left = await leave(ada, world.oidc);
    const back = await visit(site, left.url);
    world.oidc.trouble = { down: /token/ };
    const { at, toast } = await comeBack(site, ada, back);
    expect(at).toBe("/auth?redirect=/my-courses");
    expect(toast?.title).toBe("Lantern cannot be reached just now");
  });

  test("since the start: works once it is back; a hanging one delays nobody else", async () => {
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

test.each([
  ["under a new name", "two"],
  ["under the name of the old one", "one"],
])("a provider with a new key %s is known at once, but asked once a minute", async (_, kid) => {
  const { site, oidc, port, close } = await startWithProvider();
  const member = { sub: "eve", email: newAddress(), email_verified: true };
  const siteUrl = site.services.config.appUrl;
  try {
    oidc.member = member;
    await signInWith(site, visitor(site), oidc);
    await oidc.close();

    const turned = await startOidc({ port, siteUrl, kid });
    turned.member = member;
    const [eve, thief] = [visitor(site), visitor(site)];
    await signInWith(site, eve, turned);
    expect(await isSignedIn(eve)).toBe(true);
    const readings = () => turned.asked.filter((line) => /well-known|jwks/.test(line));
    expect(readings()).toEqual(["GET /.well-known/openid-configuration", "GET /jwks"]);

    turned.trouble = { forges: "key" };
    const { toast } = await signInWith(site, thief, turned);
    expect(toast?.title).toBe("Lantern could not confirm who you are");
    expect(readings()).toHaveLength(2);
    await turned.close();
  } finally {
    await close();
  }
});

test("a provider that gives the address only at its userinfo endpoint", async () => {
  const other = await startWithProvider(false);
  const [eve, email] = [visitor(other.site), newAddress()];
  other.oidc.member = { sub: "eve", email, email_verified: true };
  expect(await signInWith(other.site, eve, other.oidc)).toMatchObject({ at: "/my-courses" });
  expect(other.oidc.asked).toContain("GET /me");
  await other.close();
});
