import type { BetterAuthPlugin } from "better-auth";
import { busyMessage, retrySeconds, takePlace } from "./places.ts";

/** Operations of the library that hash a password. */
const hashing = new Set([
  "/api/auth/sign-in/email",
  "/api/auth/sign-up/email",
  "/api/auth/reset-password",
]);

export const isHashing = ({ url }: Request): boolean => hashing.has(new URL(url).pathname);

/**
 * Refuses an operation that would hash a password while all places are taken: 503, before anything
 * is written, so that a link of an email stays good. It stands behind the library's limits by
 * network: who keeps all places taken runs into those. `guarded` gives the places back.
 */
export const passwordQueue = {
  id: "password-queue",
  async onRequest(request) {
    if (!isHashing(request) || takePlace(request)) return;
    const headers = { "Retry-After": String(retrySeconds) };
    const response = Response.json(
      { code: "BUSY", message: busyMessage },
      { status: 503, headers },
    );
    return { response };
  },
} satisfies BetterAuthPlugin;
