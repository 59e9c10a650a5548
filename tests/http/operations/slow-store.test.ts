import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CopiedTable } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { statement, tablesAt } from "../../support/database-dump.ts";
import { filledSite } from "../../support/filled-site.ts";
import { folderPlace } from "../../support/media-stores.ts";
import { run } from "../../support/process.ts";
import { rawRows } from "../../support/raw-rows.ts";

/** As hosters set it for everybody: anyone who takes longer is ended. */
const impatience = [
  ["statement_timeout", "500ms"],
  ["idle_in_transaction_session_timeout", "1ms"],
] as const;

describe.runIf(process.env.TEST_DATABASE_URL)(
  "copies of a site on a database that is impatient",
  {
    timeout: 120_000,
  },
  () => {
    let tables: CopiedTable[];
    let site: Awaited<ReturnType<typeof filledSite>>;
    const places: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      const url = await target();
      tables = await tablesAt(url);
      site = await filledSite(tables);
    });
    afterAll(async () => {
      rmSync(site.config.dataDir, { recursive: true, force: true });
      for (const drop of places) await drop();
    });

    /** With the site's tables, which the site's own short statements have made. */
    async function target() {
      const { url = "", drop } = await freshDatabase();
      places.push(drop);
      await closeServices(await openServices(await testConfig(url)));
      return url;
    }

    const options = impatience.map(([name]) => `-c ${name}=0`).join(" ");
    async function patient(url: string) {
      const client = new pg.Client({ connectionString: url, options });
      await client.connect();
      return client;
    }

    /** Runs a command while one of its statements has to wait longer than any may. */
    async function heldUp(url: string, words: string[], env: Record<string, string>) {
      const name = new URL(url).pathname.slice(1);
      for (const [setting, value] of impatience)
        await statement({ url }, `alter database ${name} set ${setting} = '${value}'`);
      const [holder, watcher] = [await patient(url), await patient(url)];
      await holder.query("begin; lock table outbox");
      const program = run("command.ts", words, env);
      let ended = false;
      program.ended.then(() => {
        ended = true;
      });
      const waiting = `select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1 second'`;
      while (!ended && (await watcher.query(waiting)).rowCount === 0) await turn();
      await holder.end();
      const end = await program.ended;
      await watcher.query(`alter database ${name} reset all`);
      await watcher.end();
      return end;
    }

    test("are finished all the same", async () => {
      const [one, other] = [await target(), await target()];
      const place = await folderPlace();
      places.push(place.drop);
      const moved = await heldUp(one, ["db:move", "--to", one], { DATA_DIR: site.config.dataDir });
      expect([moved.code, moved.err]).toEqual([0, ""]);
      const folder = temporaryFolder();
      const at = (url: string) => ({
        ...place.env,
        DATABASE_URL: url,
        AUTH_SECRET: "s".repeat(32),
        JOURNAL_KEY: readFileSync(path.join(site.config.dataDir, "journal-key"), "utf8").trim(),
      });
      const kept = await heldUp(one, ["backup", folder], at(one));
      expect([kept.code, kept.err]).toEqual([0, ""]);
      const [, backup = ""] = /^(\S+): /.exec(kept.out) ?? [];
      const restored = await heldUp(other, ["restore", backup], at(other));
      expect(restored.code).toBe(0);
      // The backup is noted where it was made, and no copy carries that.
      await statement({ url: one }, "delete from settings where name = 'last-backup'");
      for (const url of [one, other]) {
        const { sqlite, postgres } = await rawRows({ file: site.file, url });
        expect(postgres).toEqual(sqlite);
      }
    });
  },
);
