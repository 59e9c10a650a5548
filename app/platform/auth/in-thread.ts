/** A request to a hashing thread; `cost` has the options of `scrypt`. */
export type HashRequest = {
  password: string;
  salt: string;
  keyBytes: number;
  cost: { N: number; r: number; p: number; maxmem: number };
};

/** Runs as source text, since the built site is one file, so it must not use any outer name. */
export function hashInThread(): void {
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
