import { buildIfNeeded } from "../../scripts/build/build.ts";
import { createTemplate } from "./database.ts";
import { ownTemporaryFolder } from "./run-folder.ts";

/**
 * HTTP tests ask the built site: it must be the one of these sources.
 * @returns what to do after the last test
 */
export default async function setup(): Promise<() => Promise<void>> {
  buildIfNeeded();
  const removeFolder = ownTemporaryFolder();
  const dropTemplate = await createTemplate();
  return async () => {
    await dropTemplate();
    removeFolder();
  };
}
