import { byRole, found, ok, page, post, type Row, seeOther } from "./row.ts";
import { securityRows } from "./security-rows.ts";

const toMethods = found("/auth?redirect=/account/sign-in-methods");
const toMyCourses = found("/my-courses");
export const accountRows: Row[] = [
  page("/auth", "goes on when signed in", byRole(ok("Welcome Back"), toMyCourses)),
  // Someone who is signed in is sent on before she could be told what was wrong.
  post(
    "/auth",
    "an empty form",
    byRole({ status: 400, has: ["Invalid email format"] }, toMyCourses),
    { form: {} },
  ),
  ...securityRows,
  page("/auth/forgot", "the form", 200),
  post("/auth/forgot", "an empty form", 400, { form: {} }),
  page("/auth/reset", "a link that no longer works", 400),
  post("/auth/reset", "a token that was never sent", 400, {
    path: "/auth/reset?token=x",
    form: { password: "Correct-horse-9" },
  }),
  page(
    "/auth/signed-in",
    "that the tab can be closed",
    byRole(found("/auth?redirect=/auth/signed-in"), ok("You can close this tab.")),
  ),
  page("/auth/verify", "the button", 200),
  post("/auth/verify", "a token that was never sent", 400, {
    path: "/auth/verify?token=x",
    form: {},
  }),
  page("/auth/sign-out", "the bare address leads home", found("/")),
  post("/auth/sign-out", "signing out", seeOther("/", "You are signed out."), { form: {} }),
  page(
    "/my-courses",
    "own courses, inactive ones too",
    byRole(
      found("/auth?redirect=/my-courses"),
      {
        status: 200,
        has: ["haven&#x27;t enrolled in any courses yet"],
        hasNot: ["A course of the world"],
      },
      ok("A course of the world", "Start Course"),
    ),
  ),
  page(
    "/auth/providers/:provider",
    "the bare address leads to the form",
    found("/auth"),
    "/auth/providers/none",
  ),
  post(
    "/auth/providers/:provider",
    "one that is not set up",
    { status: 404, has: ["This way to sign in is not available"] },
    { path: "/auth/providers/none?redirect=/courses", form: {} },
  ),
  page(
    "/account/sign-in-methods",
    "one's own",
    byRole(toMethods, { status: 200, has: ["Set a password"], hasNot: ["Other ways to sign in"] }),
  ),
  post(
    "/account/sign-in-methods",
    "unlinking what is not one's own",
    byRole(toMethods, seeOther("/account/sign-in-methods", "It was unlinked already.")),
    { form: { intent: "unlink", id: "x" } },
  ),
  page("/invitation/administrator", "without its token", 404),
  post("/invitation/administrator", "a form with a token that was never sent", 404, {
    path: "/invitation/administrator?token=x",
    form: { name: "Eve", password: "Correct-horse-9" },
  }),
  page("/setup", "without its token", 404),
  post("/setup", "a form without its token", 404, {
    path: "/setup?token=x",
    form: { name: "Eve", email: "eve@example.com", password: "Correct-horse-9" },
  }),
];
