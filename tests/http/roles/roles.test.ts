import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createPerson } from "../../support/people.ts";
import { auditedContentOf, contentOf, ownThingsOf } from "../../support/personal-columns.ts";
import { toastOf } from "../../support/responses.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile, type TestSite } from "../../support/site.ts";
import { createWorld, marks, type Role, roles, type World } from "../../support/world.ts";
import type { Expected, Row } from "./row.ts";
import { rows } from "./rows.ts";

const site = siteOfFile();
let world: World;
/** Ids are in the order of time: those of the world are before this one. */
let end: string;

beforeAll(async () => {
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
  // The last administrator may not delete their account.
  await createPerson(site.services, { role: "admin" });
  end = newId();
});
// Each test compares the whole content: what others have left would make it slower and slower.
afterEach(() => site.services.db.write.deleteFrom("profiles").where("id", ">", end).execute());

/** What no answer may ever hold, no matter who asks; and what only an administrator may read. */
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
  rows.some((row) => row.pattern === pattern && row.method === method);

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

async function snapshotOf(services: TestSite["services"]) {
  const { count } = await services.db.read
    .selectFrom("auditEntries")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const content = await contentOf(services);
  const audited = await auditedContentOf(services, content);
  return { entries: Number(count), content, audited };
}

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;

/**
 * Whatever an administrator's request to the coach's side changes is on the audit list, and
 * nothing else is: no refusal, no press that changed nothing, no one else's deed.
 */
function expectAudited(
  { pattern, what }: Row,
  role: Role,
  { before, after, status }: Record<"before" | "after", Snapshot> & { status: number },
) {
  const isChanged = !isDeepStrictEqual(after.audited, before.audited);
  const isAdmin = /^\/(admin|uploads)/.test(pattern);
  const isExported = pattern.startsWith("/admin/export/") && status === 200;
  // A job adds whom the coach signs up.
  const isSignedUp = pattern === "/admin/newsletter/subscribers/new" && status === 303;
  const isTold = isExported || isSignedUp || what.startsWith("'test'");
  const isDone = role === "administrator" && isAdmin && (isChanged || isTold);
  const written = after.entries - before.entries;
  if (isDone) expect(written).toBeGreaterThan(0);
  else expect(written).toBe(0);
}

function expectedOf({ expect }: Row, role: Role): Expected {
  const own = typeof expect === "number" || "status" in expect ? expect : expect[role];
  return typeof own === "number" ? { status: own } : own;
}

/** On PostgreSQL the two roles that reach most statements: who may do what is the same on both. */
const rolesHere = process.env.TEST_DATABASE_URL
  ? roles.filter((role) => role === "enrolled" || role === "administrator")
  : roles;

for (const row of rows) {
  const { method } = row;
  describe(`${method} ${row.pattern}: ${row.what}`, () => {
    test.each(rolesHere)("%s", async (role) => {
      const { services } = site;
      const as = await world.person(role);
      const owner = role === "other" ? world.other : as;
      const { path: address, ...asking } = await row.ask({ world, services, site, as: owner });
      const mayNotChange = role !== "administrator" && /^\/(admin|uploads)/.test(row.pattern);
      const before = await snapshotOf(services);
      const others = await ownThingsOf(services, world.other.id);
      const expected = expectedOf(row, role);
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
      const after = await snapshotOf(services);
      if (mayNotChange) expect(after.content).toEqual(before.content);
      if (!row.byLink) expect(await ownThingsOf(services, world.other.id)).toEqual(others);
      expectAudited(row, role, { before, after, status: response.status });
    });

    if (!row.page) return;
    test.each(rolesHere)("%s, as data for scripts", async (role) => {
      const { services } = site;
      const as = await world.person(role);
      const owner = role === "other" ? world.other : as;
      const { path: address, ...asking } = await row.ask({ world, services, site, as: owner });
      const url = new URL(address, site.url);
      url.pathname = url.pathname === "/" ? "/_.data" : `${url.pathname}.data`;
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
  const endpoints = [...server.matchAll(/app\.(get|post|put|all)\(\s*"(\/[^"]+)"/g)];
  test("app/server/app.ts has endpoints to look at", () =>
    expect(endpoints.length).toBeGreaterThan(5));
  test.each(endpoints.map(([, method = "", pattern = ""]) => [method, pattern]))(
    "%s %s of app/server/app.ts has a row",
    (method, pattern) => {
      const found = rows.some(
        (row) =>
          row.pattern === pattern && (method === "all" || row.method.toLowerCase() === method),
      );
      expect(found).toBe(true);
    },
  );
});
