import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "@playwright/test";
import { createPublicContent } from "../../support/public-pages.ts";
import { type RunningSite, startBuiltSite } from "./site.ts";

/**
 * The sites that the tests of one worker use one after another. On the 'read' site no one writes:
 * it has the third course of the table of public pages, and `handBack` fails for a test that has
 * written, since the next would find what it left. On the 'shared' site each test creates users
 * (and courses) of its own, looks only at these, and leaves the sample courses as they are.
 */
export type CommonSites = {
  borrow(kind: CommonSiteKind): Promise<RunningSite>;
  handBack(kind: CommonSiteKind): Promise<void>;
  close(): Promise<void>;
};
export type CommonSiteKind = "read" | "shared";

type Open = { site: RunningSite; look(): Map<string, string>; before: Map<string, string> };

export function commonSites(): CommonSites {
  const open = new Map<CommonSiteKind, Promise<Open>>();

  async function start(kind: CommonSiteKind): Promise<Open> {
    const site = await startBuiltSite({}, process.env.E2E_TEMPLATE);
    if (kind === "read") await createPublicContent(site.services);
    const look = () => tablesOf(path.join(site.dataDir, "site.db"));
    return { site, look, before: look() };
  }

  return {
    async borrow(kind) {
      const started = open.get(kind) ?? start(kind);
      open.set(kind, started);
      return (await started).site;
    },
    async handBack(kind) {
      const started = await open.get(kind);
      if (!started || kind === "shared") return;
      const now = started.look();
      const written = [...now].filter(([name, rows]) => started.before.get(name) !== rows);
      if (written.length === 0) return;
      open.delete(kind);
      await started.site.close();
      expect(written, "a test that says it only reads has written").toEqual([]);
    },
    async close() {
      for (const started of open.values()) await (await started).site.close();
    },
  };
}

/** The rows of each table, as text. */
function tablesOf(file: string): Map<string, string> {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const rows = ({ name }: Record<string, unknown>) =>
    JSON.stringify(database.prepare(`select * from "${name}"`).all());
  const found = new Map(tables.map((table) => [`${table.name}`, rows(table)]));
  database.close();
  return found;
}
