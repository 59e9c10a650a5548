import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from, to } from "pg-copy-streams";
import { canonical, type Digest, Sum } from "./cells.ts";
import {
  type Cells,
  type ColumnKind,
  type CopiedTable,
  isCarried,
  listed,
  quoted,
} from "./table.ts";

const kinds: Record<string, ColumnKind> = {
  text: "text",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
  "timestamp with time zone": "time",
  jsonb: "json",
};
const bytesAtOnce = 1 << 18;

// A provider's limits for short queries would end long ones; which exist depends on the version.
const patience = `select set_config(name, '0', false) from pg_settings where name in (
  'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: "blue-dot copy",
  });
  // The running query fails by itself.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(patience);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

async function ask(client: pg.Client, text: string): Promise<Cells[]> {
  const types = { getTypeParser: () => (cell: string) => cell } as unknown as pg.CustomTypesConfig;
  const { rows } = await client.query({ text, rowMode: "array", types });
  return rows as Cells[];
}

/** All tables and views, except those of extensions, which are the server's. */
export async function relationsAt(client: pg.Client): Promise<string[]> {
  const rows = await ask(
    client,
    `select relname from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')
       and not exists (select from pg_depend
         where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
     order by relname`,
  );
  return rows.flat() as string[];
}

export async function migrationsAt(client: pg.Client): Promise<string[]> {
  const names = await relationsAt(client);
  if (!names.includes("kysely_migration")) return [];
  return (await ask(client, "select name from kysely_migration order by name")).flat() as string[];
}

export async function readTables(client: pg.Client): Promise<CopiedTable[]> {
  const columns = await ask(
    client,
    `select columns.table_name, column_name, data_type from information_schema.columns
       inner join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE'
     order by columns.table_name, ordinal_position`,
  );
  const rules = await ask(
    client,
    `select conrelid::regclass, contype, conname, case when confrelid > 0 then confrelid::regclass end,
       array_to_json(array(select attname from unnest(conkey) as key (number)
         inner join pg_attribute on attrelid = conrelid and attnum = number))
     from pg_constraint where contype in ('p', 'f') and connamespace = current_schema()::regnamespace`,
  );
  const tables = new Map<string, CopiedTable>();
  for (const [table = "", name = "", type = ""] of columns as string[][]) {
    if (!isCarried(table)) continue;
    const kind = kinds[type];
    if (!kind) throw new Error(`${table}.${name} is of a kind that is not carried yet: ${type}`);
    const known = tables.get(table) ?? { name: table, columns: [], key: [], refersTo: [] };
    known.columns.push({ name, kind });
    tables.set(table, known);
  }
  for (const [table = "", type, rule = "", other = "", keys = "[]"] of rules as string[][]) {
    const known = tables.get(table);
    if (type === "p" && known) known.key = JSON.parse(keys) as string[];
    else known?.refersTo.push({ table: other, rule });
  }
  return [...tables.values()];
}

/** Yields batches that fit into little memory, as the transaction sees them. */
export async function* readRows(client: pg.Client, table: CopiedTable): AsyncGenerator<Cells[]> {
  const columns = table.columns.map(({ name, kind }) => asText[kind](quoted(name)));
  const copy = client.query(
    to(`copy (select ${columns.join(", ")} from ${quoted(table.name)}) to stdout`),
  );
  for await (const rows of rowsOf(copy)) yield rows.map((cells) => canonical(table, cells));
}

const asText: Record<ColumnKind, (column: string) => string> = {
  text: (column) => column,
  number: (column) => `${column}::text`,
  boolean: (column) => `${column}::int::text`,
  time: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  json: (column) => `${column}::text`,
};

export async function postgresDigest(client: pg.Client, table: CopiedTable): Promise<Digest> {
  const sum = new Sum();
  for await (const rows of readRows(client, table)) for (const cells of rows) sum.add(cells);
  return sum.digest();
}

export async function hasRows(
  client: pg.Client,
  table: CopiedTable,
  where: string,
): Promise<boolean> {
  const asked = `select 1 from ${quoted(table.name)} where ${where} limit 1`;
  return (await ask(client, asked)).length > 0;
}

export async function writeRows(
  client: pg.Client,
  table: CopiedTable,
  rows: Iterable<Cells>,
): Promise<Digest> {
  const sum = new Sum();
  function* lines() {
    let text = "";
    for (const cells of rows) {
      sum.add(cells);
      text += lineOf(cells);
      if (text.length < bytesAtOnce) continue;
      yield text;
      text = "";
    }
    if (text !== "") yield text;
  }
  const copy = client.query(
    from(`copy ${quoted(table.name)} (${listed(table.columns)}) from stdin`),
  );
  await pipeline(Readable.from(lines()), copy);
  return sum.digest();
}

// The text format of COPY: a line a row, a tab between cells, backslashes as escapes.
const written: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const meant: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function lineOf(cells: Cells): string {
  return `${cells.map(copied).join("\t")}\n`;
}

function copied(cell: string | null): string {
  if (cell === null) return "\\N";
  return /[\\\t\n\r]/.test(cell)
    ? cell.replace(/[\\\t\n\r]/g, (sign) => written[sign] ?? sign)
    : cell;
}

// Memory holds little more than the longest row.
async function* rowsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Cells[]> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf("\n");
    begun.push(end < 0 ? piece : piece.subarray(0, end));
    if (end < 0) continue;
    const lines = Buffer.concat(begun).toString("utf8").split("\n");
    begun = [piece.subarray(end + 1)];
    yield lines.map((line) => line.split("\t").map(cellOf));
  }
}

function cellOf(text: string): string | null {
  if (text === "\\N") return null;
  return text.includes("\\")
    ? text.replace(/\\(.)/g, (_, sign: string) => meant[sign] ?? sign)
    : text;
}
