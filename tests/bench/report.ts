import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import path from "node:path";
import { projectRoot } from "~/platform/utils/version.ts";
import type { Figure } from "./figure.ts";

const verdict = ({ met }: Figure) => (met === null ? "" : met ? "met" : "MISSED");

/** The figures as a table for the terminal. */
export function printTable(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length));
  for (const figure of figures)
    process.stdout.write(
      `${figure.what.padEnd(width)}  ${figure.measured}  [${figure.bar}] ${verdict(figure)}\n`,
    );
}

/** Writes docs/benchmarks.md; what stands below the marker is written by hand and stays. */
export function writeReport(figures: readonly Figure[], notes: string): void {
  const rows = figures.map(
    (figure) => `| ${figure.what} | ${figure.measured} | ${figure.bar} | ${verdict(figure)} |`,
  );
  writeFileSync(
    path.join(projectRoot, "docs", "benchmarks.md"),
    `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine()}.
Load average at its end: ${loadavg()[0]?.toFixed(1)} (its own share is about 2; more means that others used the machine).

| what | measured | bar | |
|---|---|---|---|
${rows.join("\n")}

${notes}`,
  );
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model.trim()}), ${memory} GB, ${type()} ${release()}, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
}
