import { describe, expect, test } from "vitest";
import { createAccount } from "../support/accounts.ts";
import { changeOwn } from "../support/own-rows.ts";
import { siteOfFile, type TestSite } from "../support/site.ts";

const site = siteOfFile();
const secure = siteOfFile({ APP_URL: "https://grief.example" });

const asking = (of: TestSite, body: string, origin?: string) =>
  of.ask("/api/preferences", {
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    ...(origin && { origin }),
  });

// 400 days, and for scripts as well.
const lasting = "Max-Age=34560000; Path=/; SameSite=Lax";

describe("POST /api/preferences", () => {
  test("sets the cookies of a theme and a time zone, for as long as browsers allow", async () => {
    const theme = await asking(site, "theme=dark");
    expect([theme.status, theme.headers.getSetCookie()]).toEqual([204, [`theme=dark; ${lasting}`]]);
    expect(theme.headers.get("cache-control")).toBe("no-store");
    const both = await asking(site, "theme=system&tz=America%2FNew_York");
    expect(both.headers.getSetCookie()).toEqual([
      "theme=system; Max-Age=0; Path=/; SameSite=Lax",
      `tz=America%2FNew_York; ${lasting}`,
    ]);
  });

  test("over https, for this host and https only", async () => {
    const answer = await asking(secure, "theme=light", "https://grief.example");
    expect(answer.headers.getSetCookie()).toEqual([`__Host-theme=light; ${lasting}; Secure`]);
  });

  test.each([
    "",
    "theme=",
    "theme=blue",
    "theme=dark; Domain=example.com",
    "tz=Mars%2FOlympus",
    "tz=%2B05%3A30",
    "tz=Europe%2FBerlin%0D%0ASet-Cookie%3A%20a%3Db",
    `tz=${"a".repeat(65)}`,
    "theme=dark&tz=Mars",
    "session=x",
  ])("refuses %j, and sets nothing", async (body) => {
    const answer = await asking(site, body);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid" } });
  });

  test("refuses other sites and large bodies", async () => {
    expect((await asking(site, "theme=dark", "https://evil.example")).status).toBe(403);
    expect((await asking(site, `theme=dark&x=${"x".repeat(5000)}`)).status).toBe(413);
  });
});

test("they last for as long again when the session of a signed-in user is prolonged", async () => {
  const account = await createAccount(site.services);
  const session = await site.cookieOf(account);
  const visit = async (cookie: string) => {
    const answer = await site.ask("/my-courses", { headers: { cookie: `${session}; ${cookie}` } });
    return answer.headers.getSetCookie().filter((line) => /^(theme|tz)=/.test(line));
  };
  const cookie = "theme=dark; tz=Europe%2FBerlin";
  expect(await visit(cookie)).toEqual([]);
  const expire = () =>
    changeOwn(site.services, "sessions", account.id, {
      expiresAt: new Date(Date.now() + 10 * 24 * 3600_000),
    });
  await expire();
  expect(await visit(cookie)).toEqual([`theme=dark; ${lasting}`, `tz=Europe%2FBerlin; ${lasting}`]);
  await expire();
  expect(await visit("theme=blue; tz=Mars")).toEqual([]);
});
