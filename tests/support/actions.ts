import { readFileSync } from "node:fs";
import path from "node:path";
import { routeTable } from "./route-table.ts";
import type { World } from "./world.ts";

const app = path.join(import.meta.dirname, "..", "..", "app");
const source = (file: string) => readFileSync(path.join(app, file), "utf8");

/** Every address that takes a form or an operation: routes with an action, and endpoints of app/server/app.ts. */
export const actions = [
  ...routeTable
    .filter(({ file }) => /export (async )?function action\b|\baction = /.test(source(file)))
    .map(({ pattern }) => pattern),
  ...[...source("server/app.ts").matchAll(/app\.(?:post|put|all)\(\s*"(\/[^"]+)"/g)].map(
    ([, pattern = ""]) => pattern,
  ),
];

/** Operations of the authentication library that change something. */
export const authOperations = [
  ...["sign-up/email", "sign-in/email", "sign-out", "request-password-reset", "reset-password"],
  ...["send-verification-email", "update-user", "change-password", "delete-user"],
  ...["revoke-sessions", "passkey/verify-registration", "passkey/delete-passkey"],
  "passkey/verify-authentication",
].map((operation) => `/api/auth/${operation}`);

/** An address of a pattern. */
export function addressOf(pattern: string, { slug, id }: { slug: string; id: string }): string {
  return pattern
    .replace(":slug", slug)
    .replace(":list", "courses")
    .replace(":id", id)
    .replace("*", "some/where");
}

/** An address of something that is in the world, or that has one of these ids. */
export function addressIn(world: World, pattern: string, own: Record<string, string> = {}): string {
  const [module] = world.active.modules;
  const ids: Record<string, string | undefined> = {
    ...{ courses: world.active.id, modules: module?.id, lessons: module?.lessons[0]?.id },
    ...{ enrollments: world.leaving.id, students: world.other.id, ...own },
  };
  const id = ids[pattern.split("/")[2] ?? ""] ?? ids.lessons ?? "";
  return addressOf(pattern, { slug: world.active.slug, id });
}
