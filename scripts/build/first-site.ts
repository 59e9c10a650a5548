import { readFileSync } from "node:fs";
import path from "node:path";
import { readContentFile } from "../../app/features/pages/content-files.server.ts";
import type { Site } from "../../content/fields.ts";

const file = "content/pages/site.yaml";

/** The names and words of every page that a new site begins with, for programs without Vite. */
export const site = readContentFile(
  "site",
  readFileSync(path.join(import.meta.dirname, "..", "..", file), "utf8"),
  file,
) as Site;
