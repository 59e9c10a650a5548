import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateAt } from "~/platform/db/database.ts";
import type { CopiedTable } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { statement, tablesAt } from "../../support/database-dump.ts";
import { filledSite } from "../../support/filled-site.ts";
import { folderPlace, ran, refused } from "../../support/media-stores.ts";
import { rawRows } from "../../support/raw-rows.ts";

describe.runIf(process.env.TEST_DATABASE_URL)(
  "the database that is to be filled",
  { timeout: 120_000 },
  () => {
    let tables: CopiedTable[];
    let site: Awaited<ReturnType<typeof filledSite>>;
    const places: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      const url = await target();
      await closeServices(await openServices(await testConfig(url)));
      tables = await tablesAt(url);
      site = await filledSite(tables);
    });
    afterAll(async () => {
      rmSync(site.config.dataDir, { recursive: true, force: true });
      for (const drop of places) await drop();
    });

    async function target() {
      const { url = "", drop } = await freshDatabase();
      places.push(drop);
      return url;
    }

    /** Refuses to move there, and leaves the database as it was. @returns why */
    async function refusal(url: string, dataDir = site.config.dataDir) {
      const before = await traces(url);
      const why = await refused({ DATA_DIR: dataDir }, "db:move", "--to", url);
      expect(await traces(url)).toEqual(before);
      return why;
    }

    /** What a statement that makes, changes or removes something would leave other than it was. */
    const traces = (url: string) =>
      statement(
        { url },
        `select relname, pg_class.oid, pg_class.xmin::text, pg_relation_size(pg_class.oid) as size,
         obj_description(pg_class.oid) from pg_class
       where oid >= 16384 order by oid`,
      );

    const person = `insert into profiles (id, name, email, email_verified, role, created_at, updated_at)
    values ('a', 'Ada', 'ada@example.com', true, 'student', now(), now())`;

    const foreign = "holds tables that are not this site's";
    test.each<[string, string[], string]>([
      ["a table", ["create table guestbook (note xml)"], `${foreign} (guestbook).`],
      ["a view", ["create view visits as select 1 as one"], `${foreign} (visits).`],
      [
        "tables that are called as ours are, empty",
        ["create table settings (theme text)", "create table sessions (id int)"],
        `${foreign} (sessions, settings).`,
      ],
      [
        "another program that has migrations",
        [
          "create table kysely_migration (name text, timestamp text)",
          "insert into kysely_migration values ('0001_wine', '2020')",
          "create table bottles (id int)",
        ],
        "or another program, has worked on that database (0001_wine).",
      ],
    ])("with %s in it is left as it is", async (_, made, why) => {
      const url = await target();
      for (const sql of made) await statement({ url }, sql);
      const said = await refusal(url);
      expect(said).toContain(why);
      expect(said).toMatch(/Nothing was changed\. Name an empty one\.$/);
    });

    test("with a site in it that has users is left as it is", async () => {
      const url = await target();
      await migrateAt({ url });
      await statement({ url }, person);
      expect(await refusal(url)).toBe(
        "That database is not empty (profiles). Nothing was changed. Name an empty one.",
      );
    });

    test("is filled where it has only empty tables of ours, and what an extension brought", async () => {
      const url = await target();
      await migrateAt({ url });
      await statement({ url }, "create extension pg_stat_statements").catch(() => {});
      await ran({ DATA_DIR: site.config.dataDir }, "db:move", "--to", url);
      const { sqlite, postgres } = await rawRows({ file: site.file, url });
      expect(postgres).toEqual(sqlite);
    });

    test("is asked for after the site's own database is found to be of this version", async () => {
      const url = await target();
      const older = await filledSite(tables);
      await statement({ file: older.file }, "delete from kysely_migration");
      expect(await refusal(url, older.config.dataDir)).toMatch(
        /not the same form \(001-initial, .*\)\. Start the site once/,
      );
      rmSync(older.config.dataDir, { recursive: true, force: true });
    });

    test("by restore is looked at as well, before anything is put into storage", async () => {
      const folder = temporaryFolder();
      const out = await ran({ DATA_DIR: site.config.dataDir }, "backup", folder);
      const [, backup = ""] = /^(\S+): /.exec(out) ?? [];
      const url = await target();
      await statement({ url }, "create table guestbook (note xml)");
      const before = await traces(url);
      const place = await folderPlace();
      places.push(place.drop);
      const env = { ...place.env, DATABASE_URL: url, AUTH_SECRET: "s".repeat(32) };
      expect(await refused(env, "restore", backup)).toContain(
        `${foreign} (guestbook). Nothing was changed.`,
      );
      expect(await traces(url)).toEqual(before);
    });
  },
);
