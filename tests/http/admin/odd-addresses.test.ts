import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/commands.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const appDir = path.join(import.meta.dirname, "..", "..", "..", "app");
const admin = routeTable.filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));

/** The words of an address that this source asks for. */
function namesIn(source: string): string[] {
  const asked = source.matchAll(/(?:searchParams\.\w+|\basked)\(\s*"([\w-]+)"/g);
  return [...asked].map(([, name = ""]) => name);
}
const sourceOf = (file: string) => readFileSync(path.join(appDir, file), "utf8");
const listNames = namesIn(sourceOf("platform/http/list-params.ts"));
const allNames = [
  ...new Set(globSync("**/*.{ts,tsx}", { cwd: appDir }).flatMap((file) => namesIn(sourceOf(file)))),
];

const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const long = "l".repeat(5000);
/** As they stand in an address. */
const oddities: [string, string][] = [
  ["nothing", ""],
  ["NUL", "%00"],
  ["NUL between letters", "a%00b"],
  ["NUL behind an id", `${newId()}%00`],
  ["an id of nothing", newId()],
  ["5,000 letters", long],
  ["emoji", "%F0%9F%8C%8A%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"],
  ["half a letter", "%ED%A0%80"],
  ["bytes that are no text", "%ff%fe"],
  ["half a percent code", "%E0%A4%"],
  ["a percent sign", "%"],
  ["a negative number", "-1"],
  ["a huge number", "99999999999999999999999999"],
  ["a number beyond all", "1e999"],
  ["a name that objects have", "__proto__"],
  ["another", "-constructor"],
  ["a quote", "'%22%5C);--"],
  ["a way up", "..%2f..%2fsite.db"],
  ["blanks and line breaks", "%20%0d%0a%09"],
  ["letters that turn the rest around", "%E2%80%AEcourses"],
];
/** Places in a list that nobody was given. */
const places: [string, string][] = [
  ["a place at NUL", place("after", "\0", "\0")],
  ["a place in no year", place("before", "+275760-09-13T00:00:00.001Z", newId())],
  ["a place at a number", place("after", 1e300, newId())],
  ["a place at half a letter", place("after", "\ud800", "\ud800")],
  ["a place at 5,000 letters", place("after", long, newId())],
  ["a place with too much", place("after", "a", newId(), { a: 1 }, [])],
  ["a place at nothing", place("after", null, null)],
  ["what is no place", Buffer.from("[[[[").toString("base64url")],
];

let site: TestSite;
let coach: Person;
let cookie: string;
let course: TestCourse;
let enrollmentId: string;
let paymentId: string;
beforeAll(async () => {
  site = await startSite();
  coach = await createPerson(site.services, { role: "admin" });
  cookie = await site.cookieOf(coach);
  course = await createCourse(site.services, [[{}, {}], [{}]]);
  for (const name of ["Grace", "Lea"]) {
    const { id: userId } = await createPerson(site.services, { name });
    await enroll(site.services, { userId, productId: course.id });
  }
  const rows = await site.services.db.read.selectFrom("enrollments").select("id").execute();
  enrollmentId = rows[0]?.id ?? "";
  paymentId = await recordPayment(site.services, { userId: coach.id, productId: course.id });
});
afterAll(() => site.close());

/** What is there at the address of a pattern. */
function thingAt(pattern: string): string {
  const [module] = course.modules;
  const things: [string, string | undefined][] = [
    ["/admin/courses", course.id],
    ["/admin/modules", module?.id],
    ["/admin/lessons", module?.lessons[0]?.id],
    ["/admin/enrollments", enrollmentId],
    ["/admin/payments", paymentId],
    ["/admin/students", coach.id],
    ["/admin/export", "enrollments"],
  ];
  return things.find(([start]) => pattern.startsWith(start))?.[1] ?? "none";
}

/** What is wrong with the answer, if anything: it is a page, or says clearly that there is none. */
async function faultAt(address: string): Promise<string | null> {
  const answer = await site.ask(address, { headers: { cookie } });
  const body = await answer.text().catch((error: unknown) => `broken off: ${error}`);
  const fault = (why: string) => `${why}: ${address.slice(0, 150)}`;
  if (answer.status >= 500) return fault(`status ${answer.status}`);
  if (/^broken off|Failed to load/.test(body)) return fault("failed in a page");
  const isAway = answer.status >= 300 && answer.status < 400;
  return body === "" && !isAway ? fault("an empty answer") : null;
}

async function faultsAt(addresses: string[]): Promise<string[]> {
  const faults = [];
  for (const address of addresses) faults.push(await faultAt(address));
  return faults.filter((fault) => fault !== null);
}

test("addresses and their words are found", () => {
  expect(admin.length).toBeGreaterThan(15);
  expect(allNames).toEqual(
    expect.arrayContaining(["q", "sort", "course", "at", "draft", "module"]),
  );
});

describe.each(admin)("$pattern", ({ pattern, file }) => {
  const source = sourceOf(file);
  const lists = /readListParams|exportList/.test(source) ? listNames : [];
  const names = [...new Set([...namesIn(source), ...lists])];

  test.runIf(pattern.includes(":"))("is a page or a clear refusal for any odd name", async () => {
    const odd = oddities.filter(([, value]) => value !== "");
    const addresses = odd.flatMap(([, value]) => {
      const address = pattern.replace(/:\w+/g, () => value);
      return [address, `${address}.data`];
    });
    expect(await faultsAt(addresses)).toEqual([]);
  });

  test.each([...oddities, ...places])("is one whatever is asked of it: %s", async (_, value) => {
    const address = pattern.replace(/:\w+/g, () => thingAt(pattern));
    // Not 5,000 letters many times: more than any server takes.
    const some = value.length > 1000 ? names.slice(0, 1) : allNames;
    const each = (word: (name: string) => string) => some.map(word).join("&");
    const queries = [
      ...names.map((name) => `${name}=${value}`),
      each((name) => `${name}=${value}`),
      each((name) => `${name}=a&${name}=${value}`),
      each((name) => `${name}[]=${value}&${name}[a][${value}]=1`),
      value,
    ];
    const addresses = queries.map((query) => `${address}?${query}`);
    const ofData = `${address}.data?${each((name) => `${name}=${value}`)}`;
    expect(await faultsAt([...addresses, ofData])).toEqual([]);
  });
});
