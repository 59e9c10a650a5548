import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

test("no reader waits for another; a failed query leaves the reader usable", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-sqlite-"));
  const file = path.join(folder, "site.db");
  const writer = openSqlite(file, "write");
  await sql`create table words (word text)`.execute(writer);
  const reader = openSqlite(file, "read");
  await reader.connection().execute(async (held) => {
    // With one lock for all, this would wait for the connection that is held here, for ever.
    expect((await sql`select * from words`.execute(reader)).rows).toEqual([]);
    expect((await sql`select * from words`.execute(held)).rows).toEqual([]);
  });
  await expect(sql`select * from nowhere`.execute(reader)).rejects.toThrow("nowhere");
  expect((await sql`select 1 as one`.execute(reader)).rows).toEqual([{ one: 1 }]);
  await reader.destroy();
  await writer.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("many writes at once, in their order, leave time for everything else", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-sqlite-"));
  const writer = openSqlite(path.join(folder, "site.db"), "write");
  await sql`create table numbers (turn integer, total integer)`.execute(writer);
  // Each of them keeps the thread for some milliseconds, as a commit on a slow disk does.
  const write = (turn: number) =>
    sql`insert into numbers select ${turn}, sum(n) from
      (with recursive one(n) as (select 1 union all select n + 1 from one where n < 100000)
      select n from one)`.execute(writer);
  let isOver = false;
  const heard: number[] = [performance.now()];
  const listen = () => {
    heard.push(performance.now());
    if (!isOver) setImmediate(listen);
  };
  setImmediate(listen);
  await Promise.all(Array.from({ length: 40 }, (_, turn) => write(turn)));
  isOver = true;
  heard.push(performance.now());
  const gaps = heard.slice(1).map((at, n) => at - (heard[n] ?? 0));
  const whole = gaps.reduce((sum, gap) => sum + gap, 0);
  expect(Math.max(...gaps)).toBeLessThan(whole / 4);
  const { rows } = await sql<{ turn: number }>`select turn from numbers order by rowid`.execute(
    writer,
  );
  expect(rows.map(({ turn }) => turn)).toEqual(Array.from({ length: 40 }, (_, turn) => turn));
  await writer.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("a transaction that waits holds the others back until it ends, and fails alone", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-sqlite-"));
  const writer = openSqlite(path.join(folder, "site.db"), "write");
  await sql`create table words (word text)`.execute(writer);
  const failing = writer.transaction().execute(async (trx) => {
    await sql`insert into words values ('lost')`.execute(trx);
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("changed my mind");
  });
  const after = sql`insert into words values ('written')`.execute(writer);
  await expect(failing).rejects.toThrow("changed my mind");
  await after;
  expect((await sql`select word from words`.execute(writer)).rows).toEqual([{ word: "written" }]);
  await writer.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("only what may be lost does not wait for the disk", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "blue-dot-sqlite-"));
  const db = await openDatabase({ dataDir, databaseUrl: undefined }, () => {});
  const synchronous = async (handle = db.write) =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(handle)).rows[0]?.synchronous;
  const [normal, full] = [1, 2];
  for (let n = 0; n < 2; n += 1) {
    expect(await db.unsynced((own) => synchronous(own))).toBe(normal);
    expect(await synchronous()).toBe(full);
  }
  await expect(db.unsynced((own) => sql`select * from nowhere`.execute(own))).rejects.toThrow();
  expect(await synchronous()).toBe(full);
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a transaction on a full disk fails with the disk's error, and the next one succeeds", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "blue-dot-sqlite-"));
  const writer = openSqlite(path.join(folder, "site.db"), "write");
  await sql`create table words (word text)`.execute(writer);
  const pages = async (most: number) =>
    sql`pragma max_page_count = ${sql.lit(most)}`.execute(writer);
  const write = (word: string) =>
    writer.transaction().execute(async (trx) => {
      await sql`insert into words values ('first')`.execute(trx);
      await sql`insert into words values (${word})`.execute(trx);
    });
  await pages(3);
  await expect(write("x".repeat(100_000))).rejects.toThrow("database or disk is full");
  await pages(1000);
  await write("second");
  const { rows } = await sql`select word from words`.execute(writer);
  expect(rows).toEqual([{ word: "first" }, { word: "second" }]);
  await writer.destroy();
  rmSync(folder, { recursive: true, force: true });
});
