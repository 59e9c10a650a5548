import { randomUUID } from "node:crypto";
import pg from "pg";
import { migrateAt } from "~/platform/db/database.ts";

/** Names the database that {@link createTemplate} has made, for the workers of the run. */
const templateVariable = "TEST_DATABASE_TEMPLATE";

type FreshDatabase = { url: string | undefined; drop(): Promise<void> };

/** An empty database of a test file's own on TEST_DATABASE_URL's server, or none for SQLite. */
export function freshDatabase(): Promise<FreshDatabase> {
  return createDatabase(null);
}

/** The same with all tables: a copy costs a thirtieth of the migrations. */
export function migratedDatabase(): Promise<FreshDatabase> {
  return createDatabase(process.env[templateVariable] ?? null);
}

/** Makes the database that others are copied from. @returns removes it */
export async function createTemplate(): Promise<() => Promise<void>> {
  const { url, drop } = await createDatabase(null);
  if (url) {
    await migrateAt({ url });
    process.env[templateVariable] = new URL(url).pathname.slice(1);
  }
  return drop;
}

async function createDatabase(template: string | null): Promise<FreshDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { url: undefined, drop: async () => {} };
  const name = `blue_dot_test_${randomUUID().replaceAll("-", "")}`;
  await run(server, `create database ${name}${template ? ` template ${template}` : ""}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) };
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
