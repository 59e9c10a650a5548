import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actions, addressIn, authOperations } from "../../support/actions.ts";
import { allNames, oddities, oddWays } from "../../support/odd-addresses.ts";
import { providerOfFile } from "../../support/oidc/world.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { createWorld, type World } from "../../support/world.ts";

const away = providerOfFile();
let world: World;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  world = await createWorld(away.site.services);
  for (const role of ["anonymous", "enrolled", "administrator"] as const) {
    const person = await world.person(role);
    cookies[role] = person ? await away.site.cookieOf(person) : "";
  }
});

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

let networks = 0;
/** Each asks from a network of their own, so that no limit answers in place of what is asked. */
function newNetwork(): string {
  networks += 1;
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
}

type Asked = {
  what: string;
  role: string;
  method: "GET" | "POST";
  path: string;
  /** The query, and the form where there is one. */
  odd: string;
};

/** What is wrong with the answer: only mistakes of the site's own are. */
async function faultOf({ what, role, method, path, odd }: Asked): Promise<string | null> {
  const { url, services } = away.site;
  const { appUrl } = services.config;
  const host = new URL(appUrl).host;
  const headers = { host, cookie: cookies[role] ?? "", "x-forwarded-for": newNetwork() };
  const body = method === "POST" ? Buffer.from(odd) : undefined;
  const sent = body && {
    body,
    headers: {
      ...headers,
      origin: appUrl,
      // The page that a refused form leads back to.
      referer: `${appUrl}${path}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(body.length),
    },
  };
  const answer = await rawRequest(url, { method, path: `${path}?${odd}`, headers, agent, ...sent });
  // What a site without Stripe's keys says by design.
  const isSelling = !answer.body.includes("Nothing can be paid here yet.");
  const isFault = answer.status >= 500 && isSelling;
  return isFault ? `${answer.status} ${role} ${method} ${path.slice(0, 100)}, ${what}` : null;
}

/** @returns the faults of all of them, some of which are asked at once */
async function faultsOf(all: Asked[]): Promise<string[]> {
  const faults: string[] = [];
  const next = all.values();
  async function ask() {
    for (const asked of next) {
      const fault = await faultOf(asked);
      if (fault) faults.push(fault);
    }
  }
  await Promise.all(Array.from({ length: 8 }, ask));
  return faults;
}

/** Something real, where an odd name would end the way before anything reads the query. */
const addressAt = (pattern: string) => addressIn(world, pattern.replace(":provider", away.oidc.id));

const roles = ["anonymous", "enrolled", "administrator"];
const takesForm = new Set([...actions, ...authOperations]);
const patterns = [...new Set([...routeTable.map((one) => one.pattern), ...takesForm])];

/** Each name with this value, as long as a head of 16 KB has room for it. */
function everyName(value: string): string {
  const some = value.length > 1000 ? ["redirect"] : [...allNames, "intent"];
  return some.map((name) => `${name}=${value}`).join("&");
}

test("addresses, forms and the names in them are found", () => {
  expect(patterns.length).toBeGreaterThan(100);
  expect(takesForm.size).toBeGreaterThan(50);
  expect(allNames).toEqual(expect.arrayContaining(["redirect", "token", "with", "lesson", "q"]));
});

describe.each(patterns)("%s", (pattern) => {
  test("answers no odd query, form or name in its path with a fault of the site's own", async () => {
    const methods: Asked["method"][] = takesForm.has(pattern) ? ["POST"] : [];
    // Admin pages are tested in more detail in tests/http/admin/odd-addresses.test.ts.
    if (!pattern.startsWith("/admin")) methods.push("GET");
    const asked = [...oddities, ...oddWays].flatMap(([what, value], at): Asked[] => {
      const paths = new Set([
        addressAt(pattern),
        pattern.replaceAll(/:\w+|\*/g, () => value || "x"),
      ]);
      // Who asks, and whether for a page or its data, takes turns.
      const role = roles[at % roles.length] ?? "";
      const ending = at % 2 ? ".data" : "";
      return [...paths].flatMap((path) =>
        methods.map((method) => ({
          ...{ what, role, method, path: path + (method === "GET" ? ending : "") },
          odd: everyName(value),
        })),
      );
    });
    expect(await faultsOf(asked)).toEqual([]);
  });
});
