import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { type HashRequest, hashInThread } from "./in-thread.ts";

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
