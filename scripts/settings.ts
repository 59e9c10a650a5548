import { existsSync, readFileSync } from "node:fs";

// An unquoted value with a '#' in it; after a space, it begins a comment.
const cut = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=(?![^\S\n]*['"`])(?:#\S|[^#\n]*[^\s#]#)/;

/** Puts the settings of `.env` into the environment; what is there already wins. Ends the process
 * with a line for each value that Node would cut off at a '#', as a password would be. */
export function readSettings(file = ".env"): void {
  if (!existsSync(file)) return;
  const mistakes = cutValues(readFileSync(file, "utf8"));
  if (mistakes.length > 0) {
    process.stderr.write(`${mistakes.join("\n")}\n`);
    process.exit(1);
  }
  process.loadEnvFile(file);
}

/** @returns a line for each */
export function cutValues(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => cut.exec(line)?.[1] ?? [])
    .map(
      (name) => `${name}: what stands after '#' would be lost; put the value between '…' in .env`,
    );
}
