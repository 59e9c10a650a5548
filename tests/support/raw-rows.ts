import { DatabaseSync } from "node:sqlite";
import pg from "pg";

// Nothing of the product is used here: what copies a database cannot also be what says that it did.

type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;

/** Made by the database itself from other tables, or kept by it or by the migrations. */
const left =
  /^(people_words|people_numbers|people_search.*|tallies|tally_changes|kysely_.*|sqlite_.*)$/;
/** What PostgreSQL calls its kinds of columns. */
const bool = 16;
const int8 = 20;
const timestamptz = 1184;
const jsonb = 3802;
const kinds = new Map<string, number>();

/** Every row of every table of two databases, each with the values as the other one would have them. */
export async function rawRows({ file, url }: { file: string; url: string }) {
  const ofPostgres = await postgresRows(url);
  return { sqlite: sqliteRows(file), postgres: ofPostgres };
}

async function postgresRows(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const tables: Tables = {};
    for (const { name } of found.rows.filter((table) => !left.test(table.name))) {
      const { rows, fields } = await client.query<Row>(`select * from "${name}"`);
      for (const field of fields) kinds.set(`${name}.${field.name}`, field.dataTypeID);
      const counted = fields.filter(({ dataTypeID }) => dataTypeID === int8);
      for (const row of rows)
        for (const field of counted) row[field.name] = number(row[field.name]);
      tables[name] = sorted(rows);
    }
    return tables;
  } finally {
    await client.end();
  }
}

const number = (text: unknown) => (text === null ? null : Number(text));

function sqliteRows(file: string): Tables {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = database.prepare("select name from sqlite_schema where type = 'table'").all();
    const names = found.map(({ name }) => String(name)).filter((name) => !left.test(name));
    return Object.fromEntries(
      names.map((name) => {
        const rows = database.prepare(`select * from "${name}"`).all();
        const read = rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([column, value]) => [
              column,
              asInPostgres(kinds.get(`${name}.${column}`), value),
            ]),
          ),
        );
        return [name, sorted(read)];
      }),
    );
  } finally {
    database.close();
  }
}

function asInPostgres(kind: number | undefined, value: unknown): unknown {
  if (value === null) return null;
  if (kind === bool) return value === 1;
  if (kind === timestamptz) return new Date(String(value));
  if (kind === jsonb) return JSON.parse(String(value));
  return value;
}

/** By their own words, whatever order the keys of their JSON are in. */
function sorted(rows: Row[]): Row[] {
  const words = new Map(rows.map((row) => [row, inOrder(row)]));
  return rows.toSorted((one, other) =>
    (words.get(one) ?? "") < (words.get(other) ?? "") ? -1 : 1,
  );
}

function inOrder(value: unknown): string {
  if (value === null || typeof value !== "object" || value instanceof Date)
    return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => `${key}:${inOrder(item)}`).join();
}
