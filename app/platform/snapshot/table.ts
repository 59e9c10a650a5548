/** What a column holds, the same on both engines. */
export type Kind = "text" | "number" | "boolean" | "time" | "json";

export type Column = { name: string; kind: Kind };

/** A table that holds what somebody wrote, as the database's own catalogue has it. */
export type Table = {
  name: string;
  columns: Column[];
  /** Columns of its primary key: what a row is called when something is wrong with it. */
  key: string[];
  /** Tables that rows of it point to, and what the database calls each rule. */
  refersTo: { table: string; rule: string }[];
};

/** A row on its way: every cell as text, in the order of the table's columns. */
export type Cells = (string | null)[];

/**
 * Tables that a database makes from others by itself (migration 008), or keeps for itself: nothing
 * in them would be lost. All that are not named here are carried, whoever adds them.
 */
const derived = /^(people_words|people_numbers|people_search(_\w+)?)$/;
const bookkeeping = /^(kysely_migration(_lock)?|sqlite_\w+)$/;

/** Whether a table holds something that exists nowhere else. */
export function isCarried(table: string): boolean {
  return !derived.test(table) && !isBookkeeping(table);
}

/** Whether the database, or what brings it up to date, keeps it for itself. */
export function isBookkeeping(table: string): boolean {
  return bookkeeping.test(table);
}

/**
 * In an order in which each row's others are there before it. Where tables point to each other in a
 * circle, one of them comes too early: {@link earlyRules} tells which rules have to wait.
 */
export function inOrder(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const begun = new Set<Table>();
  function visit(table: Table) {
    if (begun.has(table)) return;
    begun.add(table);
    for (const { table: other } of table.refersTo) {
      const found = byName.get(other);
      if (found) visit(found);
    }
    ordered.add(table);
  }
  for (const table of tables.toSorted((a, b) => last(a) - last(b) || (a.name < b.name ? -1 : 1)))
    visit(table);
  return [...ordered];
}

/** The count of changes comes after what it counts: writing that changes it. */
const last = ({ name }: Table) => (name === "content_version" ? 1 : 0);

/** The rules of a table that point to one that comes after it. */
export function earlyRules(ordered: readonly Table[], table: Table): string[] {
  const place = ordered.indexOf(table);
  return table.refersTo
    .filter(({ table: other }) => ordered.findIndex(({ name }) => name === other) > place)
    .map(({ rule }) => rule);
}

/** A name inside a statement. Names come from the catalogue, never from outside. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const listed = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quoted(name)).join(", ");
