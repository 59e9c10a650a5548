import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { canonical, type Digest, Sum } from "./cells.ts";
import { type Cells, isCarried, type Kind, listed, quoted, type Table } from "./table.ts";

const kinds: Record<string, Kind> = {
  text: "text",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
  "timestamp with time zone": "time",
  jsonb: "json",
};
const rowsAtOnce = 5000;
const bytesAtOnce = 1 << 18;

/** A connection of its own, for one long transaction. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: "blue-dot copy",
  });
  // What is under way fails by itself.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** All rows of a question, each cell as text. */
async function ask(client: pg.Client, text: string): Promise<Cells[]> {
  const types = { getTypeParser: () => (cell: string) => cell } as unknown as pg.CustomTypesConfig;
  const { rows } = await client.query({ text, rowMode: "array", types });
  return rows as Cells[];
}

/** The tables that are carried, from the database's own catalogue. */
export async function readTables(client: pg.Client): Promise<Table[]> {
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
  const tables = new Map<string, Table>();
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

/** Rows of a table, some at a time, as the transaction sees them. */
export async function* readRows(client: pg.Client, table: Table): AsyncGenerator<Cells[]> {
  const columns = table.columns.map(({ name, kind }) => asText[kind](quoted(name)));
  await client.query(
    `declare reading no scroll cursor for select ${columns.join(", ")} from ${quoted(table.name)}`,
  );
  for (;;) {
    const rows = await ask(client, `fetch ${rowsAtOnce} from reading`);
    if (rows.length === 0) break;
    yield rows.map((cells) => canonical(table, cells));
  }
  await client.query("close reading");
}

const asText: Record<Kind, (column: string) => string> = {
  text: (column) => column,
  number: (column) => `${column}::text`,
  boolean: (column) => `${column}::int::text`,
  time: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  json: (column) => `${column}::text`,
};

export async function digestOf(client: pg.Client, table: Table): Promise<Digest> {
  const sum = new Sum();
  for await (const rows of readRows(client, table)) for (const cells of rows) sum.add(cells);
  return sum.digest();
}

export async function hasRows(client: pg.Client, table: Table): Promise<boolean> {
  return (await ask(client, `select 1 from ${quoted(table.name)} limit 1`)).length > 0;
}

/** Appends rows. @returns what was read of them */
export async function writeRows(
  client: pg.Client,
  table: Table,
  rows: Iterable<Cells>,
): Promise<Digest> {
  const sum = new Sum();
  function* lines() {
    let text = "";
    for (const cells of rows) {
      sum.add(cells);
      text += `${cells.map(copied).join("\t")}\n`;
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

const signs: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A cell as COPY has it. */
function copied(cell: string | null): string {
  if (cell === null) return "\\N";
  return /[\\\t\n\r]/.test(cell)
    ? cell.replace(/[\\\t\n\r]/g, (sign) => signs[sign] ?? sign)
    : cell;
}
