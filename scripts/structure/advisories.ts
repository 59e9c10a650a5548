import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";

// Fails when what runs on a site has a known advisory, high or critical. The registry that npm
// uses is asked; one that is away or has no list of advisories is no fault of the code.

type Advisory = { title: string; severity: string; url: string };
type Report = {
  vulnerabilities: Record<string, { severity: string; via: (Advisory | string)[] }>;
};

const answerMs = 15_000;

/** @returns null when the registry did not answer, or not with a report */
function findReport(): Report | null {
  const options = ["audit", "--json", "--fetch-retries=0", "--no-offline"];
  const { stdout } = spawnSync("npm", options, {
    encoding: "utf8",
    timeout: answerMs,
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    const answer = JSON.parse(stdout);
    return answer.auditReportVersion && answer.vulnerabilities ? answer : null;
  } catch {
    return null;
  }
}

type Lock = { packages: Record<string, { dependencies?: Record<string, string> }> };

/** The names of the packages that app/ imports, and of all that they need: the build contains them. */
function shippedPackages(): Set<string> {
  const { packages }: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const needs = Map.groupBy(Object.entries(packages), ([at]) => at.split("node_modules/").at(-1));
  const imported = globSync("app/**/*.{ts,tsx}", { exclude: ["**/*.test.ts"] })
    .map((file) => readFileSync(file, "utf8"))
    .flatMap((text) => [...text.matchAll(/(?:from|import\() ?"((?:@[\w.-]+\/)?[\w.-]+)/g)])
    .map(([, name = ""]) => name);
  const shipped = new Set(["node", ...imported].filter((name) => needs.has(name)));
  // A set that grows while it is walked is walked to its end.
  for (const name of shipped)
    for (const [, { dependencies = {} }] of needs.get(name) ?? [])
      for (const need of Object.keys(dependencies)) shipped.add(need);
  return shipped;
}

const isGrave = ({ severity }: { severity: string }) =>
  severity === "high" || severity === "critical";

const report = findReport();
if (report) {
  const shipped = shippedPackages();
  const affected = Object.entries(report.vulnerabilities).filter(([name]) => shipped.has(name));
  const faults = affected.flatMap(([name, { via }]) =>
    via
      .filter((cause) => typeof cause !== "string")
      .filter(isGrave)
      .map(({ severity, title, url }) => `${name}: ${severity}: ${title} (${url})\n`),
  );
  process.stderr.write(faults.join(""));
  process.exitCode = faults.length > 0 ? 1 : 0;
} else
  process.stdout.write("The registry of packages did not answer: advisories are not checked.\n");
