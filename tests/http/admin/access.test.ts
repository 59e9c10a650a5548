import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { contentOf } from "../../support/personal-columns.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
let student: Person;
let course: TestCourse;
beforeAll(async () => {
  course = await createCourse(site.services, [[{}]]);
  student = await createPerson(site.services);
});

const admin = routeTable.filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));
const appDir = path.join(import.meta.dirname, "..", "..", "..", "app");
const addressOf = (pattern: string) => pattern.replace(/:\w+/g, "none");
/** What an address is about, where there is such a thing. */
function thingAt(pattern: string): string {
  const [module] = course.modules;
  if (pattern.startsWith("/admin/modules")) return module?.id ?? "";
  return pattern.startsWith("/admin/lessons") ? (module?.lessons[0]?.id ?? "") : course.id;
}
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

test("there are addresses to look at", () => expect(admin.length).toBeGreaterThan(15));

describe.each(admin)("$pattern", ({ pattern, file }) => {
  const address = addressOf(pattern);
  const source = readFileSync(path.join(appDir, file), "utf8");

  const takesForms = /export (?:async )?function action\b/.test(source);
  const takes = (method: string) => method === "POST" && takesForms;

  test("checks the user in each loader and action, whatever middleware runs before", () => {
    const handlers =
      source.match(/export (?:async )?(?:function|const) (?:loader|action)\b/g) ?? [];
    const asked = source.match(/\brequireAdmin\(context, url\)/g) ?? [];
    expect(handlers.length).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThanOrEqual(handlers.length);
  });

  test.each(methods)("%s sends a visitor and a student away, and says nothing", async (method) => {
    for (const as of [null, student]) {
      const answer = await site.ask(address, { as, method });
      const away = as ? /^\/$/ : /^\/auth\?redirect=\/admin/;
      // A method that no page takes is refused before anybody is asked for.
      if (answer.status !== 405) {
        expect([method, answer.status]).toEqual([method, 302]);
        expect(answer.headers.get("location")).toMatch(away);
      }
      expect(await answer.text()).not.toContain("admin-title");
    }
  });

  test("the data of one of its routes alone is guarded as well", async () => {
    const id = file.replace(/\.tsx?$/, "");
    for (const route of [id, "routes/admin/frame", "root"])
      for (const as of [null, student]) {
        const answer = await site.ask(`${address}.data?_routes=${encodeURIComponent(route)}`, {
          as,
        });
        const to = as ? "/" : `/auth?redirect=${address}`;
        expect(answer.status).toBe(202);
        expect(await answer.text()).toContain(`"redirect","${to}","status",302`);
      }
  });

  test.each(["POST", "PUT", "DELETE"])("%s to its data does nothing", async (method) => {
    const id = thingAt(pattern);
    const before = await contentOf(site.services);
    for (const as of [null, student]) {
      const form = { intent: "delete", kind: "course", id };
      const asking = { as, method, form };
      const answer = await site.ask(`${pattern.replace(/:\w+/g, id)}.data`, asking);
      const away = as ? '"redirect","/","status",302' : '"redirect","/auth?redirect=/admin';
      const body = await answer.text();
      // A method that no page takes is refused before anybody is asked for.
      if (takes(method))
        expect([answer.status, body]).toEqual([202, expect.stringContaining(away)]);
      else expect([202, 405]).toContain(answer.status);
      if (answer.status === 202) expect(body).toContain(away);
    }
    expect(await contentOf(site.services)).toEqual(before);
  });
});
