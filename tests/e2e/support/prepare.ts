import { rmSync } from "node:fs";
import { buildIfNeeded } from "../../../scripts/build/build.ts";
import { ensureChromium } from "../../../scripts/chromium.ts";
import { ownTemporaryFolder } from "../../support/run-folder.ts";
import { screensFolder } from "./screen.ts";
import { startBuiltSite } from "./site.ts";

/**
 * Before the browser tests: a Chromium, a fresh build, no pictures of an earlier run, and the
 * folder of a site that every test's own site begins with.
 * @returns what to do after the last test
 */
export default async function prepare() {
  ensureChromium();
  buildIfNeeded();
  rmSync(screensFolder, { recursive: true, force: true });
  return siteTemplate();
}

/** E2E_TEMPLATE is the folder of a site after its first start. @returns removes it and what tests left */
export async function siteTemplate(): Promise<() => void> {
  const removeAll = ownTemporaryFolder();
  const site = await startBuiltSite();
  await site.stop();
  process.env.E2E_TEMPLATE = site.dataDir;
  return removeAll;
}
