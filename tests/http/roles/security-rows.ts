import { giveApp } from "../../support/authenticator-app.ts";
import { byRole, found, type Given, get, ok, page, post, type Row, seeOther } from "./row.ts";

const security = "/account/security";
const signIn = found(/^\/auth\?redirect=\/account\/security/);
const toMyCourses = found("/my-courses");
const back = found(security);

/** Someone else's app, no matter who asks. */
const others =
  (page: "rename" | "remove", form?: Record<string, string>) => async (given: Given) => {
    const { id } = await giveApp(given.services, given.world.other);
    return { path: `${security}/${page}?app=${id}`, ...(form && { form }) };
  };

export const securityRows: Row[] = [
  page(
    "/auth/second-step",
    "no one owes it",
    byRole(
      seeOther("/auth?redirect=/courses"),
      found("/courses"),
      found("/courses"),
      found("/courses"),
      // Her cookie says that she was here before.
      { suspended: seeOther("/auth?redirect=/courses", "Please sign in once more") },
    ),
    "/auth/second-step?redirect=/courses",
  ),
  post(
    "/auth/second-step",
    "a code that was not asked for",
    byRole(seeOther("/auth?redirect=/my-courses", "Please sign in once more"), toMyCourses),
    { form: { code: "123456" } },
  ),
  page(
    "/auth/protect",
    "administrators are asked for a second factor",
    byRole(
      found("/auth?redirect=/courses"),
      found("/courses"),
      found("/courses"),
      ok("Add a second step", "Not now: remind me in a week"),
    ),
    "/auth/protect?redirect=/courses",
  ),
  post(
    "/auth/protect",
    "putting it off",
    byRole(found("/auth?redirect=/my-courses"), seeOther("/my-courses")),
    { form: {} },
  ),
  page(
    security,
    "one's own, and nothing of others",
    byRole(signIn, ok("Authenticator apps", "Passkeys"), 200),
  ),
  post(security, "a passkey that no device made", byRole(signIn, 400), {
    form: { intent: "add-passkey", name: "x", passkey: "{}" },
  }),
  page(`${security}/app`, "the form", byRole(signIn, ok("Add an authenticator app"), 200)),
  post(`${security}/app`, "without a name", byRole(signIn, 400), {
    form: { intent: "begin", name: "" },
  }),
  page(`${security}/codes`, "without an app there are none", byRole(signIn, back)),
  post(`${security}/codes`, "none are made either", byRole(signIn, back), { form: {} }),
  page(`${security}/rename`, "somebody else's app", byRole(signIn, back), others("rename")),
  post(
    `${security}/rename`,
    "renaming somebody else's app",
    byRole(signIn, back),
    others("rename", { name: "Mine" }),
  ),
  page(`${security}/remove`, "somebody else's app", byRole(signIn, back), others("remove")),
  post(
    `${security}/remove`,
    "removing somebody else's app",
    byRole(signIn, back),
    others("remove", {}),
  ),
  get(
    "/api/auth/*",
    "a passkey's challenge is anybody's",
    ok('"challenge"'),
    "/api/auth/passkey/generate-authenticate-options",
  ),
  get(
    "/api/auth/*",
    "making a passkey begins with a session",
    byRole(401, 200),
    "/api/auth/passkey/generate-register-options",
  ),
  post("/api/auth/*", "the library keeps no passkey that the page did not send", 404, {
    path: "/api/auth/passkey/verify-registration",
    json: { response: {} },
  }),
];
