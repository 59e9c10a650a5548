import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPeople } from "~/platform/db/people-search.ts";
import type { CopiedTable } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { contentOf, statement, tablesAt } from "../../support/database-dump.ts";
import { fill, filledSite } from "../../support/filled-site.ts";
import { command, ran, refused } from "../../support/media-stores.ts";
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

  const move = (dataDir: string, url: string) => ran({ DATA_DIR: dataDir }, "db:move", "--to", url);
  const refusal = (dataDir: string, url: string) =>
    refused({ DATA_DIR: dataDir }, "db:move", "--to", url);
  const expectSame = async (url: string, file: string) =>
    expect(await contentOf({ url }, tables)).toEqual(await contentOf({ file }, tables));

  test("carries every row of every table as it is, and says how to switch over", async () => {
    const { config, file } = await site();
    const url = await target();
    const before = await contentOf({ file }, tables);
    for (const { name } of tables) expect(before[name]?.rows, name).toBeGreaterThan(0);
    const out = await move(config.dataDir, url);
    const source = await contentOf({ file }, tables);
    expect(await contentOf({ url }, tables)).toEqual(source);
    const raw = await rawRows({ file, url });
    expect(raw.postgres).toEqual(raw.sqlite);
    expect(Object.keys(raw.sqlite)).toHaveLength(tables.length);
    const rows = Object.values(source).reduce((sum, table) => sum + table.rows, 0);
    expect(out).toContain(`Copied ${tables.length} tables, ${rows} rows`);
    expect(out).toContain("the copy is complete");
    expect(out).toContain(`mv ${file} ${file}.moved`);
    const secret = readFileSync(path.join(config.dataDir, "secret"), "utf8").trim();
    expect(out).not.toContain(secret);
    expect(out).toContain(`"$(cat ${path.join(config.dataDir, "secret")})" >> .env`);

    const again = await move(config.dataDir, url);
    expect(again.split("\n")[0]).toBe(
      `That database has the same data already (${tables.length} tables, ${rows} rows); nothing was written.`,
    );
    // The target also works: everyone is found by name.
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
    expect(await move(config.dataDir, url)).toContain("This was the rehearsal.");
    const services = await openServices(config);
    const coach = await createPerson(services, { role: "admin" });
    const cookie = await cookieOf(services, coach.id);
    const course = await createCourse(services, [[{}]]);
    await closeServices(services);
    await running.kill("SIGTERM");
    const second = await move(config.dataDir, url);
    expect(second).toContain("the copy is complete");

    // The lines for the settings, as they are printed.
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, ".env"), "AUTH_SECRET=");
    const lines = [...second.matchAll(/^\s+(printf .*)$/gm)].map(([, line = ""]) => line);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(spawnSync("sh", ["-c", line], { cwd: folder }).status).toBe(0);
    const moved = await startServing({ DATABASE_URL: url, DATA_DIR: temporaryFolder() }, folder);
    const page = await fetch(`http://127.0.0.1:${moved.port}/admin`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(course.slug);
    // Someone works there now: a copy over it would throw her words away.
    await statement({ url }, "update products set title = 'Changed'");
    expect(await refusal(config.dataDir, url)).toMatch(
      /copied from this site before, and has been changed since/,
    );
    expect(await statement({ url }, "select distinct title from products")).toEqual([
      { title: "Changed" },
    ]);
    await moved.kill("SIGTERM");
    rmSync(config.dataDir, { recursive: true, force: true });
  });

  test("refuses another site's data, and a database that someone uses", async () => {
    const [one, other] = [await site(), await site()];
    const url = await target();
    await move(one.config.dataDir, url);
    const before = await contentOf({ url }, tables);
    expect(await refusal(other.config.dataDir, url)).toBe(
      "That database holds another site's data. Nothing was changed. Name an empty database.",
    );
    expect(await contentOf({ url }, tables)).toEqual(before);
    const used = await target();
    const services = await openServices(await testConfig(used));
    await createPerson(services);
    await closeServices(services);
    expect(await refusal(one.config.dataDir, used)).toBe(
      "That database is not empty (profiles). Nothing was changed. Name an empty one.",
    );
  });

  test("names the row that PostgreSQL cannot store, and copies nothing then", async () => {
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
      // It says of each table that it was copied, until it comes to the row.
      const { code, err: why } = await command({ DATA_DIR: folder }, "db:move", "--to", url);
      expect(code).toBe(1);
      expect(why.split("\n")).toHaveLength(1);
      expect(why).toContain(`${table} (id ${row?.id}): ${column} `);
      expect(why).toContain(what);
      const content = await contentOf({ url }, tables);
      const filled = Object.entries(content).filter(([, { rows }]) => rows > 0);
      expect(filled.map(([name]) => name)).toEqual(["content_version"]);
    }
  });

  test("carries tables that no one thought of, also when they point to each other", async () => {
    const { config, file } = await site();
    const url = await target();
    await closeServices(await openServices(await testConfig(url)));
    const words = (other: string) => `id text primary key, other text references ${other} (id)`;
    await statement({ file }, `create table ring_a (${words("ring_b")})`);
    await statement({ file }, `create table ring_b (${words("ring_a")})`);
    for (const [one, other] of ["ab", "ba"])
      await statement({ file }, `insert into ring_${one} values ('${one}', '${other}')`, false);
    expect(await refusal(config.dataDir, url)).toContain(
      "The two databases have not the same form (ring_a, ring_b)",
    );
    await statement({ url }, "create table ring_a (id text primary key, other text)");
    await statement({ url }, `create table ring_b (${words("ring_a")})`);
    const rule = "alter table ring_a add constraint ring foreign key (other) references ring_b";
    await statement({ url }, rule);
    await move(config.dataDir, url);
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
      const program = run("command.ts", ["db:move", "--to", url], { DATA_DIR: config.dataDir });
      await program.line(new RegExp(`^${after}: `, "m"));
      await program.kill("SIGKILL");
      // No one holds the target for a process that is gone: the next statement gets its locks.
      expect(await statement({ url }, "select count(*)::int as n from profiles")).toEqual([
        { n: 0 },
      ]);
    }
    await statement({ url }, "drop function hold() cascade");
    await move(config.dataDir, url);
    await expectSame(url, file);
  });

  test("says what is missing", async () => {
    const folder = temporaryFolder();
    const ask = (env: Record<string, string>, ...words: string[]) =>
      refused({ DATA_DIR: folder, ...env }, "db:move", ...words);
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
