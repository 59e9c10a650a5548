import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPeople } from "~/platform/db/people-search.ts";
import type { CopiedTable } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { contentOf, statement, tablesAt } from "../../support/catalogue.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { fill, filledSite } from "../../support/filled.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { run, startServing } from "../../support/process.ts";
import { rawRows } from "../../support/raw-rows.ts";

// Where it moves to is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)("npm run db:move", { timeout: 120_000 }, () => {
  let shape: Awaited<ReturnType<typeof freshDatabase>>;
  let tables: CopiedTable[];
  const places: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    shape = await freshDatabase();
    const config = await testConfig(shape.url);
    await closeServices(await openServices(config));
    tables = await tablesAt(shape.url ?? "");
  });
  afterAll(async () => {
    await shape.drop();
    for (const drop of places) await drop();
  });

  async function target() {
    const { url = "", drop } = await freshDatabase();
    places.push(drop);
    return url;
  }

  async function site() {
    const made = await filledSite(tables);
    places.push(async () => rmSync(made.config.dataDir, { recursive: true, force: true }));
    return made;
  }

  function move(dataDir: string, url: string, env: Record<string, string> = {}) {
    return run("command.ts", ["db:move", "--to", url], { DATA_DIR: dataDir, ...env });
  }

  test("carries every row of every table as it is, and says how to switch over", async () => {
    const { config, file } = await site();
    const url = await target();
    const before = await contentOf({ file }, tables);
    for (const { name } of tables) expect(before[name]?.rows, name).toBeGreaterThan(0);
    const end = await move(config.dataDir, url).ended;
    expect({ code: end.code, err: end.err }).toEqual({ code: 0, err: "" });
    const source = await contentOf({ file }, tables);
    expect(await contentOf({ url }, tables)).toEqual(source);
    const raw = await rawRows({ file, url });
    expect(raw.postgres).toEqual(raw.sqlite);
    expect(Object.keys(raw.sqlite)).toHaveLength(tables.length);
    const rows = Object.values(source).reduce((sum, table) => sum + table.rows, 0);
    expect(end.out).toContain(`Copied ${tables.length} tables, ${rows} rows`);
    expect(end.out).toContain("the copy is complete");
    expect(end.out).toContain(`mv ${file} ${file}.moved`);
    const secret = readFileSync(path.join(config.dataDir, "secret"), "utf8").trim();
    expect(end.out).not.toContain(secret);
    expect(end.out).toContain(`"$(cat ${path.join(config.dataDir, "secret")})" >> .env`);

    const again = await move(config.dataDir, url).ended;
    expect([again.code, again.out.split("\n")[0]]).toEqual([
      0,
      `That database has the same data already (${tables.length} tables, ${rows} rows); nothing was written.`,
    ]);
    // As it was when nobody had been there: what is counted, and who is found by her words.
    const [key = ""] = readFileSync(path.join(config.dataDir, "journal-key"), "utf8").split("\n");
    const services = await openServices(await testConfig(url, { JOURNAL_KEY: key }));
    const people = await services.db.read.selectFrom("profiles").select(["id", "name"]).execute();
    for (const { id, name } of people)
      expect((await findPeople(services.db, name))?.ids).toContain(id);
    await closeServices(services);
  });

  test("is a rehearsal while the site runs; what comes after it comes with the second run", async () => {
    const config = await testConfig(undefined);
    const url = await target();
    const running = await startServing({ DATA_DIR: config.dataDir });
    const first = await move(config.dataDir, url).ended;
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(first.out).toContain("This was the rehearsal.");
    const services = await openServices(config);
    const coach = await createPerson(services, { role: "admin" });
    const cookie = await cookieOf(services, coach.id);
    const course = await createCourse(services, [[{}]]);
    await closeServices(services);
    await running.kill("SIGTERM");
    const second = await move(config.dataDir, url).ended;
    expect([second.code, second.err]).toEqual([0, ""]);
    expect(second.out).toContain("the copy is complete");

    // The lines for the settings, as they are printed.
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, ".env"), "AUTH_SECRET=");
    const lines = [...second.out.matchAll(/^\s+(printf .*)$/gm)].map(([, line = ""]) => line);
    expect(lines).toHaveLength(2);
    const { spawnSync } = await import("node:child_process");
    for (const line of lines) expect(spawnSync("sh", ["-c", line], { cwd: folder }).status).toBe(0);
    const moved = await startServing({ DATABASE_URL: url, DATA_DIR: temporaryFolder() }, folder);
    const page = await fetch(`http://127.0.0.1:${moved.port}/admin`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(course.slug);
    // Somebody works there now: a copy over it would throw her words away.
    await statement({ url }, "update products set title = 'Changed'");
    const third = await move(config.dataDir, url).ended;
    expect([third.code, third.out]).toEqual([1, ""]);
    expect(third.err).toMatch(/copied from this site before, and has been changed since/);
    expect(await statement({ url }, "select distinct title from products")).toEqual([
      { title: "Changed" },
    ]);
    await moved.kill("SIGTERM");
    rmSync(config.dataDir, { recursive: true, force: true });
  });

  test("refuses another site's data, and a database that somebody uses", async () => {
    const [one, other] = [await site(), await site()];
    const url = await target();
    expect((await move(one.config.dataDir, url).ended).code).toBe(0);
    const before = await contentOf({ url }, tables);
    const refused = await move(other.config.dataDir, url).ended;
    expect([refused.code, refused.err]).toEqual([
      1,
      "That database holds another site's data. Nothing was changed. Name an empty database.\n",
    ]);
    expect(await contentOf({ url }, tables)).toEqual(before);
    const used = await target();
    const services = await openServices(await testConfig(used));
    await createPerson(services);
    await closeServices(services);
    const end = await move(one.config.dataDir, used).ended;
    expect([end.code, end.err]).toEqual([
      1,
      "That database is not empty (profiles). Nothing was changed. Name an empty one.\n",
    ]);
  });

  test("names the row that PostgreSQL cannot keep, and copies nothing then", async () => {
    const { config, file } = await site();
    const bad = [
      ["update profiles set name = 'a' || char(0) || 'b' where id =", "profiles", "name", "0000"],
      [
        `update lessons set prompts = '{"title":"\\ud800"}' where id =`,
        ...["lessons", "prompts", "half a sign"],
      ],
      ["update outbox set payload = '{' where id =", "outbox", "payload", "no JSON"],
      ["update sessions set expires_at = 'soon' where id =", "sessions", "expires_at", "no time"],
    ];
    for (const [change = "", table = "", column = "", what = ""] of bad) {
      const folder = temporaryFolder();
      cpSync(config.dataDir, folder, { recursive: true });
      const copy = { file: path.join(folder, path.basename(file)) };
      const [row] = await statement(copy, `select max(id) as id from ${table}`);
      await statement(copy, `${change} '${row?.id}'`);
      const url = await target();
      const end = await move(folder, url).ended;
      expect([end.code, end.err.split("\n").length]).toEqual([1, 2]);
      expect(end.err).toContain(`${table} (id ${row?.id}): ${column} `);
      expect(end.err).toContain(what);
      const content = await contentOf({ url }, tables);
      const filled = Object.entries(content).filter(([, { rows }]) => rows > 0);
      expect(filled.map(([name]) => name)).toEqual(["content_version"]);
    }
  });

  test("carries tables that nobody thought of, also when they point to each other", async () => {
    const { config, file } = await site();
    const url = await target();
    await closeServices(await openServices(await testConfig(url)));
    const words = (other: string) => `id text primary key, other text references ${other} (id)`;
    await statement({ file }, `create table ring_a (${words("ring_b")})`);
    await statement({ file }, `create table ring_b (${words("ring_a")})`);
    for (const [one, other] of ["ab", "ba"])
      await statement({ file }, `insert into ring_${one} values ('${one}', '${other}')`, false);
    expect((await move(config.dataDir, url).ended).err).toContain(
      "The two databases have not the same form (ring_a, ring_b)",
    );
    await statement({ url }, "create table ring_a (id text primary key, other text)");
    await statement({ url }, `create table ring_b (${words("ring_a")})`);
    const rule = "alter table ring_a add constraint ring foreign key (other) references ring_b";
    await statement({ url }, rule);
    const { code, err } = await move(config.dataDir, url).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(await statement({ url }, "select * from ring_a natural full join ring_b")).toHaveLength(
      2,
    );
    // Rules are as they were: a row that points nowhere is refused at once.
    await expect(statement({ url }, "insert into ring_a values ('c', 'x')")).rejects.toThrow(
      /ring/,
    );
    const [{ waits }] = (await statement(
      { url },
      "select condeferrable as waits from pg_constraint where conname = 'ring'",
    )) as [{ waits: boolean }];
    expect(waits).toBe(false);
  });

  test("killed in the middle, leaves nothing, and finishes when it is run again", async () => {
    const { config, file } = await site();
    for (let n = 0; n < 40; n += 1) fill(file, tables);
    const url = await target();
    await closeServices(await openServices(await testConfig(url)));
    // What is copied last holds it in the middle, however late it is killed.
    const hold = "create function hold() returns trigger language plpgsql as";
    await statement({ url }, `${hold} 'begin perform pg_sleep(30); return null; end'`);
    await statement(
      { url },
      "create trigger hold before insert on content_version for each statement execute function hold()",
    );
    for (const after of ["lessons", "enrollments"]) {
      const program = move(config.dataDir, url);
      await program.line(new RegExp(`^${after}: `, "m"));
      await program.kill("SIGKILL");
      // Nobody holds the target for a process that is gone: the next statement gets its locks.
      expect(await statement({ url }, "select count(*)::int as n from profiles")).toEqual([
        { n: 0 },
      ]);
    }
    await statement({ url }, "drop function hold() cascade");
    expect((await move(config.dataDir, url).ended).code).toBe(0);
    expect(await contentOf({ url }, tables)).toEqual(await contentOf({ file }, tables));
  });

  test("says what is missing", async () => {
    const folder = temporaryFolder();
    const ask = async (env: Record<string, string>, ...words: string[]) => {
      const { code, out, err } = await run("command.ts", ["db:move", ...words], {
        DATA_DIR: folder,
        ...env,
      }).ended;
      expect([code, out]).toEqual([1, ""]);
      return err;
    };
    expect(await ask({})).toMatch(/^Where to\? npm run db:move -- --to postgres:/);
    expect(await ask({}, "--to", "sqlite:x")).toMatch(/^Where to\?/);
    expect(await ask({}, "--to", shape.url ?? "")).toMatch(/^DATA_DIR: there is no .*site\.db/);
    const there = { DATABASE_URL: shape.url ?? "", AUTH_SECRET: "s".repeat(32) };
    expect(await ask(there, "--to", shape.url ?? "")).toMatch(/^DATABASE_URL is set: /);
    const { config } = await site();
    const dead = "postgres://nobody@127.0.0.1:1/x";
    expect(await ask({ DATA_DIR: config.dataDir }, "--to", dead)).toMatch(
      /^--to: the database does not answer/,
    );
  });
});
