import { at, byRole, type Row, same } from "./row.ts";
import { securityRows } from "./security-rows.ts";

const toMethods = { status: 302, location: "/auth?redirect=/account/sign-in-methods" };
const toMyCourses = { status: 302, location: "/my-courses" };
export const accountRows: Row[] = [
  {
    pattern: "/auth",
    what: "goes on when signed in",
    page: true,
    ask: at("/auth"),
    expect: byRole({ status: 200, has: ["Welcome Back"] }, toMyCourses, toMyCourses),
  },
  {
    pattern: "/auth",
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: "/auth", form: {} }),
    // Somebody who is signed in is sent on before she could be told what was wrong.
    expect: byRole({ status: 400, has: ["Invalid email format"] }, toMyCourses, toMyCourses),
  },
  ...securityRows,
  { pattern: "/auth/forgot", what: "the form", page: true, ask: at("/auth/forgot"), expect: 200 },
  {
    pattern: "/auth/forgot",
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: "/auth/forgot", form: {} }),
    expect: 400,
  },
  { pattern: "/auth/reset", what: "the form", page: true, ask: at("/auth/reset"), expect: 200 },
  {
    pattern: "/auth/reset",
    what: "a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/auth/reset?token=x", form: { password: "Correct-horse-9" } }),
    expect: 400,
  },
  { pattern: "/auth/verify", what: "the button", page: true, ask: at("/auth/verify"), expect: 200 },
  {
    pattern: "/auth/verify",
    what: "a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/auth/verify?token=x", form: {} }),
    expect: 400,
  },
  {
    pattern: "/auth/sign-out",
    what: "the bare address leads home",
    page: true,
    ask: at("/auth/sign-out"),
    expect: same({ status: 302, location: "/" }),
  },
  {
    pattern: "/auth/sign-out",
    what: "signing out",
    method: "POST",
    ask: () => ({ path: "/auth/sign-out", form: {} }),
    expect: same({ status: 303, location: "/", toast: "You are signed out." }),
  },
  {
    pattern: "/my-courses",
    what: "own courses, inactive ones too",
    page: true,
    ask: at("/my-courses"),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/my-courses" },
      {
        status: 200,
        has: ["haven&#x27;t enrolled in any courses yet"],
        hasNot: ["A course of the world"],
      },
      { status: 200, has: ["A course of the world", "Start Course"] },
    ),
  },
  {
    pattern: "/auth/providers/:provider",
    what: "the bare address leads to the form",
    page: true,
    ask: at("/auth/providers/none"),
    expect: same({ status: 302, location: "/auth" }),
  },
  {
    pattern: "/auth/providers/:provider",
    what: "one that is not set up",
    method: "POST",
    ask: () => ({ path: "/auth/providers/none?redirect=/courses", form: {} }),
    expect: same({ status: 404, has: ["This way to sign in is not available"] }),
  },
  {
    pattern: "/account/sign-in-methods",
    what: "one's own",
    page: true,
    ask: at("/account/sign-in-methods"),
    expect: byRole(
      toMethods,
      { status: 200, has: ["Set a password"], hasNot: ["Other ways to sign in"] },
      { status: 200, has: ["Set a password"], hasNot: ["Other ways to sign in"] },
    ),
  },
  {
    pattern: "/account/sign-in-methods",
    what: "unlinking what is not one's own",
    method: "POST",
    ask: () => ({ path: "/account/sign-in-methods", form: { intent: "unlink", id: "x" } }),
    expect: byRole(
      toMethods,
      { status: 303, location: "/account/sign-in-methods", toast: "It was unlinked already." },
      { status: 303, location: "/account/sign-in-methods", toast: "It was unlinked already." },
    ),
  },
  { pattern: "/setup", what: "without its token", page: true, ask: at("/setup"), expect: 404 },
  {
    pattern: "/setup",
    what: "a form without its token",
    method: "POST",
    ask: () => ({
      path: "/setup?token=x",
      form: { name: "Eve", email: "eve@example.com", password: "Correct-horse-9" },
    }),
    expect: 404,
  },
];
