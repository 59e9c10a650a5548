import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqliteFile } from "~/platform/db/database.ts";
import { listViews } from "../../bench/list-views.ts";
import { seedPeople } from "../../bench/seed.ts";
import { openTestServices } from "../../support/services.ts";

const accounts = 3000;

/**
 * How SQLite carries out a query, step by step. 'SCAN enrollments' alone is a walk through a whole
 * table; with an index it is the walk through an order that ends after a page; sorting is allowed
 * only for what was fetched before, and for what stands on one place of the order.
 */
function stepsOf(database: DatabaseSync, sql: string, parameters: readonly unknown[]): string[] {
  const bound = parameters.map((value) => (value instanceof Date ? value.toISOString() : value));
  const statement = database.prepare(`explain query plan ${sql}`);
  return statement.all(...(bound as string[])).map(({ detail }) => String(detail));
}

// How PostgreSQL goes about it depends on what it knows of the tables, and is measured instead.
describe.skipIf(process.env.TEST_DATABASE_URL)("no view of a long list reads all of it", () => {
  let kit: Awaited<ReturnType<typeof openTestServices>>;
  let database: DatabaseSync;
  beforeAll(async () => {
    kit = await openTestServices();
    seedPeople(sqliteFile(kit.services.config), accounts);
    database = new DatabaseSync(sqliteFile(kit.services.config), { readOnly: true });
    database.function("has_beginnings", { varargs: true }, () => 1);
  });
  afterAll(async () => {
    database.close();
    await kit.close();
  });

  test.each(listViews)("$what", async ({ ask }) => {
    const { db } = kit.services;
    const queries: { sql: string; parameters: readonly unknown[] }[] = [];
    const executor = db.read.getExecutor();
    const compile = executor.compileQuery.bind(executor);
    executor.compileQuery = (node, id) => {
      const query = compile(node, id);
      if (/limit/.test(query.sql)) queries.push(query);
      return query;
    };
    try {
      await ask(kit.services, accounts);
    } finally {
      executor.compileQuery = compile;
    }
    expect(queries.length).toBeGreaterThan(0);
    for (const { sql, parameters } of queries) {
      const steps = stepsOf(database, sql, parameters);
      const scans = steps.filter(
        (step) => /^SCAN (profiles|enrollments)/.test(step) && !/USING .*INDEX/.test(step),
      );
      // A count stops after a thousand rows of the same walk.
      const isFetched = steps.some((step) => /^(MATERIALIZE|CO-ROUTINE) (?!counted)/.test(step));
      const sorts = steps.filter((step) => step === "USE TEMP B-TREE FOR ORDER BY");
      if (isFetched) expect(steps.join("\n")).not.toMatch(/SCAN enrollments USING/);
      else expect({ sql, scans, sorts }).toEqual({ sql, scans: [], sorts: [] });
    }
  });
});
