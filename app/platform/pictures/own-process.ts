import { spawn } from "node:child_process";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { projectRoot } from "../utils/version.ts";

type Program = {
  /** The module itself, and its name in build/server. */
  source: string;
  built: string;
};
type Answer = { bytes: Buffer; errors: string; signal: NodeJS.Signals | null };

/** Gives a program its input in a process of its own, with none of the site's environment, where its
 * secrets are. After `ms` of wall-clock time it is killed: the signal is SIGKILL then. */
export async function runProcess(
  { source, built }: Program,
  { args = [], input, ms }: { args?: string[]; input: Uint8Array | string; ms: number },
): Promise<Answer> {
  const isSource = import.meta.filename.endsWith(".ts");
  const file = isSource ? source : path.join(projectRoot, "build", "server", built);
  const program = spawn(process.execPath, [file, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {},
    timeout: ms,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    program.once("error", reject);
    program.once("close", (_, signal) => resolve(signal));
  });
  // A program that has ended reads no more.
  program.stdin.on("error", () => {});
  program.stdin.end(input);
  const [bytes, errors, signal] = await Promise.all([
    buffer(program.stdout),
    buffer(program.stderr),
    ended,
  ]);
  return { bytes, errors: errors.toString(), signal };
}
