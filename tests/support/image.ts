import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "~/platform/utils/version.ts";
import { temporaryFolder } from "./config.ts";
import { freePort } from "./port.ts";
import { endWithTests } from "./process.ts";

export const dockerfile = readFileSync(path.join(projectRoot, "deploy/Dockerfile"), "utf8");
const steps = dockerfile
  .split("\n")
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => line.split(/ (.*)/s));

/** What follows a word of the Dockerfile, each time that it is there. */
export const stepsOf = (name: string): string[] =>
  steps.filter(([word]) => word === name).map(([, rest = ""]) => rest);

/** A folder with what the image holds in /site, and nothing of the project around it. */
export function buildImage(): string {
  const image = temporaryFolder();
  for (const copy of stepsOf("COPY").filter((what) => what.startsWith("--from=build"))) {
    const [, source = "", target = ""] = copy.split(" ");
    const from = path.join(projectRoot, path.relative("/site", source));
    const to = path.join(image, target.endsWith("/") ? target + path.basename(from) : target);
    // Figures are measured in a folder beside the built site.
    const filter = (name: string) => name !== path.join(projectRoot, "build", "bench");
    cpSync(from, to, { recursive: true, filter });
  }
  return image;
}

/**
 * A container of it, as far as there is one without Docker: the image's own settings and command,
 * with a port of its own, and folders where the volumes would be.
 */
export async function startContainer(image: string, dataDir: string, more: Record<string, string>) {
  mkdirSync(dataDir, { recursive: true });
  const [line = ""] = stepsOf("ENV");
  const env: Record<string, string> = {
    PATH: "/usr/bin:/bin",
    ...(Object.fromEntries(line.split(" ").map((pair) => pair.split("="))) as object),
    ...more,
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
  };
  const words = JSON.parse(stepsOf("CMD").at(-1) ?? "[]") as string[];
  const site = spawn(process.execPath, words.slice(1), { cwd: image, env });
  const ended = new Promise<number | null>((resolve) => site.once("exit", resolve));
  // A test that fails in the middle leaves nothing running behind.
  endWithTests(site);
  await served(site);
  const [, health = ""] = /CMD (\[.*\])$/.exec(stepsOf("HEALTHCHECK")[0] ?? "") ?? [];
  const run = (script: string[]) =>
    spawnSync(process.execPath, script, { cwd: image, env, encoding: "utf8" });
  return {
    url: `http://127.0.0.1:${env.PORT}`,
    /** What the image's own question for its health ends with. */
    health: () => run((JSON.parse(health) as string[]).slice(1)).status,
    /** `docker compose exec`, of one of package.json's scripts that Node runs. */
    exec: run,
    async stop() {
      site.kill("SIGTERM");
      return ended;
    },
  };
}

function served(site: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (words: Buffer) => {
      said += words.toString("utf8");
      if (said.includes("Blue Dot is at")) resolve();
    };
    site.once("exit", () => reject(new Error(said)));
    site.stdout?.on("data", hear);
    site.stderr?.on("data", hear);
  });
}
