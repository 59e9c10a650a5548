import type { Expression, SelectQueryBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Query } from "./database.ts";

export type ListPage<Row> = {
  rows: Row[];
  previous: string | null;
  next: string | null;
  /** Its number, from 1: by the way that led to it, not by counting. Null if that is unknown. */
  page: number | null;
};

/** `total` ends at one more than `mostListed`; null where it was not asked for or takes too long. */
export type CountedPage<Row> = ListPage<Row> & { total: number | null };

/** Beyond it, a list is 'more than 1,000': an exact count would read all of it. */
export const mostListed = 1000;

/** How much of a list is read, and whether it is not counted since no number is shown. */
export type Portion = { limit: number; uncounted?: boolean };

export type Order = {
  column: string;
  /** Sorts rows with the same value before their ids do: the older first. */
  time?: string;
  id: string;
  direction: "asc" | "desc";
  kind?: "text" | "number" | "time";
};

type Cursor = {
  side: "after" | "before";
  value: string | number;
  id: string;
  page: number | null;
  time?: unknown;
};

type Place = { id: string; sortValue: unknown; timeValue?: unknown };

function written(side: Cursor["side"], page: number | null, row: Place): string {
  const { id, sortValue, timeValue } = row;
  const place = [side, sortValue, id, page].concat(timeValue === undefined ? [] : [timeValue]);
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function read(cursor: string | null): Cursor | null {
  if (!cursor) return null;
  try {
    const place = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [side, value, id, number, time] = place;
    const page = Number.isInteger(number) && number >= 1 && number <= farthest ? number : null;
    const known = side === "after" || side === "before";
    const plain = typeof value === "number" || (typeof value === "string" && isText(value));
    return known && plain && typeof id === "string" && isText(id)
      ? { side, value, id, page, time }
      : null;
  } catch {
    return null;
  }
}

// Of a number that somebody made up, nothing is shown.
const farthest = 1_000_000;

const isText = (value: string) => !value.includes("\0");

// A damaged cursor must not become a value that the column's type refuses.
function fits(
  { value, time }: Cursor,
  { column, kind = kindOf(column), ...order }: Order,
): boolean {
  if (order.time ? !isTime(time) : time !== undefined) return false;
  // Integers have 32 bits; PostgreSQL takes no others.
  if (kind === "number") return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
  if (kind === "time") return isTime(value);
  return typeof value === "string";
}

// A real day in a four-digit year; PostgreSQL knows no year 0.
function isTime(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const at = Date.parse(text);
  if (text.length !== 24 || text.startsWith("0000") || Number.isNaN(at)) return false;
  return new Date(at).toISOString() === text;
}

const kindOf = (column: string) => (column.endsWith("At") ? "time" : "text");

// biome-ignore lint/suspicious/noExplicitAny: any query whose rows have the two columns
type AnyQuery<Row> = SelectQueryBuilder<any, any, Row>;

/** By position, not by counting: as fast deep in a million rows as at the start. Rows select `id`,
 * the column as `sortValue`, and any `time` as `timeValue`; an invalid cursor is the first page. */
export async function keysetPage<Row extends Place>(
  query: AnyQuery<Row>,
  order: Order,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<ListPage<Row>> {
  const { direction } = order;
  const given = read(cursor);
  const place = given && fits(given, order) ? given : null;
  const backwards = place?.side === "before";
  const reversed = direction === "asc" ? ("desc" as const) : ("asc" as const);
  const way = backwards ? reversed : direction;
  let asked = query.limit(limit + 1);
  for (const column of columnsOf(order)) asked = asked.orderBy(column, way);
  if (place) asked = asked.where(beyond(order, way, place));
  const found = await asked.execute();
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  const more = found.length > limit;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasPrevious = backwards ? more : place !== null;
  const hasNext = backwards ? place !== null : more;
  // Rows that came or went meanwhile may have made the way back shorter or longer.
  const page = hasPrevious ? place?.page && Math.max(2, place.page) : 1;
  const beside = (step: 1 | -1) => (page ? page + step : null);
  return {
    rows,
    previous: hasPrevious && first ? written("before", beside(-1), first) : null,
    next: hasNext && last ? written("after", beside(1), last) : null,
    page: page ?? null,
  };
}

/** A page of a short list, such as of courses, and how many rows there are, unless `uncounted`. */
export async function countedPage<Row extends Place>(
  db: Query,
  query: AnyQuery<Row>,
  order: Order,
  at: Portion & { cursor: string | null },
): Promise<CountedPage<Row>> {
  const page = await keysetPage(query, order, at);
  return { ...page, total: at.uncounted ? null : await countUpTo(db, query) };
}

/** How many rows a query has, up to one more than `mostListed`. It must meet its rows soon: it may
 * have no filter that only few rows of a long table pass. */
export async function countUpTo(db: Query, query: AnyQuery<unknown>): Promise<number> {
  const some = query
    .clearSelect()
    .select(sql`1`.as("one"))
    .limit(mostListed + 1);
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from (${some}) as counted`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

const columnsOf = ({ column, time, id }: Order) => (time ? [column, time, id] : [column, id]);

// The first comparison is redundant, but lets an index on the column alone find the position.
function beyond(order: Order, way: "asc" | "desc", { value, time, id }: Cursor) {
  const sign = sql.raw(way === "asc" ? ">" : "<");
  const columns = sql.join(columnsOf(order).map((column) => sql.ref(column)));
  const values = sql.join(order.time ? [value, time, id] : [value, id]);
  return sql<SqlBool>`${sql.ref(order.column)} ${sign}= ${value}
    and (${columns}) ${sign} (${values})` as Expression<SqlBool>;
}

// A limit beyond any row count keeps both engines from merging a subquery into its outer query.
const all = 1_000_000_000;

/** Runs a subquery of few rows by itself first, where the outer order would walk the whole list. */
export function fetchedFirst<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return query.limit(all);
}
