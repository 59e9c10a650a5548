import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "~/platform/db/tables.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";

const title = "A course that nobody may see";
const site = siteOfFile();
const cookies = {} as Record<Role, string>;

beforeAll(async () => {
  const { services } = site;
  await createCourse(services, [[{}]], { title });
  for (const role of ["student", "admin"] as const)
    cookies[role] = await site.cookieOf(await createPerson(services, { role }));
  const there = await site.ask("/admin", { headers: { cookie: cookies.admin } });
  expect(await there.text()).toContain(title);
  await services.db.read.destroy();
});

describe("the admin without its database", () => {
  test.each([
    ["admin", "GET", "/admin"],
    ["student", "GET", "/admin"],
    ["admin", "GET", "/admin.data"],
    ["student", "GET", "/admin.data"],
    ["admin", "POST", "/admin"],
    ["student", "POST", "/admin"],
  ] as const)("says to %s, %s %s: try again, and shows nothing", async (role, method, path) => {
    const form = method === "POST" ? { intent: "deactivate", id: "none" } : undefined;
    const answer = await site.ask(path, { method, form, headers: { cookie: cookies[role] } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const body = await answer.text();
    expect(body).toContain("The site cannot answer just now");
    expect(body).not.toContain(title);
    expect(body).not.toContain("admin-title");
  });

  test("sends no one to sign in, as ever", async () => {
    const answer = await site.ask("/admin");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^\/auth\?redirect=\/admin/);
  });
});
