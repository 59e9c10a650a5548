import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { addressIn } from "../../support/actions.ts";
import { allNames, namesIn, oddities, sourceOf } from "../../support/odd-addresses.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";
import { createWorld, type World } from "../../support/world.ts";

const listNames = namesIn(sourceOf("platform/http/list-params.ts"));
const admin = routeTable.filter(({ pattern }) => /^\/admin(\/|$)/.test(pattern));

const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const long = "l".repeat(5000);
/** Places in a list that no one was given. */
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

const site = siteOfFile();
let cookie: string;
let world: World;
let paymentId: string;
beforeAll(async () => {
  world = await createWorld(site.services);
  cookie = await site.cookieOf(await createPerson(site.services, { role: "admin" }));
  const paid = { userId: world.other.id, productId: world.active.id };
  paymentId = await recordPayment(site.services, paid);
});

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
    const list = pattern.replace(":list", "enrollments");
    const address = addressIn(world, list, { payments: paymentId });
    // Not 5,000 emails many times: more than any server takes.
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
