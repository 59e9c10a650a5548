import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { allNames, namesIn, oddities, sourceOf } from "../../support/odd-addresses.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const listNames = namesIn(sourceOf("platform/http/list-params.ts"));
const admin = routeTable.filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));

const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const long = "l".repeat(5000);
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
