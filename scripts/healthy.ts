/** Ends with 0 when the site of this machine answers and reaches its database: for a container's health. */
const url = `http://127.0.0.1:${process.env.PORT || 3000}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(3500) }).catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;

export {};
