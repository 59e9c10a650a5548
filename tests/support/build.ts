import { buildIfNeeded } from "../../scripts/build/build.ts";
import { ownTemporaryFolder } from "./run-folder.ts";

/**
 * HTTP tests ask the built site: it must be the one of these sources.
 * @returns what to do after the last test
 */
export default function setup(): () => void {
  buildIfNeeded();
  return ownTemporaryFolder();
}
