import { spawnSync } from "node:child_process";
import { buildIfNeeded } from "./build/build.ts";

/** `budget` is in seconds, on two cores with nothing beside them (docs/testing.md). */
type Step = { name: string; command: string[]; budget: number };

const node = process.execPath;
const cruise = "node_modules/dependency-cruiser/bin/dependency-cruise.mjs";

/** What needs no site: seconds, before the minutes. */
const checks: Step[] = [
  { name: "route types", command: ["react-router", "typegen"], budget: 2 },
  { name: "types", command: ["tsc", "-p", "."], budget: 15 },
  { name: "lint and format", command: ["biome", "check", "--error-on-warnings", "."], budget: 5 },
  {
    name: "who imports whom",
    command: [
      node,
      "--import",
      "./scripts/structure/classic-typescript.ts",
      cruise,
      "app",
      "content",
      "scripts",
    ],
    budget: 10,
  },
  {
    name: "the house: names, sizes, comments",
    command: [node, "scripts/structure/house.ts"],
    budget: 2,
  },
  { name: "exact versions", command: [node, "scripts/structure/pins.ts"], budget: 1 },
  { name: "known advisories", command: [node, "scripts/structure/advisories.ts"], budget: 15 },
  { name: "unused code", command: ["knip"], budget: 15 },
];
const usual = ["vitest", "run", "--project", "unit", "--project", "http"];
const onSqlite: Step = { name: "unit and HTTP tests on SQLite", command: usual, budget: 360 };
const atNight: Step = {
  name: "nightly tests: floods, gigabytes, prose and deployment files",
  // One file at a time: a flood beside gigabytes measures the other one.
  command: ["vitest", "run", "--project", "nightly", "--maxWorkers", "1"],
  budget: 420,
};
const inBrowser: Step = { name: "browser tests", command: ["playwright", "test"], budget: 600 };
const inOtherEngines: Step = {
  name: "journeys in Firefox and WebKit",
  command: ["playwright", "test", "--config", "tests/browsers/playwright.config.ts"],
  budget: 150,
};
const onPostgres: Step = { name: "unit and HTTP tests on PostgreSQL", command: usual, budget: 480 };

function stepsOf(what: string | undefined): Step[] {
  if (what === "check") return checks;
  if (what === "nightly") return [atNight, inOtherEngines];
  if (what === "browsers") return [inOtherEngines];
  if (what !== "postgres") return [...checks, onSqlite, inBrowser];
  if (!process.env.TEST_DATABASE_URL) {
    process.stderr.write(
      "TEST_DATABASE_URL is not set: which PostgreSQL may the tests make databases on?\n" +
        "  TEST_DATABASE_URL=postgres://user@127.0.0.1:5432/postgres npm run test:postgres\n",
    );
    process.exit(1);
  }
  return [onPostgres];
}

function run({ name, command: [program = "", ...words], budget }: Step): boolean {
  process.stdout.write(`\n── ${name} (budget ${budget} s)\n`);
  const { TEST_DATABASE_URL, ...env } = process.env;
  const isPostgres = process.argv[2] === "postgres";
  const { status } = spawnSync(program, words, {
    stdio: "inherit",
    env: isPostgres ? { ...env, TEST_DATABASE_URL } : env,
  });
  return status === 0;
}

const started = performance.now();
const since = (at: number) => `${((performance.now() - at) / 1000).toFixed(1)} s`;

const steps = stepsOf(process.argv[2]);
if (steps.some(({ command }) => command[0] === "vitest" || command[0] === "playwright"))
  buildIfNeeded();
for (const step of steps) {
  const begun = performance.now();
  if (!run(step)) {
    process.stderr.write(`\nFailed after ${since(started)}: ${step.name}\n`);
    process.exit(1);
  }
  // The output ends with the last runner's own summary, which has its time.
  if (step !== steps.at(-1))
    process.stdout.write(`   ${step.name}: ${since(begun)} of ${step.budget} s\n`);
}
