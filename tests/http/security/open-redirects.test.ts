import { beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createAccount, newAddress } from "../../support/accounts.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { rawSocket, request } from "../../support/raw-socket.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

const site = siteOfFile();
let ada: Person;
const coach = adminOfFile(site);
let course: TestCourse;
beforeAll(async () => {
  ada = await createPerson(site.services);
  course = await createCourse(site.services, [[{ slug: "one" }]]);
  await enroll(site.services, { userId: ada.id, productId: course.id });
});

const evil = "evil.example";
/** Ways to another site, as browsers, libraries and filters have read them over the years. */
const ways = [
  ...[`https://${evil}`, `HTTPS://${evil}`, `//${evil}`, `///${evil}`, `////${evil}/x`],
  ...[`/\\${evil}`, `\\\\${evil}`, `\\/${evil}`, `/\\/${evil}`, `\\/\\/${evil}`, `https:${evil}`],
  ...[`https:/${evil}`, `https:\\\\${evil}`, `http:///${evil}`, `//${evil}%2f..`, `%2f%2f${evil}`],
  ...[`/%2f${evil}`, `/%2f/${evil}`, `/%5c${evil}`, `%5c%5c${evil}`, `/%09/${evil}`, `/\t/${evil}`],
  ...[`\t//${evil}`, `\n//${evil}`, `/\n/${evil}`, `/\r/${evil}`, ` //${evil}`, `\u0000//${evil}`],
  ...[
    `/\u000b/${evil}`,
    `//${evil}@localhost`,
    `//localhost@${evil}`,
    `https://localhost@${evil}/`,
  ],
  ...[`@${evil}`, `.${evil}`, `/.//${evil}`, `/..//${evil}`, `/x/..//${evil}`, `/./\\${evil}`],
  ...[`/;@${evil}`, `//evil。example`, `//evil．example`, `//evil%E3%80%82example`, `／／${evil}`],
  ...[`/／${evil}`, `⁄⁄${evil}`, `//${evil}\u00a0`, `\u2028//${evil}`, `//0x7f.1`, `//[::1]`],
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    " javascript:alert(1)",
  ],
  ...["data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "blob:x"],
  ...[
    `//${evil}/${"a".repeat(3000)}`,
    `/${"/".repeat(3000)}${evil}`,
    "/x\r\nSet-Cookie: a=b",
    "?x=//",
  ],
  ...[`https://localhost.${evil}`, `http://localhost:1@${evil}`, `${evil}`, `//user:pw@${evil}:80`],
];

/** Where a browser that stands on a page of the site goes with this Location, if that is elsewhere. */
function leadsAway(location: string | null): boolean {
  if (location === null) return false;
  if ([...location].some((one) => one < " " || one > "~")) return true;
  const base = `${site.services.config.appUrl}/auth`;
  return !URL.canParse(location, base) || new URL(location, base).origin !== new URL(base).origin;
}

/** What a page says that leads on: its links, its forms, and what its scripts are told. */
function linksOf(html: string): string[] {
  const found = html.matchAll(/(?:href|action|src|formaction)="([^"]*)"/g);
  return [...found].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
}

const names = ["redirect", "redirectTo", "callbackURL", "next", "return", "returnTo", "url"];
const queryOf = (way: string) =>
  new URLSearchParams(names.map((name) => [name, way])).toString().replaceAll("+", "%20");

