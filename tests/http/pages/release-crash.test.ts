import { rmSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { addCourse, addPage, createRelease } from "~/features/releases/releases.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { diskFolder, testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { draftPlace } from "../../support/page-editing.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startServing } from "../../support/process.ts";
import { seededRandom } from "../../support/random.ts";

const kills = 5;
const pages = ["home", "about", "coaching", "courses", "thank-you", "terms", "privacy"];

/** A release of ten parts: seven pages, one of all pages, and the prices of two courses. */
async function tenParts(services: Services, round: number) {
  const { db } = services;
  const coach = await createPerson(services, { role: "admin" });
  const id = await createRelease(services, `Round ${round}`);
  const value = `Round ${round}`;
  for (const page of pages) await draftPlace(services, coach, { page, field: "heading", value });
  await draftPlace(services, coach, { page: "site", field: "footerTitle", value });
  for (const page of [...pages, "site"]) await addPage(services, id, page);
  const courses = await db.read.selectFrom("products").select("id").execute();
  for (const course of courses)
    await addCourse(services, id, { courseId: course.id, after: { priceCents: 1000 + round } });
  return { id, cookie: await cookieOf(services, coach.id) };
}

/** The rounds that the public versions of the ten parts are of. */
async function publicRounds({ db }: Services): Promise<Set<number>> {
  const rows = await db.read
    .selectFrom("pages")
    .innerJoin("versions", (join) =>
      join
        .onRef("versions.subject", "=", "pages.subject")
        .onRef("versions.number", "=", "pages.number"),
    )
    .select("content")
    .execute();
  const prices = await db.read.selectFrom("products").select("priceCents").execute();
  expect([rows.length, prices.length]).toEqual([pages.length + 1, 2]);
  return new Set([
    ...rows.map(({ content }) => Number(/Round (\d+)/.exec(content)?.[1])),
    ...prices.map(({ priceCents }) => priceCents - 1000),
  ]);
}

test(`a site that is killed while it publishes a release: all of it is public or nothing, ${kills} times`, {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(20261128);
  const { url, drop } = await freshDatabase();
  const config = await testConfig(url, { DATA_DIR: diskFolder() });
  const env = {
    DATA_DIR: config.dataDir,
    AUTH_SECRET: config.authSecret,
    ...(url ? { DATABASE_URL: url } : {}),
  };
  const publish = (site: Awaited<ReturnType<typeof startServing>>, id: string, cookie: string) =>
    fetch(`http://127.0.0.1:${site.port}/admin/releases/${id}`, {
      method: "POST",
      headers: { cookie, origin: site.url },
      body: new URLSearchParams({ intent: "publish" }),
      redirect: "manual",
    }).then(
      ({ status }) => status,
      () => 0,
    );
  let turns = 0;
  let before = 0;
  let unanswered = 0;
  for (let round = 0; round <= kills; round += 1) {
    const services = await openServices(config);
    if (round === 0) for (const _ of [1, 2]) await createCourse(services, [[{}]]);
    const { id, cookie } = await tenParts(services, round);
    await closeServices(services);
    const site = await startServing(env);
    let status: number | undefined;
    const asked = publish(site, id, cookie).then((answer) => {
      status = answer;
    });
    // The first round, which nobody ends, says how long it takes.
    const end = round === 0 ? Number.POSITIVE_INFINITY : random() * turns * 1.2;
    let passed = 0;
    for (; passed < end && status === undefined; passed += 1) await turn();
    if (round === 0) turns = passed;
    await site.kill("SIGKILL");
    await asked;
    const after = await openServices(config);
    const found = await publicRounds(after);
    await closeServices(after);
    expect([...found], `round ${round}, answered ${status}`).toHaveLength(1);
    const [now = -1] = found;
    if (status !== 303) unanswered += 1;
    if (status === 303) expect(now).toBe(round);
    else expect([before, round]).toContain(now);
    before = now;
  }
  expect(unanswered).toBeGreaterThan(0);
  rmSync(config.dataDir, { recursive: true, force: true });
  await drop();
});
