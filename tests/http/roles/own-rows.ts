import { byRole, found, page, post, type Row, seeOther } from "./row.ts";

const signIn = (path: string) => found(`/auth?redirect=${path}`);
const own = (path: string, ...has: string[]) => byRole(signIn(path), { status: 200, has });
const refused = (path: string, ...has: string[]) => byRole(signIn(path), { status: 400, has });
const done = (path: string, location: string, toast: string) =>
  byRole(signIn(path), seeOther(location, toast));

const expiredLink = { status: 400, has: ["This link no longer works"] };

/** A page of someone's own account, and what it is called. */
const ownPage = (path: string, title: string) => page(path, "one's own", own(path, title));

/** Someone's own account (docs/decisions/009). */
export const ownRows: Row[] = [
  ownPage("/account", "Your account"),
  ownPage("/account/name", "Your name"),
  post("/account/name", "another name", done("/account/name", "/account", "Name saved"), {
    form: { name: "Ada L." },
  }),
  ownPage("/account/email", "Your email address"),
  post(
    "/account/email",
    "another address, without reauthentication",
    refused("/account/email", "Invalid email format"),
    { form: { email: "nowhere" } },
  ),
  page(
    "/account/email/confirm",
    "a token that was never sent",
    expiredLink,
    "/account/email/confirm?token=x",
  ),
  post("/account/email/confirm", "a press with a token that was never sent", expiredLink, {
    path: "/account/email/confirm?token=x",
    form: {},
  }),
  ownPage("/account/password", "Set a password"),
  post(
    "/account/password",
    "another password, without the present one",
    refused("/account/password"),
    { form: { password: "Battery-staple-7" } },
  ),
  ownPage("/account/devices", "Where you are signed in"),
  post(
    "/account/devices",
    "an unknown session",
    done("/account/devices", "/account/devices", "That device is signed out."),
    { form: { session: "x" } },
  ),
  ownPage("/account/time-zone", "Your time zone"),
  post(
    "/account/time-zone",
    "another place",
    done("/account/time-zone", "/account", "Time zone saved"),
    { form: { timeZone: "Europe/Paris" } },
  ),
  ownPage("/account/data", "Your data"),
  ownPage("/account/data/delete", "Delete your account"),
  post(
    "/account/data/delete",
    "by a user without a password who has signed in just now",
    done("/account/data/delete", "/", "Your account will be deleted."),
    { form: {} },
  ),
  page("/account/deletion-pending", "while the account stays", found("/account")),
  post("/account/deletion-pending", "a press while the account stays", found("/account"), {
    form: { intent: "keep" },
  }),
  page(
    "/account/keep",
    "a token that was never sent",
    { status: 400, has: ["There is nothing to keep"] },
    "/account/keep?token=x",
  ),
  post(
    "/account/keep",
    "a press with a token that was never sent",
    { status: 400, has: ["There is nothing to keep"] },
    { path: "/account/keep?token=x", form: {} },
  ),
];
