import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openSqlite } from "./sqlite.ts";

test("nobody waits for another reader; a failed query leaves the reader usable", async () => {
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
