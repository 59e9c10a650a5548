import { giveApp } from "../../support/authenticator-app.ts";
import { at, byRole, type Given, type Row, same } from "./row.ts";

const security = "/account/security";
const signIn = { status: 302, location: /^\/auth\?redirect=\/account\/security/ };
const toMyCourses = { status: 302, location: "/my-courses" };
const back = { status: 302, location: security };

/** Somebody else's app, whoever asks. */
const others =
  (page: "rename" | "remove", form?: Record<string, string>) => async (given: Given) => {
    const { id } = await giveApp(given.services, given.world.other);
    return { path: `${security}/${page}?app=${id}`, ...(form && { form }) };
  };

export const securityRows: Row[] = [
  {
    pattern: "/auth/second-step",
    what: "nobody owes it",
    page: true,
    ask: at("/auth/second-step?redirect=/courses"),
    expect: byRole(
      { status: 303, location: "/auth?redirect=/courses" },
      { status: 302, location: "/courses" },
      { status: 302, location: "/courses" },
      { status: 302, location: "/courses" },
      // Her cookie says that she was here before.
      {
        suspended: {
          status: 303,
          location: "/auth?redirect=/courses",
          toast: "Please sign in once more",
        },
      },
    ),
  },
  {
    pattern: "/auth/second-step",
    what: "a code that nobody asked for",
    method: "POST",
    ask: () => ({ path: "/auth/second-step", form: { code: "123456" } }),
    expect: byRole(
      { status: 303, location: "/auth?redirect=/my-courses", toast: "Please sign in once more" },
      toMyCourses,
      toMyCourses,
    ),
  },
  {
    pattern: "/auth/protect",
    what: "administrators are asked for a second factor",
    page: true,
    ask: at("/auth/protect?redirect=/courses"),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/courses" },
      { status: 302, location: "/courses" },
      { status: 302, location: "/courses" },
      { status: 200, has: ["Add a second step", "Not now: remind me in a week"] },
    ),
  },
  {
    pattern: "/auth/protect",
    what: "putting it off",
    method: "POST",
    ask: () => ({ path: "/auth/protect", form: {} }),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/my-courses" },
      { status: 303, location: "/my-courses" },
      { status: 303, location: "/my-courses" },
    ),
  },
  {
    pattern: security,
    what: "her own, and nothing of anybody else's",
    page: true,
    ask: at(security),
    expect: byRole(
      signIn,
      { status: 200, has: ["Authenticator apps", "Passkeys"] },
      { status: 200 },
    ),
  },
  {
    pattern: security,
    what: "a passkey that no device made",
    method: "POST",
    ask: () => ({ path: security, form: { intent: "add-passkey", name: "x", passkey: "{}" } }),
    expect: byRole(signIn, { status: 400 }, { status: 400 }),
  },
  {
    pattern: `${security}/app`,
    what: "the form",
    page: true,
    ask: at(`${security}/app`),
    expect: byRole(signIn, { status: 200, has: ["Add an authenticator app"] }, { status: 200 }),
  },
  {
    pattern: `${security}/app`,
    what: "without a name",
    method: "POST",
    ask: () => ({ path: `${security}/app`, form: { intent: "begin", name: "" } }),
    expect: byRole(signIn, { status: 400 }, { status: 400 }),
  },
  {
    pattern: `${security}/codes`,
    what: "without an app there are none",
    page: true,
    ask: at(`${security}/codes`),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: `${security}/codes`,
    what: "none are made either",
    method: "POST",
    ask: () => ({ path: `${security}/codes`, form: {} }),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: `${security}/rename`,
    what: "somebody else's app",
    page: true,
    ask: others("rename"),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: `${security}/rename`,
    what: "renaming somebody else's app",
    method: "POST",
    ask: others("rename", { name: "Mine" }),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: `${security}/remove`,
    what: "somebody else's app",
    page: true,
    ask: others("remove"),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: `${security}/remove`,
    what: "removing somebody else's app",
    method: "POST",
    ask: others("remove", {}),
    expect: byRole(signIn, back, back),
  },
  {
    pattern: "/api/auth/*",
    what: "a passkey's challenge is anybody's",
    ask: at("/api/auth/passkey/generate-authenticate-options"),
    expect: same({ status: 200, has: ['"challenge"'] }),
  },
  {
    pattern: "/api/auth/*",
    what: "making a passkey begins with a session",
    ask: at("/api/auth/passkey/generate-register-options"),
    expect: byRole({ status: 401 }, { status: 200 }, { status: 200 }),
  },
  {
    pattern: "/api/auth/*",
    what: "the library keeps no passkey that the page did not send",
    method: "POST",
    ask: () => ({ path: "/api/auth/passkey/verify-registration", json: { response: {} } }),
    expect: 404,
  },
];
