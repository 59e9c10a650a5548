import { globSync, readFileSync } from "node:fs";

/** The closed vocabulary of a feature folder (docs/architecture.md), as one pattern. */
const feature =
  /^app\/features\/[a-z]+(\/(?!components|emails)[a-z]+)?\/((schema|rules|texts|commands)(\.test)?\.ts|(queries|commands|gateway|jobs|hooks)\.server\.ts|(queries|gateway|jobs)\.test\.ts|components\/[a-z-]+\.tsx?|emails\/[a-z-]+\.tsx)$/;
const kebab = /^[a-z0-9_.+$-]+$/;
const longest = 400;

const complaints: string[] = [];

for (const file of globSync("{app,content,scripts,tests}/**/*.{ts,tsx,css}")) {
  const name = file.split("/").at(-1) ?? "";
  if (!kebab.test(name)) complaints.push(`${file}: file names are kebab-case`);
  if (file.startsWith("app/features/") && !feature.test(file))
    complaints.push(`${file}: not one of the names that a feature folder knows`);
  if (name.startsWith("index.")) complaints.push(`${file}: no barrels`);
  const lines = readFileSync(file, "utf8").split("\n").length;
  if (lines > longest && !file.includes(".test."))
    complaints.push(`${file}: ${lines} lines; past ${longest} it is two files`);
}

process.stderr.write(complaints.map((line) => `${line}\n`).join(""));
process.exitCode = complaints.length > 0 ? 1 : 0;
