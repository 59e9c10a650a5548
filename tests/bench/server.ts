import { type ChildProcess, spawn } from "node:child_process";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { projectRoot } from "~/platform/utils/version.ts";
import { freePort } from "../support/port.ts";
import { memorySettings, startWords } from "../support/start-words.ts";

const giveUpMs = 30_000;
const running = new Set<ChildProcess>();

/** A program and what it started: npm and its shell do not pass a signal on. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (child.pid) process.kill(-child.pid, name);
}

/** Ends whatever is still running, when the bench itself ends early. */
export function killAll(): void {
  for (const child of running) signal(child, "SIGKILL");
}

/** Starts a program that lives until it is stopped. */
export function startProgram(
  command: string,
  words: string[],
  env: NodeJS.ProcessEnv = process.env,
): { pid: number; stop(): Promise<void> } {
  const child = spawn(command, words, {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, to be ended as one.
    detached: true,
  });
  running.add(child);
  // Whatever holds the output is gone once it closes: also what npm has started.
  child.stdout.resume();
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    pid: child.pid ?? 0,
    async stop() {
      signal(child, "SIGTERM");
      await ended;
      running.delete(child);
    },
  };
}

export type BenchServer = { url: string; pid: number; readyMs: number; stop(): Promise<void> };

/** Starts the site as its user does, on this folder. @returns once a page was answered with 200 */
export async function startSite(
  dataDir: string,
  how: "node" | "npm start" = "node",
  more: Record<string, string> = {},
): Promise<BenchServer> {
  const port = await freePort();
  const env = {
    ...process.env,
    ...memorySettings(),
    PORT: String(port),
    DATA_DIR: dataDir,
    APP_URL: "",
    DATABASE_URL: "",
    SMTP_URL: "",
    LOG_LEVEL: "info",
    ...more,
  };
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const program =
    how === "node"
      ? startProgram(process.execPath, startWords, env)
      : startProgram("npm", ["start"], env);
  while ((await statusOf(`${url}/courses`)) !== 200) {
    if (performance.now() - start > giveUpMs) throw new Error("the site did not start");
    await pause(4);
  }
  return { url, ...program, readyMs: performance.now() - start };
}

function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    }).once("error", () => resolve(0));
  });
}
