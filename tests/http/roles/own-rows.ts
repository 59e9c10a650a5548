import { at, byRole, type Row, same } from "./row.ts";

const signIn = (path: string) => ({ status: 302, location: `/auth?redirect=${path}` });
const own = (path: string, ...has: string[]) =>
  byRole(signIn(path), { status: 200, has }, { status: 200, has });
const refused = (path: string, ...has: string[]) =>
  byRole(signIn(path), { status: 400, has }, { status: 400, has });
const done = (path: string, location: string, toast: string) =>
  byRole(signIn(path), { status: 303, location, toast }, { status: 303, location, toast });

/** A page of somebody's own account, and what it is called. */
const page = (path: string, title: string): Row => ({
  pattern: path,
  what: "one's own",
  page: true,
  ask: at(path),
  expect: own(path, title),
});

/** Somebody's own account (docs/decisions/009). */
export const ownRows: Row[] = [
  page("/account", "Your account"),
  page("/account/name", "Your name"),
  {
    pattern: "/account/name",
    what: "another name",
    method: "POST",
    ask: () => ({ path: "/account/name", form: { name: "Ada L." } }),
    expect: done("/account/name", "/account", "Name saved"),
  },
  page("/account/email", "Your email address"),
  {
    pattern: "/account/email",
    what: "another address, without showing that it is she",
    method: "POST",
    ask: () => ({ path: "/account/email", form: { email: "nowhere" } }),
    expect: refused("/account/email", "Invalid email format"),
  },
  {
    pattern: "/account/email/confirm",
    what: "a token that nobody was sent",
    page: true,
    ask: at("/account/email/confirm?token=x"),
    expect: same({ status: 400, has: ["This link no longer works"] }),
  },
  {
    pattern: "/account/email/confirm",
    what: "a press with a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/account/email/confirm?token=x", form: {} }),
    expect: same({ status: 400, has: ["This link no longer works"] }),
  },
  page("/account/password", "Set a password"),
  {
    pattern: "/account/password",
    what: "another password, without the one she has",
    method: "POST",
    ask: () => ({ path: "/account/password", form: { password: "Battery-staple-7" } }),
    expect: refused("/account/password"),
  },
  page("/account/devices", "Where you are signed in"),
  {
    pattern: "/account/devices",
    what: "a session that is nobody's",
    method: "POST",
    ask: () => ({ path: "/account/devices", form: { session: "x" } }),
    expect: done("/account/devices", "/account/devices", "That device is signed out."),
  },
  page("/account/time-zone", "Your time zone"),
  {
    pattern: "/account/time-zone",
    what: "another place",
    method: "POST",
    ask: () => ({ path: "/account/time-zone", form: { timeZone: "Europe/Paris" } }),
    expect: done("/account/time-zone", "/account", "Time zone saved"),
  },
  page("/account/data", "Your data"),
  page("/account/data/delete", "Delete your account"),
  {
    pattern: "/account/data/delete",
    what: "by somebody who has no password and has signed in just now",
    method: "POST",
    ask: () => ({ path: "/account/data/delete", form: {} }),
    expect: done("/account/data/delete", "/", "You are signed out."),
  },
  {
    pattern: "/account/leaving",
    what: "while the account stays",
    page: true,
    ask: at("/account/leaving"),
    expect: same({ status: 302, location: "/account" }),
  },
  {
    pattern: "/account/leaving",
    what: "a press while the account stays",
    method: "POST",
    ask: () => ({ path: "/account/leaving", form: { intent: "keep" } }),
    expect: same({ status: 302, location: "/account" }),
  },
  {
    pattern: "/account/keep",
    what: "a token that nobody was sent",
    page: true,
    ask: at("/account/keep?token=x"),
    expect: same({ status: 400, has: ["There is nothing to keep"] }),
  },
  {
    pattern: "/account/keep",
    what: "a press with a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/account/keep?token=x", form: {} }),
    expect: same({ status: 400, has: ["There is nothing to keep"] }),
  },
];