describe("no way back of a page leads to another site", () => {
  const forms: [string, Record<string, string>][] = [
    ["/auth", {}],
    ["/auth?mode=sign-up", { name: "Ada", password: "weak" }],
    ["/auth/forgot", { email: "none" }],
    ["/auth/reset?token=x", { password: "Correct-horse-9" }],
    ["/auth/verify?token=x", {}],
    ["/auth/sign-out", {}],
  ];

  test.each(ways.filter((_, at) => at % 9 === 0))("%j", async (way) => {
    const query = queryOf(way);
    for (const [path, form] of forms) {
      const address = `${path}${path.includes("?") ? "&" : "?"}${query}`;
      const headers = { referer: way.replaceAll(/[^!-~]/g, "") };
      for (const asking of [
        {},
        { form: { ...form, redirect: way, callbackURL: way } },
        { as: ada },
      ]) {
        const answer = await visitor(site).ask(address, { headers, ...asking });
        const location = answer.headers.get("location");
        expect([address, location, leadsAway(location)]).toEqual([address, location, false]);
        expect(answer.status).toBeLessThan(500);
        for (const link of linksOf(await answer.text())) {
          if (!link.includes("evil") && !/^(java|data:|vb)/i.test(link)) continue;
          expect([address, link, leadsAway(link)]).toEqual([address, link, false]);
        }
      }
    }
  });

  test.each(ways)("%j, for anyone who is signed in already", async (way) => {
    const answer = await site.ask(`/auth?${queryOf(way)}`, { as: ada });
    const location = answer.headers.get("location");
    // What is longer than any head may be is not read at all.
    expect(leadsAway(location)).toBe(false);
    expect([way.length > 1000 ? [302, 431] : [302], answer.status]).toEqual([
      expect.arrayContaining([answer.status]),
      answer.status,
    ]);
  });

  test("after signing in, signing up and a new password, by form and by the library", async () => {
    for (const way of ways.filter((_, at) => at % 9 === 0)) {
      const who = visitor(site);
      const account = await createAccount(site.services);
      const signed = await who.ask(`/auth?${queryOf(way)}`, { form: account });
      expect([signed.status, leadsAway(signed.headers.get("location"))], way).toEqual([303, false]);
      const json = { ...account, callbackURL: way, redirectTo: way };
      const direct = await visitor(site).ask(`/api/auth/sign-in/email?${queryOf(way)}`, { json });
      const { url } = ((await direct.json().catch(() => null)) ?? {}) as { url?: string };
      for (const said of [direct.headers.get("location"), url ?? null])
        expect([way, said, leadsAway(said)]).toEqual([way, said, false]);
    }
  }, 120_000);

  test("in emails, whatever the library is given", async () => {
    const given = [...ways.filter((_, at) => at % 15 === 0), "/my-courses"];
    let emails = 0;
    for (const way of given) {
      const { email } = await createAccount(site.services);
      const fresh = newAddress();
      const who = visitor(site);
      const json = { name: "Ada", email: fresh, password: "Correct-horse-9", callbackURL: way };
      const made = await who.ask("/api/auth/sign-up/email", { json });
      const asked = await who.ask("/api/auth/request-password-reset", {
        json: { email, redirectTo: way },
      });
      for (const [answer, address] of [
        [made, fresh],
        [asked, email],
      ] as const) {
        // What leads away is refused, and then nothing is sent.
        if (answer.status !== 200) {
          expect([400, 403], way).toContain(answer.status);
          continue;
        }
        emails += 1;
        const message = await emailTo(site.services.config, address);
        const back = new URL(message.link).searchParams.get("redirect") ?? "";
        expect(message.link.startsWith(`${site.services.config.appUrl}/auth/`)).toBe(true);
        expect([way, back, leadsAway(back)]).toEqual([way, back, false]);
      }
    }
    expect(emails).toBeGreaterThan(0);
  });

  test("after confirming an address, whatever has become of the link", async () => {
    for (const way of ways.filter((_, at) => at % 20 === 0)) {
      const who = visitor(site);
      const email = newAddress();
      const form = { name: "Ada", email, password: "Correct-horse-9" };
      await who.ask("/auth?mode=sign-up", { form });
      const link = new URL(pathOf(await emailTo(site.services.config, email)), site.url);
      link.searchParams.set("redirect", way);
      const done = await who.ask(link.pathname + link.search, { form: {} });
      expect([done.status, leadsAway(done.headers.get("location"))], way).toEqual([303, false]);
    }
  });
});

describe("the library's own links", () => {
  test.each(ways)("%j", async (way) => {
    const query = queryOf(way);
    for (const path of [
      "/verify-email?token=x&",
      "/reset-password/x?",
      "/error?error=x&",
      "/callback/x?",
    ]) {
      const address = `/api/auth${path}${query}`;
      const answer = await visitor(site).ask(address, { as: ada });
      const location = answer.headers.get("location");
      expect([address, location, leadsAway(location)]).toEqual([address, location, false]);
      expect(answer.status).toBeLessThan(500);
      expect(linksOf(await answer.text()).filter(leadsAway)).toEqual([]);
    }
  });
});

describe("the way back to the page that sent a form", () => {
  // Pages of ours that are not there have the form as well, and are in the Referer.
  const referers = () => [
    `https://${evil}/x`,
    `${site.url}//${evil}/x`,
    `${site.url}/\\${evil}`,
    `${site.url}/.//${evil}`,
    `${site.url}/x/..//${evil}`,
    `${site.url}@${evil}/x`,
    ...ways.slice(0, 20).map((way) => `${site.url}${way.replaceAll(/[^!-~]/g, "")}`),
  ];
  test("is no way to another site", async () => {
    for (const referer of referers()) {
      const { id } = course.modules[0]?.lessons[0] ?? { id: "" };
      const tries: [string, Person | null, Record<string, string>][] = [
        ["/newsletter", null, { firstName: "Ada", email: newAddress() }],
        [
          `/courses/${course.slug}/learn/draft`,
          ada,
          { intent: "discard", lessonId: id, draftId: "x" },
        ],
        [`/admin/lessons/${id}/draft`, coach, { intent: "discard", draftId: "x" }],
        [`/courses/${course.slug}`, ada, {}],
      ];
      for (const [path, as, form] of tries) {
        const answer = await visitor(site).ask(path, { as, form, headers: { referer } });
        const location = answer.headers.get("location");
        expect(leadsAway(location), `${path} ${referer} ${location}`).toBe(false);
        expect(answer.status).toBeLessThan(500);
      }
    }
  }, 120_000);
});

describe("no address leads to another site by itself", () => {
  const paths = ways.map((way) =>
    `/${way}`.replaceAll(/[^!-~]/g, (sign) => encodeURIComponent(sign)),
  );
  test("whatever stands in its path", async () => {
    for (const path of [...paths, ...paths.map((one) => `${one}/`)]) {
      const Host = new URL(site.services.config.appUrl).host;
      const answer = await rawSocket(site.url, request(`GET ${path} HTTP/1.1`, { Host }));
      const location = answer.headers.get("location");
      expect([path, location, leadsAway(location)]).toEqual([path, location, false]);
    }
  });

  test.each(routeTable.map(({ pattern }) => pattern))(
    "%s with every name of a way back",
    async (pattern) => {
      const path = pattern.replaceAll(/:\w+|\*/g, "x");
      for (const as of [ada, coach])
        for (const way of ways.filter((_, at) => at % 9 === 0)) {
          const answer = await visitor(site).ask(`${path}?${queryOf(way)}`, { as });
          const location = answer.headers.get("location");
          expect([way, location, leadsAway(location)]).toEqual([way, location, false]);
          await answer.text();
        }
    },
  );
});
