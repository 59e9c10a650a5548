import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { sqliteFile } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { statement } from "../../support/database-dump.ts";
import { ran } from "../../support/media-stores.ts";

const lessons = 800;
const signs = 200_000;
/** For all that a command keeps in memory at once: half of what the texts are. */
const heap = { NODE_OPTIONS: "--max-old-space-size=80" };

describe.runIf(process.env.TEST_DATABASE_URL)("copies of a site with long texts", () => {
  test("hold a little of it at a time", { timeout: 240_000 }, async () => {
    const config = await testConfig(undefined);
    const services = await openServices(config);
    const { modules } = await createCourse(services, [[{}]]);
    await closeServices(services);
    const database = new DatabaseSync(sqliteFile(config), { timeout: 5000 });
    const insert = database.prepare(`insert into lessons
      (id, module_id, title, slug, order_num, drip_day, content, content_html, created_at, updated_at)
      values (?, ?, 'Long', ?, ?, 0, ?, '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
    database.exec("begin");
    for (let n = 0; n < lessons; n += 1)
      insert.run(
        newId(),
        modules[0]?.id ?? "",
        `long-${n}`,
        n + 10,
        `${n} words. `.repeat(signs / 10),
      );
    database.exec("commit");
    database.close();
    const { url = "", drop } = await freshDatabase();
    await ran({ DATA_DIR: config.dataDir, ...heap }, "db:move", "--to", url);
    const [row] = await statement(
      { url },
      "select sum(length(content))::int as signs from lessons",
    );
    expect(row?.signs).toBeGreaterThan(lessons * signs * 0.8);
    const there = { DATA_DIR: temporaryFolder(), DATABASE_URL: url, AUTH_SECRET: "s".repeat(32) };
    await ran({ ...there, ...heap }, "backup", temporaryFolder());
    await drop();
  });
});
