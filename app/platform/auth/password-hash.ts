import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

/** What a thread is asked; `cost` has the options of `scrypt`. */
type HashRequest = {
  password: string;
  salt: string;
  keyBytes: number;
  cost: { N: number; r: number; p: number; maxmem: number };
};

/** Runs as source text, since the built site is one file, so it must not use any outer name. */
function hashInThread(): void {
  const { scryptSync } = process.getBuiltinModule("node:crypto");
  const { readlinkSync } = process.getBuiltinModule("node:fs");
  const { constants, setPriority } = process.getBuiltinModule("node:os");
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  try {
    // Linux has a priority per thread. Page requests must come before sign-ins, even on one core.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // Other systems distribute their cores evenly.
  }
  parentPort?.on("message", ({ password, salt, keyBytes, cost }: HashRequest) =>
    parentPort.postMessage(scryptSync(password, salt, keyBytes, cost)),
  );
}

// A hash takes 32 MB and fills a core for 80 to 150 ms.
const threads = 2;
const turns = pLimit(threads);
const idle: Worker[] = [];

/** Derives a scrypt key in a low-priority thread. @throws the error that ended the thread */
export function deriveKey(question: HashRequest): Promise<Uint8Array> {
  return turns(async () => {
    const thread = idle.pop() ?? new Worker(`(${hashInThread})()`, { eval: true });
    // A thread keeps the process alive only while it works.
    thread.ref();
    thread.postMessage(question);
    const [key] = await once(thread, "message");
    thread.unref();
    idle.push(thread);
    return key;
  });
}

const keyBytes = 64;
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

const keyOf = (password: string, salt: string) =>
  deriveKey({ password: password.normalize("NFKC"), salt, keyBytes, cost });

/** Returns the library's format, `salt:key` in hex; the library's own hashing delays file reads. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${Buffer.from(await keyOf(password, salt)).toString("hex")}`;
}

/** Verifies a password against a hash, also one of the library. @throws if `hash` is malformed */
export async function verifyPassword({ password, hash }: { password: string; hash: string }) {
  const [salt, key] = hash.split(":");
  const stored = Buffer.from(key ?? "", "hex");
  if (!salt || stored.length !== keyBytes) throw new Error("a password's hash cannot be read");
  return timingSafeEqual(await keyOf(password, salt), stored);
}
