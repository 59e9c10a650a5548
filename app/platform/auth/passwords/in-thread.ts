/** What a thread is asked for; the names in `cost` are those of `scrypt`. */
export type Question = {
  password: string;
  salt: string;
  keyBytes: number;
  cost: { N: number; r: number; p: number; maxmem: number };
};

/**
 * What a hashing thread does. It goes there as its own text, since a built site is one file: it may
 * name nothing that stands outside of it.
 */
export function hashInThread(): void {
  const { scryptSync } = process.getBuiltinModule("node:crypto");
  const { readlinkSync } = process.getBuiltinModule("node:fs");
  const { constants, setPriority } = process.getBuiltinModule("node:os");
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  try {
    // Linux keeps a priority for each thread. Whoever waits for a page goes before whoever signs
    // in, also where the machine has one core for both.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // Other systems share their cores out evenly.
  }
  parentPort?.on("message", ({ password, salt, keyBytes, cost }: Question) =>
    parentPort.postMessage(scryptSync(password, salt, keyBytes, cost)),
  );
}
