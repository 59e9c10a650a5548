import { globSync, readFileSync } from "node:fs";
import { budgets, commentShare, glossary } from "./budgets.ts";

/**
 * Checks what docs/architecture.md promises of folders, names, sizes and comments. Budgets are in
 * budgets.ts: a feature that needs more raises its own in the same commit, on purpose.
 */
const faults: string[] = [];
const fault = (file: string, what: string) => faults.push(`${file}: ${what}`);

const longest = 400;
const kebab = /^[a-z0-9_.+$-]+$/;
/** A feature has topics, components and emails, and no other folders. */
const feature =
  /^app\/features\/[a-z-]+\/([a-z-]+(\.server|\.test)?\.ts|components\/[a-z-]+\.tsx?|emails\/[a-z-]+\.tsx)$/;
const comment = /\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm;
const exported =
  /^export (?:async )?(?:declare )?(?:abstract )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;
/** What the framework reads of each route module. */
const framework = new Set([
  ...["loader", "action", "handle", "headers", "meta", "links", "middleware", "shouldRevalidate"],
  ...["clientLoader", "clientAction", "ErrorBoundary", "Layout", "HydrateFallback"],
]);

const all = globSync("{app,content,scripts,tests}/**/*.{ts,tsx,css}").sort();
const texts = new Map(all.map((file) => [file, readFileSync(file, "utf8")]));
const linesOf = (file: string) => texts.get(file)?.split("\n").length ?? 0;
const isCode = (file: string) => /\.tsx?$/.test(file) && !file.includes(".test.");
const app = all.filter((file) => file.startsWith("app/") && !file.includes(".test."));

for (const file of all) {
  const name = file.split("/").at(-1) ?? "";
  if (!kebab.test(name)) fault(file, "file names are kebab-case");
  if (file.startsWith("app/features/") && !feature.test(file))
    fault(file, "a feature has topics, components/ and emails/, and no other folders");
  if (name.startsWith("index.")) fault(file, "no barrels");
  if (linesOf(file) > longest && !file.includes(".test."))
    fault(file, `${linesOf(file)} lines; past ${longest} it is two files`);
}

/** One exported name, one meaning: a search finds one place. */
const owners = new Map<string, string>();
for (const file of app.filter(isCode)) {
  const isRoute = file.startsWith("app/routes/") || file === "app/root.tsx";
  for (const [, name = ""] of texts.get(file)?.matchAll(exported) ?? []) {
    if (isRoute && framework.has(name)) continue;
    const owner = owners.get(name);
    if (owner) fault(file, `exports ${name}, as ${owner} does`);
    owners.set(name, file);
  }
}

/** A mistyped field of a handle would silently drop a security header. */
for (const file of all.filter((name) => name.startsWith("app/routes/")))
  for (const [declared] of texts.get(file)?.matchAll(/^export const handle\b[^;]*/gm) ?? [])
    if (!declared.endsWith("} satisfies RouteHandle"))
      fault(file, "writes its handle without 'satisfies RouteHandle'");

/** Sources like 'spec 4, Lesson' resolve: docs/spec.md has sections 1 to 9. Nothing is outside. */
const sections = new Set(
  [...readFileSync("docs/spec.md", "utf8").matchAll(/^## (\d+)\./gm)].map(([, number]) => number),
);
const records = new Set(globSync("docs/decisions/*.md").map((file) => file.slice(15, 18)));
for (const file of all) {
  const text = texts.get(file) ?? "";
  for (const [, number] of text.matchAll(/\bspec (\d+)\b/gi))
    if (!sections.has(number)) fault(file, `docs/spec.md has no section ${number}`);
  if (/\bdesign (?:section )?\d/i.test(text)) fault(file, "names a design that is not in docs/");
  for (const [, record = ""] of text.matchAll(/docs\/decisions\/(\d{3})/g))
    if (!records.has(record)) fault(file, `there is no decision record ${record}`);
}

/** Each class in CSS has a source that names it, whole or built as `part-${state}`. */
const named = new Set(
  all.flatMap((file) =>
    /^(app|content)\/.*\.tsx?$/.test(file) ? (texts.get(file)?.match(/[\w-]+(\$\{)?/g) ?? []) : [],
  ),
);
const ofMarkdown = ["contains-task-list", "task-list-item"];
for (const file of app.filter((file) => file.endsWith(".css"))) {
  const rules = texts.get(file)?.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "") ?? "";
  for (const [, name = ""] of rules.matchAll(/\.([a-z][\w-]*)/g))
    if (!named.has(name) && !named.has(name.replace(/[^-]+$/, "${")) && !ofMarkdown.includes(name))
      fault(file, `no source names the class ${name}`);
}

/** Comments of the app as a share of its lines of code, and words that an engineer must translate. */
const code = app.filter(isCode);
const lines = code.reduce((sum, file) => sum + linesOf(file), 0);
const comments = code.flatMap((file) => texts.get(file)?.match(comment) ?? []);
const share = comments.reduce((sum, one) => sum + one.split("\n").length, 0) / lines;
if (share > commentShare)
  fault(
    "app",
    `${(share * 100).toFixed(2)} % of the lines are comments; ${commentShare * 100} % at most`,
  );
for (const [word, most] of Object.entries(glossary)) {
  const found = code.reduce(
    (sum, file) => sum + (texts.get(file)?.match(new RegExp(`\\b${word}s?\\b`, "gi"))?.length ?? 0),
    0,
  );
  if (found > most)
    fault("app", `says '${word}' ${found} times; ${most} at most (docs/glossary.md)`);
}

/** Files and lines of each room; 10 % more than its budget fails. */
const sizes = new Map<string, { files: number; lines: number }>();
for (const file of app) {
  const room = /^app\/(features\/[^/]+|platform|ui|routes|server|site)\b/.exec(file)?.[1] ?? "root";
  const size = sizes.get(room) ?? { files: 0, lines: 0 };
  sizes.set(room, { files: size.files + 1, lines: size.lines + linesOf(file) });
}
for (const [room, size] of sizes) {
  const budget = budgets[room];
  if (!budget) fault(room, "has no budget in scripts/structure/budgets.ts");
  else if (size.files > budget.files * 1.1 || size.lines > budget.lines * 1.1)
    fault(
      room,
      `${size.files} files and ${size.lines} lines; its budget is ${budget.files} and ${budget.lines}`,
    );
}

process.stderr.write(faults.map((line) => `${line}\n`).join(""));
process.exitCode = faults.length > 0 ? 1 : 0;
