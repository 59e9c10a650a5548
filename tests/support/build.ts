import { buildIfNeeded } from "../../scripts/build/build.ts";

/** HTTP tests ask the built site: it must be the one of these sources. */
export default function setup(): void {
  buildIfNeeded();
}
