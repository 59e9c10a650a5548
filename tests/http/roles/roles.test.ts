import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeLesson } from "~/features/learning/commands.server.ts";
import { saveDraft } from "~/features/learning/drafts/commands.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { toastOf } from "../../support/answers.ts";
import { contentOf } from "../../support/content.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { createWorld, marks, type Role, roles, type World } from "../../support/world.ts";
import type { Expected } from "./row.ts";
import { rows } from "./rows.ts";

let site: TestSite;
let world: World;

beforeAll(async () => {
  site = await startSite();
  world = await createWorld(site.services);
  const { id: userId } = world.other;
  const lessonId = world.active.modules[0]?.lessons[0]?.id ?? "";
  const said = (answer: string) => [{ question: "How was it?", answer }];
  await completeLesson(site.services, {
    userId,
    lessonId,
    answers: said(marks.othersJournal),
    drafts: [],
  });
  const draft = { userId, lessonId, draftId: newId(), revision: 1 };
  await saveDraft(site.services, { ...draft, answers: said(marks.othersDraft) });
});
afterAll(() => site.close());

/** What no answer may ever hold, whoever asks; and what only an administrator may read. */
const secrets = [marks.othersJournal, marks.othersDraft];
const lockedSecrets = [marks.lockedText, marks.lockedQuestion, marks.lockedMedia];
const stackTrace = /\n\s+at .+:\d+:\d+/;

function expectNoSecret(body: string, role: Role) {
  expect(body).not.toMatch(stackTrace);
  for (const secret of secrets) expect(body).not.toContain(secret);
  if (role === "administrator") return;
  for (const secret of lockedSecrets) expect(body).not.toContain(secret);
  if (role !== "enrolled") expect(body).not.toContain(marks.openText);
}

for (const row of rows) {
  const { method = "GET" } = row;
  describe(`${method} ${row.pattern}: ${row.what}`, () => {
    test.each(roles)("%s", async (role) => {
      const as = await world.person(role);
      const given = { world, services: site.services, site, as };
      const { path: address, ...asking } = await row.ask(given);
      const mayNotChange = role !== "administrator" && /^\/(admin|uploads)/.test(row.pattern);
      const before = mayNotChange ? await contentOf(site.services) : null;
      const expected: Expected =
        typeof row.expect === "number" ? { status: row.expect } : row.expect[role];
      const response = await site.ask(address, { ...asking, method, as });
      const body = await response.text();
      expectNoSecret(body, role);
      expect({
        status: response.status,
        location: response.headers.get("location"),
        toast: toastOf(response)?.title ?? null,
      }).toEqual({
        status: expected.status,
        location:
          expected.location instanceof RegExp
            ? expect.stringMatching(expected.location)
            : (expected.location ?? null),
        toast: expected.toast ?? null,
      });
      for (const text of expected.has ?? []) expect(body).toContain(text);
      for (const text of expected.hasNot ?? []) expect(body).not.toContain(text);
      if (before) expect(await contentOf(site.services)).toEqual(before);
    });

    if (!row.page) return;
    test.each(roles)("%s, as data for scripts", async (role) => {
      const as = await world.person(role);
      const given = { world, services: site.services, site, as };
      const { path: address, ...asking } = await row.ask(given);
      const url = new URL(address, site.url);
      url.pathname = url.pathname === "/" ? "/_root.data" : `${url.pathname}.data`;
      const response = await site.ask(url.pathname + url.search, { ...asking, as });
      expect(response.status).toBeLessThan(500);
      expectNoSecret(await response.text(), role);
    });
  });
}

describe("the table is whole", () => {
  const has = (method: string, pattern: string) =>
    rows.some((row) => row.pattern === pattern && (row.method ?? "GET") === method);
  const appDir = path.join(import.meta.dirname, "..", "..", "..", "app");

  test.each(routeTable)("$pattern of app/routes.ts has its rows", ({ pattern, file }) => {
    const source = readFileSync(path.join(appDir, file), "utf8");
    const takesForms = /export (async )?function action\b/.test(source);
    expect(has("GET", pattern)).toBe(true);
    if (takesForms) expect(has("POST", pattern)).toBe(true);
  });

  const server = readFileSync(path.join(appDir, "server.ts"), "utf8");
  const endpoints = [...server.matchAll(/app\.(get|post|put|all)\("(\/[^"]+)"/g)];
  test("app/server.ts has endpoints to look at", () => expect(endpoints.length).toBeGreaterThan(5));
  test.each(endpoints.map(([, method = "", pattern = ""]) => [method, pattern]))(
    "%s %s of app/server.ts has a row",
    (method, pattern) => {
      const found = rows.some(
        (row) =>
          row.pattern === pattern &&
          (method === "all" || (row.method ?? "GET").toLowerCase() === method),
      );
      expect(found).toBe(true);
    },
  );
});
