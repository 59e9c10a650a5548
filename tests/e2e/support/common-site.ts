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

type Open = { site: RunningSite; version(): unknown; before: unknown };

export function commonSites(): CommonSites {
  const open = new Map<CommonSiteKind, Promise<Open>>();

  async function start(kind: CommonSiteKind): Promise<Open> {
    const site = await startBuiltSite({}, process.env.E2E_TEMPLATE);
    if (kind === "read") await createPublicContent(site.services);
    const database = new DatabaseSync(path.join(site.dataDir, "site.db"), { readOnly: true });
    const statement = database.prepare("pragma data_version");
    // Changes with every transaction of anybody else's that has written something.
    const version = () => statement.get()?.data_version;
    return { site, version, before: version() };
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
      const now = started.version();
      if (now === started.before) return;
      open.delete(kind);
      await started.site.close();
      expect(now, "a test that says it only reads has written").toBe(started.before);
    },
    async close() {
      for (const started of open.values()) await (await started).site.close();
    },
  };
}
