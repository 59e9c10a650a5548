import pg from "pg";
import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { goodPassword, newAddress } from "../../support/accounts.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import { journalOf } from "../../support/journal-page.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { createPerson } from "../../support/people.ts";
import { hasPgBouncer, startPgBouncer } from "../../support/pgbouncer.ts";
import { run } from "../../support/process.ts";
import { startSite } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

const admin = process.env.TEST_DATABASE_URL;

async function onServer(...statements: string[]) {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe.runIf(admin && hasPgBouncer)("behind PgBouncer in transaction mode", () => {
  const site = openForTests(async () => {
    const { url = "", drop } = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await onServer(
      `create role ${name} login password 'a-good-one'`,
      `alter database ${name} owner to ${name}`,
    );
    const own = Object.assign(new URL(url), { username: name, password: "a-good-one" });
    const pooler = await startPgBouncer(own.href);
    const site = await startSite({ TRUSTED_PROXIES: "1" }, undefined, (config) => ({
      ...{ ...config, databaseUrl: pooler.url },
    }));
    return {
      ...site,
      name,
      address: pooler.url,
      async close() {
        await site.close();
        await pooler.close();
        await drop();
        await onServer(`drop role ${name}`);
      },
    };
  });

  test("the site starts on an empty database, signs up by email, and saves what is written", async () => {
    const ada = visitor(site);
    const email = newAddress();
    const form = { name: "Ada", email, password: goodPassword };
    expect((await ada.ask("/auth?mode=sign-up", { form })).status).toBe(200);
    const message = await emailTo(site.services.config, email);
    expect((await ada.ask(pathOf(message), { form: {} })).status).toBe(303);
    expect((await ada.ask("/my-courses")).status).toBe(200);

    const course = await createCourse(site.services, [
      [{ prompts: prompts(1) }, { prompts: prompts(1) }],
    ]);
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: course.id });
    const [first, second] = [lessonOf(course, 0, 0), lessonOf(course, 0, 1)];
    const sent = await complete(site, student, course, first, { answers: ["sent words"] });
    expect(sent.status).toBe(303);
    const draft = { draftId: newId(), lessonId: second.id, answers: ["typed words"] };
    expect((await keepDraft(site, student, course, draft)).status).toBe(204);
    expect(JSON.stringify(await journalOf(site, student))).toContain("sent words");
  });

  test("a backup is made, and the key of the journals is changed", async () => {
    const { databaseUrl = "", authSecret, dataDir } = site.services.config;
    const env = { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, DATA_DIR: dataDir };
    const backup = await run("command.ts", ["backup", temporaryFolder()], env).ended;
    expect(backup).toMatchObject({ code: 0, err: "" });
    const keys = { JOURNAL_KEY: Buffer.alloc(32, 7).toString("base64") };
    const rotation = await run("command.ts", ["journal:rotate"], { ...env, ...keys }).ended;
    expect(rotation).toMatchObject({ code: 0, err: "" });
  });

  test("with PostgreSQL away behind it, the answer is 503, and then as before", async () => {
    const { name } = site;
    await onServer(
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    const health = await site.ask("/healthz");
    expect([health.status, (await health.json()).database]).toEqual([503, "unreachable"]);
    const page = await site.ask("/courses/x");
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "10"]);
    const account = { email: newAddress(), password: goodPassword };
    for (const asking of [{ form: account }, { json: account }]) {
      const path = "form" in asking ? "/auth" : "/api/auth/sign-in/email";
      const refused = await visitor(site).ask(path, asking);
      expect([path, refused.status, refused.headers.get("retry-after")]).toEqual([path, 503, "10"]);
    }
    await onServer(`alter database ${name} with allow_connections true`);
    await expect
      .poll(async () => (await site.ask("/healthz")).status, { timeout: 20_000 })
      .toBe(200);
  });
});
