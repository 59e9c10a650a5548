import { createHash } from "node:crypto";

/** `'sha256-…'` of an inline script, for the Content-Security-Policy. */
export function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/**
 * The policy of every page. Scripts run from our own files, or inline if their hash
 * or this answer's nonce is named; nothing else. Media may come from a store of its own, and a form
 * may lead on to a page elsewhere: browsers hold redirects after it against the policy, too.
 */
export function contentSecurityPolicy(
  scripts: string[],
  { media, formsTo }: { media: string | null; formsTo: string | null },
): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    ...(media ? [`media-src 'self' ${media}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self'${formsTo ? ` ${formsTo}` : ""}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** What is for programs and no page: search engines leave it out, also where somebody links to it. */
export function isForPrograms(path: string): boolean {
  return /^\/(api|media|uploads|healthz)(\/|$)|\.data$/.test(path);
}

/** Pictures that stand for pages elsewhere: whoever previews a link in a browser shows them from here. */
export function isForSharing(path: string): boolean {
  return /^\/share\/[a-z-]+\.png$/.test(path);
}

/** Of answers that say nothing themselves: nobody frames them. Pages have a policy of their own. */
const policyName = "Content-Security-Policy";
const otherPolicy = { [policyName]: "frame-ancestors 'none'" };

/** Headers of every answer, whatever it is; the policy only where the answer has none. */
export function commonHeaders(appUrl: string): Record<string, string> {
  return appUrl.startsWith("https:")
    ? {
        ...otherPolicy,
        ...securityHeaders,
        "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
      }
    : { ...otherPolicy, ...securityHeaders };
}

type Settable = { has(name: string): boolean; set(name: string, value: string): unknown };

/** Gives an answer what every answer has, by names in small letters. */
export function addCommonHeaders(headers: Settable, common: Record<string, string>): void {
  for (const [name, value] of Object.entries(common)) {
    const key = name.toLowerCase();
    if (name !== policyName || !headers.has(key)) headers.set(key, value);
  }
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request may change anything: it comes from one of our own pages. The Origin must be
 * this site's configured one; without https also the host that was asked. With https it may not:
 * behind a proxy that host has no https, and an http page of it anybody on the line can write.
 */
export function isSameOrigin(request: Request, appUrl: string): boolean {
  if (safeMethods.has(request.method)) return true;
  const origin = request.headers.get("origin");
  if (!origin) return false;
  // Newer browsers say it themselves; 'none' is a reader who sends a form of hers again.
  const from = request.headers.get("sec-fetch-site") ?? "none";
  if (from !== "same-origin" && from !== "none") return false;
  const configured = new URL(appUrl);
  if (origin === configured.origin) return true;
  return configured.protocol === "http:" && origin === new URL(request.url).origin;
}
