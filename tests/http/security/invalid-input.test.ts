import { beforeAll, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { emailsTo, emailTo } from "../../support/mailbox.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { rawSocket, request } from "../../support/raw-socket.ts";
import { siteOfFile } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

const site = siteOfFile();
const coach = adminOfFile(site);
let ada: Person;
let course: TestCourse;
beforeAll(async () => {
  ada = await createPerson(site.services);
  course = await createCourse(site.services, [[{}]]);
  await enroll(site.services, { userId: ada.id, productId: course.id });
});

describe("a NUL, which PostgreSQL refuses to look for,", () => {
  test.each([
    ["/api/auth/reset-password", { token: "a\0b", newPassword: goodPassword }],
    ["/api/auth/sign-in/email", { email: "a\0b@example.com", password: goodPassword }],
    ["/api/auth/request-password-reset", { email: "ada\0@example.com" }],
    [
      "/api/auth/passkey/verify-authentication",
      { response: { id: "\0", rawId: "\0", type: "public-key", response: {} } },
    ],
  ])("in what %s is sent is a mistake of the caller's", async (path, json) => {
    expect((await visitor(site).ask(path, { json })).status).toBe(400);
  });
  test.each([
    ["/account/security/app?app=%00", 200],
    ["/account/security/remove?app=%00", 302],
    ["/account/sign-in-methods?unlink=%00", 200],
    ["/courses?at=%00", 200],
  ])("%s is answered as any other that is not there", async (path, status) => {
    expect((await site.ask(path, { as: ada })).status).toBe(status);
  });
  test.each([
    ["/account/security/app?app=%00", { intent: "finish", code: "123456" }],
    ["/account/security/remove?app=%00", { password: goodPassword }],
    ["/account/security/remove?passkey=%00", { password: goodPassword }],
    ["/account/security/rename?app=%00", { name: "Mine" }],
    ["/account/security/rename?passkey=%00", { name: "Mine" }],
    ["/account/email/confirm?token=%00", {}],
    ["/account/keep?token=%00", {}],
    ["/my-courses/journal?edit=%00&draft=%00", { intent: "delete", target: "%00" }],
  ])("a form sent to %s breaks nothing", async (path, form) => {
    expect((await site.ask(path, { as: ada, form })).status).toBeLessThan(500);
  });
  test("a link with one does not work", async () => {
    const form = { password: goodPassword };
    const answer = await visitor(site).ask("/auth/reset?token=%00", { form });
    expect(answer.status).toBe(400);
  });
});

describe("another name of the host", () => {
  const evil = "evil.example";
  const foreign: Record<string, string>[] = [
    { host: evil },
    { "x-forwarded-host": evil },
    { host: evil, "x-forwarded-proto": "https", "x-forwarded-server": evil },
    { forwarded: `host=${evil};proto=https` },
    { "x-host": evil, "x-original-host": evil, "x-original-url": `//${evil}` },
  ];
  test("is in no page, no redirect and no cookie", async () => {
    const { host } = new URL(site.services.config.appUrl);
    const pages = ["/", "/about", "/courses", "/auth", "/my-courses", "/about/"];
    for (const path of [...pages, "/sitemap.xml", "/robots.txt"])
      for (const headers of foreign) {
        const answer = await rawRequest(site.url, { path, headers: { host, ...headers } });
        const said = JSON.stringify(answer.headers) + answer.body;
        expect([path, said]).toEqual([path, expect.not.stringContaining("evil")]);
      }
  });

  test("is not cached for the next reader", async () => {
    await rawRequest(site.url, { path: "/terms", headers: { host: "evil.example" } });
    expect(await (await site.ask("/terms")).text()).not.toContain("evil");
  });

  test("a whole address in the first line changes nothing", async () => {
    const bytes = request("GET http://evil.example/my-courses HTTP/1.1", { Host: "evil.example" });
    const answer = await rawSocket(site.url, bytes);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      "/auth?redirect=/my-courses",
    ]);
  });

  test("is in no email", async () => {
    const { appUrl, port } = site.services.config;
    for (const [at, headers] of foreign.entries()) {
      const { email } = await createAccount(site.services);
      const body = Buffer.from(new URLSearchParams({ email }).toString());
      const all = {
        ...{ host: `localhost:${port}`, origin: appUrl, ...headers },
        "content-type": "application/x-www-form-urlencoded",
        "content-length": String(body.length),
        "x-forwarded-for": `10.9.9.${at}`,
      };
      const asked = { method: "POST", path: "/auth/forgot", headers: all, body };
      expect((await rawRequest(site.url, asked)).status).toBe(200);
      expect((await emailTo(site.services.config, email)).source).not.toContain("evil");
    }
  });
});

