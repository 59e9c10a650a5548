import type { BetterAuthPlugin } from "better-auth";

/** Includes running hashes. Two threads make 15 to 25 a second: the last waits for two seconds. */
export const hashQueueSize = 32;

export const retrySeconds = 5;

export const busyMessage =
  "Many people are signing in just now. Nothing is wrong with your account. Please try again in a few seconds.";

/** Thrown when the queue is full; nothing was done. */
export class HashQueueFull extends Error {
  override message = busyMessage;
}

const holders = new Set<object>();

/** Adds a request to the hash queue. @returns false when the queue is full */
export function enterHashQueue(holder: object): boolean {
  if (holders.size >= hashQueueSize) return false;
  holders.add(holder);
  return true;
}

export function leaveHashQueue(holder: object): void {
  holders.delete(holder);
}

/** Runs work that hashes a password within the queue. @throws {HashQueueFull} */
export async function inHashQueue<T>(work: () => Promise<T>): Promise<T> {
  const holder = {};
  if (!enterHashQueue(holder)) throw new HashQueueFull();
  try {
    return await work();
  } finally {
    leaveHashQueue(holder);
  }
}

const hashing = new Set([
  "/api/auth/sign-in/email",
  "/api/auth/sign-up/email",
  "/api/auth/reset-password",
]);

export const isHashing = ({ url }: Request): boolean => hashing.has(new URL(url).pathname);

/** Answers 503 while the queue is full, before anything is written, so email links stay valid. */
export const passwordQueue = {
  id: "password-queue",
  // Runs after the library's limits by network, which stop a client that keeps the queue full.
  async onRequest(request) {
    if (!isHashing(request) || enterHashQueue(request)) return;
    const headers = { "Retry-After": String(retrySeconds) };
    const response = Response.json(
      { code: "BUSY", message: busyMessage },
      { status: 503, headers },
    );
    return { response };
  },
} satisfies BetterAuthPlugin;
