import { afterEach, describe, expect, test } from "vitest";
import { Visits } from "~/platform/visits/visits.ts";
import { createPerson } from "../support/people.ts";
import { siteOfFile } from "../support/site.ts";
import { wholeDatabase } from "../support/whole-database.ts";

const site = siteOfFile();
const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

afterEach(async () => {
  await site.visits.flush();
  await site.services.db.write.deleteFrom("visits").execute();
});

type Asking = Parameters<typeof site.ask>[1];

async function open(path: string, headers: Record<string, string> = {}, asking: Asking = {}) {
  const answer = await site.ask(path, {
    ...asking,
    headers: { "user-agent": browser, ...headers },
  });
  await answer.text();
  return answer;
}

async function counted() {
  await site.visits.flush();
  const rows = await site.services.db.read
    .selectFrom("visits")
    .select(["page", "host", "arrivals", "openings"])
    .orderBy("page")
    .orderBy("host")
    .execute();
  return rows.map(({ page, host, arrivals, openings }) => [page, host, arrivals, openings]);
}

describe("visits", () => {
  test("count page and host, from the page cache, before it and unchanged", async () => {
    const first = await open("/about");
    await open("/about", { referer: "https://www.search.example/?q=my+brother+died" });
    await open("/about", { referer: "https://search.example/" });
    const tag = first.headers.get("etag") ?? "";
    expect((await open("/about", { "if-none-match": tag })).status).toBe(304);
    await open("/courses", { referer: `${site.services.config.appUrl}/about` });
    await open("/courses", { "sec-fetch-site": "same-origin" });
    expect(await counted()).toEqual([
      ["/about", "", 2, 2],
      ["/about", "search.example", 2, 2],
      ["/courses", "", 0, 2],
    ]);
    await open("/about");
    expect((await counted())[0]).toEqual(["/about", "", 3, 3]);
  });

  test("leave out programs, what is loaded in advance, HEAD, what is no page, and the coach", async () => {
    await open("/", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await open("/", { "user-agent": "curl/8.5.0" });
    await open("/", { "user-agent": "x".repeat(500) });
    await open("/", { "sec-purpose": "prefetch;prerender" });
    await open("/", {}, { method: "HEAD" });
    for (const path of ["/nothing-here", "/auth", "/robots.txt", "/healthz", "/about.data"])
      await open(path);
    const admin = await createPerson(site.services, { role: "admin" });
    await open("/about", {}, { as: admin });
    expect(await counted()).toEqual([]);
    await open("/about", {}, { as: await createPerson(site.services) });
    expect(await counted()).toEqual([["/about", "", 1, 1]]);
  });

  test("leave out /help: who looks for help is not even a number", async () => {
    await open("/help", { referer: "https://search.example/" });
    await open("/help", {}, { as: await createPerson(site.services) });
    await open("/help", { cookie: "tz=Europe%2FDublin" });
    expect(await counted()).toEqual([]);
  });

  test("store nothing of who came, nor where exactly from", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.77" };
    const referer = "https://forum.example/thread/my-secret-name?user=ada";
    await open("/about", { ...forwarded, referer });
    await site.visits.flush();
    const whole = JSON.stringify(await wholeDatabase(site.services));
    expect(whole).toContain("forum.example");
    for (const secret of ["203.0.113.77", "my-secret-name", "Chrome/131", "user=ada"])
      expect(whole).not.toContain(secret);
    const answer = await open("/about");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("add up over several processes, and wait in memory while the database is away", async () => {
    const { services } = site;
    const other = new Visits(services, () => "UTC");
    const mine = new Visits(services, () => "UTC");
    const headers = { "user-agent": browser, referer: "https://a.example/" };
    for (const one of [other, mine, mine]) one.count("/", headers);
    const { unsynced } = services.db;
    services.db.unsynced = () => Promise.reject(new Error("away"));
    await mine.flush();
    services.db.unsynced = unsynced;
    mine.count("/", headers);
    await Promise.all([mine.flush(), other.flush()]);
    expect(await counted()).toEqual([["/", "a.example", 4, 4]]);
  });

  test("name two hundred hosts a day, and all others together", async () => {
    const visits = new Visits(site.services, () => "UTC");
    for (let n = 0; n < 300; n += 1)
      visits.count("/", { "user-agent": browser, referer: `https://host-${n}.example/` });
    await visits.flush();
    const rows = await counted();
    expect(rows).toHaveLength(201);
    expect(rows).toContainEqual(["/", "other", 100, 100]);
  });

  test.each([
    "nonsense",
    "file:///home/ada",
    "javascript:alert(1)",
    `https://${"a".repeat(150)}.example/`,
  ])("take %j for no host", async (referer) => {
    const visits = new Visits(site.services, () => "UTC");
    visits.count("/", { "user-agent": browser, referer });
    await visits.flush();
    expect(await counted()).toEqual([["/", "", 1, 1]]);
  });
});