describe("fields that no form has", () => {
  const more = {
    ...{ role: "admin", emailVerified: "true", id: "mine", userId: "mine", isAdmin: "1" },
    ...{ image: "https://evil.example/x.png", timeZone: "Mars" },
    ...{ createdAt: "2001-01-01", updatedAt: "2001-01-01", deletedAt: "2001-01-01" },
    ...{ priceCents: "1", active: "1", stripePaymentId: "x", status: "paid" },
  };
  const own = (email: string) =>
    site.services.db.read
      .selectFrom("profiles")
      .selectAll()
      .where("email", "=", email)
      .executeTakeFirst();

  test.each(["/auth?mode=sign-up", "/api/auth/sign-up/email"])("%s", async (path) => {
    const email = newAddress();
    const fields = { name: "Eve", email, password: goodPassword, ...more };
    const asked = path.startsWith("/api")
      ? { json: { ...fields, emailVerified: true, twoFactorEnabled: true } }
      : { form: fields };
    const { status } = await visitor(site).ask(path, asked);
    const made = await own(email);
    // The form leaves them out, and the library refuses all of it.
    expect(made === undefined).toBe(status === 400);
    expect(path.startsWith("/api") || made !== undefined).toBe(true);
    const harmless = { role: "student", emailVerified: false, image: null, timeZone: null };
    expect(made ?? harmless).toMatchObject(harmless);
    expect(made?.id).not.toBe("mine");
  });

  test("signing in, a new password, and an account of one's own", async () => {
    const account = await createAccount(site.services);
    const before = await own(account.email);
    const who = visitor(site);
    await who.ask("/auth", { form: { ...account, ...more } });
    const json = { ...more, name: "Eve", newEmail: newAddress() };
    for (const path of ["update-user", "change-email", "update-session", "admin/set-role"])
      await who.ask(`/api/auth/${path}`, { json });
    await who.ask("/api/auth/get-session", { json });
    expect(await own(account.email)).toEqual(before);
  });

  test("a completed lesson is one's own, whatever the form says", async () => {
    const lesson = course.modules[0]?.lessons[0]?.id ?? "";
    const fields = { lessonId: lesson, question: "q", answer: "a" };
    const others = { createdAt: "2001-01-01", role: "admin" };
    const complete = (more: Record<string, string>) => {
      const multipart = Object.entries({ ...fields, ...more });
      return site.ask(`/courses/${course.slug}/learn`, { as: ada, multipart });
    };
    const done = () => site.services.db.read.selectFrom("progress").selectAll().execute();
    // A form that belongs to someone else is not taken at all.
    await complete({ userId: coach.id, ...others });
    expect(await done()).toEqual([]);
    await complete(others);
    const rows = await done();
    expect(rows.map(({ userId }) => userId)).toEqual([ada.id]);
    expect(rows[0]?.createdAt.getFullYear()).toBeGreaterThan(2020);
  });

  test("a course bought costs what it costs", async () => {
    const json = { productId: course.id, priceCents: 1, price: 1, amount: 1, userId: coach.id };
    const answer = await site.ask("/api/create-checkout", { as: ada, json });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await site.services.db.read.selectFrom("payments").selectAll().execute()).toEqual([]);
  });
});

test("names that JavaScript has itself are names like others", async () => {
  const plain = ["__proto__", "constructor", "prototype"];
  const names = [...plain, "__proto__[role]", "constructor[prototype][role]"];
  const fields = names.map((name): [string, string] => [name, "admin"]);
  const polluting =
    '"__proto__":{"role":"admin","polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const forms = ["/auth", "/auth?mode=sign-up", "/auth/forgot", "/newsletter", "/mail-preferences"];
  for (const path of [...forms, `/courses/${course.slug}`])
    for (const as of [null, ada, coach]) {
      const form: [string, string][] = [...fields, ["email", newAddress()]];
      expect((await visitor(site).ask(path, { as, form })).status).toBeLessThan(500);
    }
  const account = { email: "a@example.com", password: goodPassword, name: "Eve" };
  const body = `${JSON.stringify(account).slice(0, -1)},${polluting}`;
  for (const path of ["sign-up/email", "sign-in/email", "reset-password", "update-user"]) {
    const asked = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect((await visitor(site).ask(`/api/auth/${path}`, asked)).status).toBeLessThan(500);
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(emailsTo(site.services.config, "admin")).toEqual([]);
});

describe("ways out of a folder", () => {
  const climbs = [
    ...["..", "%2e%2e", "%2E%2E", ".%2e", "..;", "%252e%252e", "..%00"],
    ...["%c0%ae%c0%ae", "%uff0e%uff0e", "....//", "..%5c"],
  ];
  const slashes = ["/", "%2f", "%5c", "\\", "%252f", "%c0%af"];
  const roots = [
    ...["", "/assets", "/share", "/media", "/media/course-audio"],
    ...["/uploads", "/admin/export", "/courses"],
  ];
  const files = [
    ...["package.json", "etc/passwd", "build/server/index.js"],
    ...["blue-dot.sqlite", "auth-secret", ".env"],
  ];
  test("lead to no file", async () => {
    const { authSecret } = site.services.config;
    let tried = 0;
    for (const root of roots)
      for (const climb of climbs)
        for (const [at, slash] of slashes.entries()) {
          const file = files[(at + tried) % files.length] ?? "";
          const path = `${root}/${Array(1 + (tried % 6))
            .fill(climb)
            .join(slash)}${slash}${file}`;
          tried += 1;
          const cookie = tried % 2 ? await site.cookieOf(coach) : "";
          const headers = { host: "localhost", cookie };
          const answer = await rawRequest(site.url, { path, headers });
          expect(answer.status, path).toSatisfy((status) => status >= 300 && status < 500);
          expect(answer.body).not.toMatch(/"dependencies"|root:.*:0:0|SQLite format|openSite/);
          expect(answer.body).not.toContain(authSecret);
        }
  }, 90_000);

  test.each([
    "/site-%2e%2e%2fx.js",
    "/site-../../x.js",
    "/site-0000000000.js/../../package.json",
    "/site-00000000.js",
    "/courses.data/../../package.json",
    "/..data",
    "/assets/%2e%2e/stamp.data",
    "/build/server/index.js",
    "/node_modules/hono/package.json",
    "/blue-dot.sqlite",
    "/.git/config",
    "/.env",
    "/assets/../../server/index.js",
    "/%2e%2e/stamp",
    "/site.js.map",
  ])("%s is nothing", async (path) => {
    const answer = await rawRequest(site.url, { path, headers: { host: "localhost" } });
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).not.toMatch(/"dependencies"|"hono"|SQLite format/);
  });
});

