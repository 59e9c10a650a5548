import { buildIfNeeded } from "../../../scripts/build/build.ts";
import { type EngineName, ensureEngine, missing } from "../../../scripts/engines.ts";
import { siteTemplate } from "../../e2e/support/prepare.ts";

/**
 * Before the journeys: both engines, a fresh build, and the folder of a site after its first start.
 * @returns what to do after the last one
 * @throws in CI where an engine is missing and cannot be installed; elsewhere its journeys are skipped
 */
export default async function prepare() {
  for (const name of ["firefox", "webkit"] satisfies EngineName[])
    if (!ensureEngine(name)) {
      if (process.env.CI) throw new Error(missing(name));
      process.stdout.write(`${missing(name)}\n`);
    }
  buildIfNeeded();
  return siteTemplate();
}
