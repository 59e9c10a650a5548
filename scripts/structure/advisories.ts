import { spawnSync } from "node:child_process";

// Fails when what runs on a site has a known advisory, high or critical. The registry that npm
// uses is asked; one that is away or has no list of advisories is no fault of the code.

type Advisory = { title: string; severity: string; url: string };
type Report = {
  vulnerabilities: Record<string, { severity: string; via: (Advisory | string)[] }>;
};

const answerMs = 15_000;

/** @returns null when the registry did not answer, or not with a report */
function findReport(): Report | null {
  const options = ["audit", "--omit=dev", "--json", "--fetch-retries=0", "--no-offline"];
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

const isGrave = ({ severity }: { severity: string }) =>
  severity === "high" || severity === "critical";

const report = findReport();
if (report) {
  const faults = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via
      .filter((cause) => typeof cause !== "string")
      .filter(isGrave)
      .map(({ severity, title, url }) => `${name}: ${severity}: ${title} (${url})\n`),
  );
  process.stderr.write(faults.join(""));
  process.exitCode = faults.length > 0 ? 1 : 0;
} else
  process.stdout.write("The registry of packages did not answer: advisories are not checked.\n");
