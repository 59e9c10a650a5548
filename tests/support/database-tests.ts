import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

const imported = /from "(\.[^"]+)"/g;

/** Rules about paths and headers, in which the database has no part. */
const pathsAndHeaders = /security\/(csrf|open-redirects|security-headers)\.test\.ts$/;

/**
 * The test files that can meet PostgreSQL: those that import `database.ts`, themselves or through
 * other test support, or that name TEST_DATABASE_URL, without `pathsAndHeaders`. The others would
 * only repeat their run on SQLite.
 */
export function databaseTests(pattern: string): string[] {
  const known = new Map<string, boolean>();
  const meets = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, false);
    const text = readFileSync(file, "utf8");
    const files = [...text.matchAll(imported)].map(([, to = ""]) => path.join(file, "..", to));
    const found =
      text.includes("TEST_DATABASE_URL") || files.some((to) => existsSync(to) && meets(to));
    known.set(file, found);
    return found;
  };
  return globSync(pattern).filter((file) => meets(file) && !pathsAndHeaders.test(file));
}
