import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { hashInThread, type Question } from "./in-thread.ts";

// A hash takes 32 MB and fills a core for 80 to 150 ms.
const threads = 2;
const turns = pLimit(threads);
const idle: Worker[] = [];

/**
 * The key that scrypt makes of a password, made in one of two threads of low priority; more wait
 * for their turn. The first question starts a thread, and none of them keeps a program alive.
 * @throws what ended the thread, which is replaced
 */
export function deriveKey(question: Question): Promise<Uint8Array> {
  return turns(async () => {
    const thread = idle.pop() ?? new Worker(`(${hashInThread})()`, { eval: true });
    // Whoever has asked waits for the answer, and keeps the program alive as long.
    thread.ref();
    thread.postMessage(question);
    const [key] = await once(thread, "message");
    thread.unref();
    idle.push(thread);
    return key;
  });
}
