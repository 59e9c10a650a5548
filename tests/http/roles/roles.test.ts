import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { toastOf } from "../../support/answers.ts";
import { auditedContentOf, contentOf, ownThingsOf } from "../../support/content.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { createWorld, marks, type Role, roles, type World } from "../../support/world.ts";
import type { Expected, Row } from "./row.ts";
import { rows } from "./rows.ts";

let site: TestSite;
let world: World;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
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
  if (role !== "enrolled" && role !== "other") expect(body).not.toContain(marks.openText);
}

const has = (method: string, pattern: string) =>
  rows.some((row) => row.pattern === pattern && (row.method ?? "GET") === method);

type Operation = {
  path?: string;
  options: { method?: string | string[]; metadata?: { SERVER_ONLY?: boolean } };
};

const isClosed = ({ path, options }: Operation, disabled: readonly string[]) =>
  !path || Boolean(options.metadata?.SERVER_ONLY) || disabled.includes(path);

let networks = 0;
/** Each asks from an address of her own: what is counted by address is counted elsewhere. */
function newNetwork() {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}.1`;
}

async function auditOf(services: TestSite["services"]) {
  const { count } = await services.db.read
    .selectFrom("auditEntries")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { entries: Number(count), content: await auditedContentOf(services) };
}

/**
 * Whatever an administrator's request to the coach's side changes is on the audit list, and
 * nothing else is: no refusal, no press that changed nothing, nobody else's deed.
 */
async function expectAudited(
  { pattern }: Row,
  role: Role,
  { before, status }: { before: Awaited<ReturnType<typeof auditOf>>; status: number },
) {
  const after = await auditOf(site.services);
  const isChanged = !isDeepStrictEqual(after.content, before.content);
  const isDesk = /^\/(admin|uploads)/.test(pattern);
  const isExported = pattern.startsWith("/admin/export/") && status === 200;
  const isDone = role === "administrator" && isDesk && (isChanged || isExported);
  const written = after.entries - before.entries;
  if (isDone) expect(written).toBeGreaterThan(0);
  else expect(written).toBe(0);
}

for (const row of rows) {
  const { method = "GET" } = row;
  describe(`${method} ${row.pattern}: ${row.what}`, () => {
    test.each(roles)("%s", async (role) => {
      const { services } = site;
      const as = await world.person(role);
      const owner = role === "other" ? world.other : as;
      const { path: address, ...asking } = await row.ask({ world, services, site, as: owner });
      const mayNotChange = role !== "administrator" && /^\/(admin|uploads)/.test(row.pattern);
      const before = mayNotChange ? await contentOf(services) : null;
      const others = await ownThingsOf(services, world.other.id);
      const audited = await auditOf(services);
      const expected: Expected =
        typeof row.expect === "number" ? { status: row.expect } : row.expect[role];
      const headers = { "x-forwarded-for": newNetwork(), ...asking.headers };
      const response = await site.ask(address, { ...asking, headers, method, as });
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
      if (before) expect(await contentOf(services)).toEqual(before);
      if (!row.byLink) expect(await ownThingsOf(services, world.other.id)).toEqual(others);
      await expectAudited(row, role, { before: audited, status: response.status });
    });

    if (!row.page) return;
    test.each(roles)("%s, as data for scripts", async (role) => {
      const { services } = site;
      const as = await world.person(role);
      const owner = role === "other" ? world.other : as;
      const { path: address, ...asking } = await row.ask({ world, services, site, as: owner });
      const url = new URL(address, site.url);
      url.pathname = url.pathname === "/" ? "/_root.data" : `${url.pathname}.data`;
      const response = await site.ask(url.pathname + url.search, { ...asking, as });
      expect(response.status).toBeLessThan(500);
      expectNoSecret(await response.text(), role);
    });
  });
}

describe("the authentication library", () => {
  const operations = () =>
    Object.values(site.services.auth.api as unknown as Record<string, Operation>).flatMap(
      ({ path, options }) =>
        [options.method ?? "GET"].flat().map((method) => ({
          path,
          method,
          isClosed: isClosed({ path, options }, site.services.auth.options.disabledPaths),
        })),
    );

  test("has a row for each of its operations that is open", () => {
    const open = operations().filter((operation) => !operation.isClosed);
    expect(open.length).toBeGreaterThan(10);
    const missing = open.filter(({ path, method }) => !has(String(method), `/api/auth${path}`));
    expect(missing).toEqual([]);
  });

  test.each(roles)("answers nothing to %s where it is closed", async (role) => {
    const as = await world.person(role);
    const closed = operations().filter((operation) => operation.isClosed && operation.path);
    expect(closed.length).toBeGreaterThan(10);
    for (const { path, method } of closed) {
      const body = method === "POST" ? { json: {} } : {};
      const headers = { "x-forwarded-for": newNetwork() };
      const address = `/api/auth${String(path).replace(/:\w+/, "x")}?callbackURL=/`;
      const response = await site.ask(address, { ...body, headers, method: String(method), as });
      expect({ path, method, status: response.status }).toEqual({ path, method, status: 404 });
    }
  });
});

describe("the table is whole", () => {
  const appDir = path.join(import.meta.dirname, "..", "..", "..", "app");

  test.each(routeTable)("$pattern of app/routes.ts has its rows", ({ pattern, file }) => {
    const source = readFileSync(path.join(appDir, file), "utf8");
    const takesForms = /export (async )?function action\b/.test(source);
    expect(has("GET", pattern)).toBe(true);
    if (takesForms) expect(has("POST", pattern)).toBe(true);
  });

  const server = readFileSync(path.join(appDir, "server", "app.ts"), "utf8");
  const endpoints = [...server.matchAll(/app\.(get|post|put|all)\("(\/[^"]+)"/g)];
  test("app/server/app.ts has endpoints to look at", () =>
    expect(endpoints.length).toBeGreaterThan(5));
  test.each(endpoints.map(([, method = "", pattern = ""]) => [method, pattern]))(
    "%s %s of app/server/app.ts has a row",
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
