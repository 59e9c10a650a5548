import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { temporaryFolder } from "./config.ts";
import { freePort } from "./port.ts";
import { startWords } from "./start-words.ts";

const root = path.join(import.meta.dirname, "..", "..");

export type Ended = {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
};

/** A script of the project as a process of its own, with nothing of our environment but the paths. */
export type Program = {
  child: ChildProcess;
  /** What it has printed so far. */
  out(): string;
  ended: Promise<Ended>;
  /** Waits for a line that matches; rejects when the program ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): Promise<Ended>;
};

const running = new Set<ChildProcess>();
// A test that fails in the middle leaves nothing running behind.
function endAll() {
  for (const child of running) child.kill("SIGKILL");
}
process.once("exit", endAll);
// The runner ends its workers like this, which is no exit to Node; and it forbids process.exit.
process.once("SIGTERM", () => {
  endAll();
  process.kill(process.pid, "SIGTERM");
});

/** A process that a test has started itself. */
export function endWithTests(child: ChildProcess): void {
  running.add(child);
  child.once("close", () => running.delete(child));
}

export function run(
  script: string,
  words: string[],
  env: Record<string, string>,
  cwd = root,
  nodeFlags: string[] = [],
): Program {
  const file = path.join(root, "scripts", script);
  const child = spawn(process.execPath, [...nodeFlags, file, ...words], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      TMPDIR: process.env.TMPDIR ?? "",
      // Compiling the site is a third of what a start costs.
      NODE_COMPILE_CACHE: path.join(process.env.TMPDIR ?? tmpdir(), "compiled"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let out = "";
  let err = "";
  const watchers = new Set<() => void>();
  child.stdout.on("data", (part: Buffer) => {
    out += part.toString("utf8");
    for (const watch of watchers) watch();
  });
  child.stderr.on("data", (part: Buffer) => {
    err += part.toString("utf8");
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code, signal, out, err });
    });
  });
  return {
    child,
    out: () => out,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          const found = pattern.exec(out);
          if (!found) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        watch();
        ended.then((end) =>
          reject(new Error(`it ended with ${end.code ?? end.signal}: ${end.err}`)),
        );
      }),
    kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** `npm start`, without npm and without a build, which `build.ts` has seen to. */
export async function start(env: Record<string, string> = {}, cwd?: string, words: string[] = []) {
  const port = env.PORT ?? String(await freePort());
  const dataDir = env.DATA_DIR ?? temporaryFolder();
  const program = run(
    "start.ts",
    ["--built", ...words],
    { SAMPLE_CONTENT: "off", PORT: port, DATA_DIR: dataDir, ...env },
    cwd,
    startWords.slice(0, -1),
  );
  return { ...program, dataDir, port };
}

/** `npm start`, up to the line that says where the site is. */
export async function startServing(env: Record<string, string> = {}, cwd?: string) {
  const program = await start(env, cwd);
  const [, url = ""] = await program.line(/^Blue Dot is at (\S+)/m);
  return { ...program, url };
}
