import type { Expression, SelectQueryBuilder, SqlBool } from "kysely";
import { sql } from "kysely";

/** A part of a long list, and how to ask for its neighbours; null where there are none. */
export type ListPage<Row> = { rows: Row[]; previous: string | null; next: string | null };

/** What a list is ordered by: a column, perhaps a time, then the id, all in the same direction. */
export type Order = {
  /** Of a column without nulls; as it is called in the query, e.g. 'enrollments.createdAt'. */
  column: string;
  /** The time that comes before the id among rows with the same value: the older first. */
  time?: string;
  /** The column that tells rows with the same value apart, e.g. 'enrollments.id'. */
  id: string;
  direction: "asc" | "desc";
  /** What the column holds; its name tells times (…At), anything else is text unless said here. */
  kind?: "text" | "number" | "time";
};

type Cursor = { side: "after" | "before"; value: string | number; id: string; time?: unknown };

type Place = { id: string; sortValue: unknown; timeValue?: unknown };

/** A place in a list, as text for an address. JSON has times as ISO text and leaves undefined out. */
function written(side: Cursor["side"], { id, sortValue, timeValue }: Place): string {
  const place = [side, sortValue, id].concat(timeValue === undefined ? [] : [timeValue]);
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place that a text stands for; null for anything that {@link written} did not write. */
function read(cursor: string | null): Cursor | null {
  if (!cursor) return null;
  try {
    const [side, value, id, time] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const known = side === "after" || side === "before";
    const plain = typeof value === "number" || (typeof value === "string" && isText(value));
    return known && plain && typeof id === "string" && isText(id)
      ? { side, value, id, time }
      : null;
  } catch {
    return null;
  }
}

/** PostgreSQL takes no NUL. */
const isText = (value: string) => !value.includes("\0");

/** A damaged place must not become a value that the column's type refuses. */
function fits(
  { value, time }: Cursor,
  { column, kind = kindOf(column), ...order }: Order,
): boolean {
  if (order.time ? !isTime(time) : time !== undefined) return false;
  // Whole numbers are stored in 32 bits; PostgreSQL takes no others.
  if (kind === "number") return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
  if (kind === "time") return isTime(value);
  return typeof value === "string";
}

/** Four digits of a year, which is not 0 (PostgreSQL knows none), and a day that there is. */
function isTime(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const at = Date.parse(text);
  if (text.length !== 24 || text.startsWith("0000") || Number.isNaN(at)) return false;
  return new Date(at).toISOString() === text;
}

const kindOf = (column: string) => (column.endsWith("At") ? "time" : "text");

// biome-ignore lint/suspicious/noExplicitAny: any query whose rows have the two columns
type AnyQuery<Row> = SelectQueryBuilder<any, any, Row>;

/**
 * One page of a query by its place in the order, never by counting rows: as fast in the middle
 * of a million as at the beginning. The rows must select `id`, the order's column under the name
 * `sortValue`, and the column `time`, if there is one, as `timeValue`.
 * @param cursor from `previous` or `next` of another page; anything else is the beginning
 */
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
  return {
    rows,
    previous: hasPrevious && first ? written("before", first) : null,
    next: hasNext && last ? written("after", last) : null,
  };
}

const columnsOf = ({ column, time, id }: Order) => (time ? [column, time, id] : [column, id]);

/** The first comparison says nothing new: it lets an index on the column alone find the place. */
function beyond(order: Order, way: "asc" | "desc", { value, time, id }: Cursor) {
  const sign = sql.raw(way === "asc" ? ">" : "<");
  const columns = sql.join(columnsOf(order).map((column) => sql.ref(column)));
  const values = sql.join(order.time ? [value, time, id] : [value, id]);
  return sql<SqlBool>`${sql.ref(order.column)} ${sign}= ${value}
    and (${columns}) ${sign} (${values})` as Expression<SqlBool>;
}

/** More rows than there can be: a limit keeps both engines from melting a query into that around it. */
const all = 1_000_000_000;

/**
 * A part of a query that is to be carried out by itself, before what is around it: for few rows,
 * where walking through the order of the whole list would take its whole length to find them.
 */
export function fetchedFirst<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return query.limit(all);
}