describe("bodies beyond every form", () => {
  const type = "application/x-www-form-urlencoded";
  const endless = 12_000_000;
  const forms = ["/newsletter", "/auth", "/api/auth/sign-in/email", "/api/webhooks/stripe"];
  test.each([...forms, "/none"])("%s takes no more without a length either", async (path) => {
    const { appUrl: origin } = site.services.config;
    const headers = { host: "localhost", origin, "content-type": type };
    const answer = await rawRequest(site.url, { method: "POST", path, headers, endless });
    expect(answer.status).toBe(413);
    // It is not read to its end to be refused.
    expect(answer.sent).toBeLessThan(endless);
  });

  const nested = (text: string, times: number) => text.repeat(times);
  const multipart = "multipart/form-data; boundary=x";
  const json = "application/json";
  const bombs: [string, string, string][] = [
    ["10,000 fields", type, Array.from({ length: 10_000 }, (_, n) => `f${n}=x`).join("&")],
    ["10,000 times one field", type, nested("email=x&", 10_000)],
    ["a name of 200,000 signs", type, `${nested("a", 200_000)}=x`],
    ["a deep name", type, `a${nested("[b]", 20_000)}=x`],
    ["signs that are no text", type, nested("%ff%", 20_000)],
    ["deep JSON", json, nested("[", 100_000)],
    ["deep objects", json, nested('{"a":', 40_000)],
    [
      "10,000 names in JSON",
      json,
      `{${Array.from({ length: 10_000 }, (_, n) => `"n${n}":1`).join()}}`,
    ],
    ["a number of 100,000 digits", json, `{"email":${nested("9", 100_000)}}`],
    ["parts without an end", multipart, nested("--x\r\n", 20_000)],
    [
      "10,000 parts",
      multipart,
      `${nested('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n', 4000)}--x--`,
    ],
    [
      "a part with endless headers",
      multipart,
      `--x\r\n${nested("A: b\r\n", 20_000)}\r\nb\r\n--x--`,
    ],
    ["no boundary", "multipart/form-data", "--x"],
    ["a boundary of signs", 'multipart/form-data; boundary="((((((((((((("', "--(((((((((((((\r\n"],
  ];
  test.each(bombs)("%s", async (_, contentType, body) => {
    const lesson = `/courses/${course.slug}/learn`;
    for (const path of ["/auth", "/newsletter", "/api/auth/sign-in/email", lesson]) {
      const start = performance.now();
      const headers = { "content-type": contentType };
      const answer = await visitor(site).ask(path, { as: ada, method: "POST", body, headers });
      expect(answer.status, path).toSatisfy((status) => status >= 300 && status < 500);
      expect(performance.now() - start).toBeLessThan(10_000);
    }
    expect((await site.ask("/healthz")).status).toBe(200);
  });

  test("a length that is not true", async () => {
    const Host = "localhost";
    const all = { Host, Origin: site.services.config.appUrl, "Content-Type": type };
    const short = request(
      "POST /auth HTTP/1.1",
      { ...all, "Content-Length": "3" },
      "a=bGET /healthz HTTP/1.1\r\n",
    );
    expect((await rawSocket(site.url, short)).status).toBe(400);
    const long = request("POST /auth HTTP/1.1", { ...all, "Content-Length": "300" }, "a=b");
    const answer = await rawSocket(site.url, long, { toTheEnd: true, half: true });
    expect([answer.status === 0 || answer.status === 400, answer.closed]).toEqual([true, true]);
    expect((await site.ask("/healthz")).status).toBe(200);
  });
});
