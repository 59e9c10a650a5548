export type ColumnKind = "text" | "number" | "boolean" | "time" | "json";

export type Column = { name: string; kind: ColumnKind };

export type CopiedTable = {
  name: string;
  columns: Column[];
  key: string[];
  refersTo: { table: string; rule: string }[];
};

export type Cells = (string | null)[];

// What the database derives itself (db/migration-001-initial.ts, db/tally-triggers.ts), or its bookkeeping. All other
// tables are copied, including new ones.
const derived = /^(people_words|people_numbers|people_search(_\w+)?|tallies|tally_changes)$/;
const bookkeeping = /^(kysely_migration(_lock)?|sqlite_\w+)$/;

export function isCarried(table: string): boolean {
  return !derived.test(table) && !isBookkeeping(table);
}

export function isBookkeeping(table: string): boolean {
  return bookkeeping.test(table);
}

/** Referenced tables come first. In a circle one comes too early: {@link earlyRules} finds the
 * constraints to defer. */
export function tablesInOrder(tables: readonly CopiedTable[]): CopiedTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<CopiedTable>();
  const begun = new Set<CopiedTable>();
  function visit(table: CopiedTable) {
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

// Copying the other tables changes the count of changes, so it comes last.
const last = ({ name }: CopiedTable) => (name === "content_version" ? 1 : 0);

export function earlyRules(ordered: readonly CopiedTable[], table: CopiedTable): string[] {
  const place = ordered.indexOf(table);
  return table.refersTo
    .filter(({ table: other }) => ordered.findIndex(({ name }) => name === other) > place)
    .map(({ rule }) => rule);
}

/** Quotes a name of the catalog; never pass one from outside. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const listed = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quoted(name)).join(", ");
