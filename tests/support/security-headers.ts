import { expect } from "vitest";

/** What every answer of the site carries, no matter what gives it. */
const always: Record<string, string> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
/** What would tell anyone who asks about the machine, or let other sites read. */
const never = ["x-powered-by", "server", "x-runtime"];

/** Only what stands there, so that one that is missing is named. */
export function expectSecurityHeaders(headers: Headers, what: string, { sharing = false } = {}) {
  const got = Object.fromEntries(Object.keys(always).map((name) => [name, headers.get(name)]));
  const shared = sharing ? { "cross-origin-resource-policy": "cross-origin" } : {};
  expect({ what, ...got }).toEqual({ what, ...always, ...shared });
  const policy = headers.get("content-security-policy") ?? "";
  expect([what, policy]).toEqual([what, expect.stringContaining("frame-ancestors 'none'")]);
  // Uploads name the site itself.
  const readers = headers.get("access-control-allow-origin") ?? "https://grief.example";
  expect([what, readers]).toEqual([what, "https://grief.example"]);
  for (const name of never) expect([what, name, headers.get(name)]).toEqual([what, name, null]);
}

/** A page says what may run in it; one that runs nothing says that. */
export function expectPolicy(headers: Headers, what: string) {
  if (!/^text\/html/.test(headers.get("content-type") ?? "")) return;
  const policy = headers.get("content-security-policy") ?? "";
  expect([what, policy]).toEqual([what, expect.stringMatching(/^default-src '(self|none)'; /)]);
  for (const part of ["base-uri 'none'", "frame-ancestors 'none'"])
    expect([what, policy]).toEqual([what, expect.stringContaining(part)]);
  expect([what, policy]).toEqual([what, expect.not.stringMatching(/unsafe-|\*|http:/)]);
}

/**
 * Over https a cookie has the prefix `__Host-`, and what browsers ask of one that has: no other
 * host can set it, and no one reads it on a line without https.
 * @returns the names of the cookies
 */
export function expectHostCookies(headers: Headers, what: string): string[] {
  return headers.getSetCookie().map((line) => {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = ""] = pair.split("=");
    const told = attributes.map((one) => one.toLowerCase());
    expect([what, line, name]).toEqual([what, line, expect.stringMatching(/^__Host-[\w.-]+$/)]);
    const needed = ["secure", "path=/", "httponly", "samesite=lax"];
    expect(told, `${what} ${line}`).toEqual(expect.arrayContaining(needed));
    expect([what, line]).toEqual([what, expect.not.stringMatching(/;\s*domain=/i)]);
    return name;
  });
}

/** An answer says how long it may be kept; what is for programs is kept by no one, but for keys. */
export function expectCaching(headers: Headers, what: string) {
  const caching = headers.get("cache-control");
  expect([what, caching]).toEqual([what, expect.stringMatching(/./)]);
  if (!/^\w+ \/(api|uploads|healthz)\b/.test(what)) return;
  expect([what, caching]).toEqual([what, expect.stringContaining("no-store")]);
}
