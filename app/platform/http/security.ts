import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";

export function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** Browsers check redirects after a form against form-action too, hence `formsTo`. */
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

/** Whether a path is for programs: search engines must not list it, even if a page links to it. */
export function isForPrograms(path: string): boolean {
  return /^\/(api|media|uploads|lesson-pictures|healthz)(\/|$)|\.data$/.test(path);
}

export function isForSharing(path: string): boolean {
  return /^\/share\/[a-z-]+\.png$/.test(path);
}

// Answers other than pages only forbid framing; pages have a policy of their own, and the preview of an
// email is framed by its editor.
const policyName = "Content-Security-Policy";
const ownFirst = new Set([policyName, "X-Frame-Options"]);
const otherPolicy = { [policyName]: "frame-ancestors 'none'" };

export function commonHeaders({
  appUrl,
  hstsSubdomains,
}: Pick<Config, "appUrl" | "hstsSubdomains">): Record<string, string> {
  const headers = { ...otherPolicy, ...securityHeaders };
  if (!appUrl.startsWith("https:")) return headers;
  const rest = hstsSubdomains ? "; includeSubDomains" : "";
  return { ...headers, "Strict-Transport-Security": `max-age=31536000${rest}` };
}

type Settable = { has(name: string): boolean; set(name: string, value: string): unknown };

export function addCommonHeaders(headers: Settable, common: Record<string, string>): void {
  for (const [name, value] of Object.entries(common)) {
    const key = name.toLowerCase();
    if (!ownFirst.has(name) || !headers.has(key)) headers.set(key, value);
  }
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** With https the requested host does not count as ours: behind a proxy it has no https, and anyone
 * on the network path could write its http pages. */
export function isSameOrigin(request: Request, appUrl: string): boolean {
  if (safeMethods.has(request.method)) return true;
  const origin = request.headers.get("origin");
  if (!origin) return false;
  // Newer browsers send this; 'none' is a user who submits their own form again.
  const from = request.headers.get("sec-fetch-site") ?? "none";
  if (from !== "same-origin" && from !== "none") return false;
  const configured = new URL(appUrl);
  if (origin === configured.origin) return true;
  return configured.protocol === "http:" && origin === new URL(request.url).origin;
}
