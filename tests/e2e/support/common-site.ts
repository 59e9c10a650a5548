import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "@playwright/test";
import { createThirdCourse } from "./public-pages.ts";
import { type RunningSite, startBuiltSite } from "./site.ts";

/**
 * A site that tests of one worker use one after another, with the third course of the table of
 * public pages. They only read: `handBack` fails for one that has written, since the next would
 * find what it left.
 */
export type CommonSite = {
  borrow(): Promise<RunningSite>;
  handBack(): Promise<void>;
  close(): Promise<void>;
};

export function commonSite(): CommonSite {
  let open: Promise<{ site: RunningSite; version(): unknown; before: unknown }> | undefined;

  async function start() {
    const site = await startBuiltSite({}, process.env.E2E_TEMPLATE);
    await createThirdCourse(site.services);
    const database = new DatabaseSync(path.join(site.dataDir, "site.db"), { readOnly: true });
    const statement = database.prepare("pragma data_version");
    // Changes with every transaction of anybody else's that has written something.
    const version = () => statement.get()?.data_version;
    return { site, version, before: version() };
  }

  return {
    async borrow() {
      open ??= start();
      return (await open).site;
    },
    async handBack() {
      if (!open) return;
      const { site, version, before } = await open;
      const now = version();
      if (now === before) return;
      open = undefined;
      await site.close();
      expect(now, "a test that says it only reads has written").toBe(before);
    },
    async close() {
      await (await open)?.site.close();
    },
  };
}
