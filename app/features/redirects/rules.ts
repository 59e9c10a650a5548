export const longestPath = 200;
export const longestTarget = 500;
/** Of the form's choice of a page; '' is an address that is typed. */
export const unchosen = "-";
/** The renaming of a course is never refused for it. */
export const mostRedirects = 1000;
export const mostLostPages = 500;
/** In days; content/pages/privacy.md says the same. */
export const lostPagesStoredDays = 90;

const reserved = new Set([
  ...["account", "admin", "api", "assets", "auth", "healthz", "invitation", "lesson-pictures"],
  ...[
    "mail-preferences",
    "media",
    "my-courses",
    "pictures",
    "recordings",
    "setup",
    "uploads",
    ".well-known",
  ],
]);

/** The part of the site that a path belongs to, such as '/admin', where none may lead elsewhere. */
export function reservedPart(path: string): string | null {
  const first = path.split("/")[1]?.replace(/\.data$/, "") ?? "";
  return reserved.has(first) ? `/${first}` : null;
}

/** A path as it is stored and looked up: in lower case, without a slash at the end. */
export function pathKey(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, "").toLowerCase() : path;
}

const coursePath = /^\/courses\/[^/]+$/;
const belowCourse = /^(\/courses\/[^/]+)(\/.+)$/;

/** Where a redirect may stand for a path: at the path itself, or at the course that it is below. */
export function placesOf(path: string): { exact: string; course: string } {
  const exact = pathKey(path);
  return { exact, course: belowCourse.exec(exact)?.[1] ?? exact };
}

export type Way = { fromPath: string; target: string };

/** Where the redirects found at {@link placesOf} lead a path. From a course to a course, all that is
 * below its page goes along. */
export function leadOn(path: string, found: readonly Way[]): string | null {
  const { exact, course } = placesOf(path);
  const own = found.find(({ fromPath }) => fromPath === exact);
  if (own) return own.target;
  const [, , rest = ""] = belowCourse.exec(path.replace(/\/$/, "")) ?? [];
  const around = found.find(({ fromPath }) => fromPath === course);
  return around && rest && coursePath.test(around.target) ? around.target + rest : null;
}

export type ReadAddress = { path: string } | { url: string } | { problem: AddressProblem };
export type AddressProblem = "missing" | "unreadable" | "extra" | "long";

/** An address as a person types it: a path, also without its first slash, or the whole of it; one of
 * this site (`origin`) is read as its path. */
export function readAddress(typed: string, origin: string): ReadAddress {
  const text = typed.trim();
  if (!text) return { problem: "missing" };
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(text);
  const url = URL.parse(isWhole || text.startsWith("/") ? text : `/${text}`, origin);
  if (!url || (!isWhole && url.origin !== origin)) return { problem: "unreadable" };
  if (url.origin !== origin) return readElsewhere(url);
  if (url.search || url.hash) return { problem: "extra" };
  const path = pathKey(url.pathname);
  if (path.length > longestPath) return { problem: "long" };
  return isPlainPath(path) ? { path } : { problem: "unreadable" };
}

function readElsewhere(url: URL): ReadAddress {
  if (url.protocol !== "https:" || url.username || url.password) return { problem: "unreadable" };
  return url.href.length > longestTarget ? { problem: "long" } : { url: url.href };
}

// What the server answers at all (platform/http/middleware.ts, readableAddress), and no data of pages.
function isPlainPath(path: string): boolean {
  try {
    const isShown = !/[\p{C}\\]/u.test(decodeURIComponent(path));
    return isShown && !path.includes("//") && !path.endsWith(".data");
  } catch {
    return false;
  }
}

/** A stored path as a person reads it: '/café' for '/caf%c3%a9'. */
export function shownPath(path: string): string {
  try {
    const shown = decodeURI(path);
    return /[%\p{C}\p{Z}]/u.test(shown) ? path : shown;
  } catch {
    return path;
  }
}

const scanned =
  /^\/(wp-|wordpress|wp$|blog\/wp|cgi-bin|xmlrpc|phpmyadmin|pma$|mysql|vendor\/|actuator|solr|boaform|owa$|owa\/|ecp|autodiscover|telescope|_|config|backup|backups|old\/wp|debug|console|jenkins|hudson|manager\/|server-status|geoserver|hnap1|sdk$|user\/login|administrator|graphql|v[0-9]+\/|portal\/|remote\/|dana-na|cdn-cgi)/;
const pageEnding = /\.(html?|pdf)$/;

/** Whether a path that led nowhere may be counted: what a person may have followed an old link to, and
 * neither a file, nor what programs look for, nor anything that could be about somebody. */
export function isCountable(path: string): boolean {
  if (path.length > longestPath || path === "/404" || !isPlainPath(path)) return false;
  if (reservedPart(path) || scanned.test(path)) return false;
  const shown = shownPath(path);
  if (/[@?=&"<>{}$|;*`\\]|%(25)*(40|3f|3d|26)/i.test(shown)) return false;
  const parts = shown.split("/").slice(1);
  // Of a lesson's page, but not of what the page asks for by itself.
  if (parts[0] === "courses" && parts[2] === "learn" && parts.length > 3) return false;
  const last = parts.at(-1) ?? "";
  if (last.includes(".") && !pageEnding.test(last)) return false;
  return parts.every((part) => part !== "" && !part.startsWith(".") && !isSecret(part));
}

// Tokens, ids and telephone numbers; words are shorter, and have hyphens between them.
function isSecret(part: string): boolean {
  const digits = part.replace(/\D/g, "").length;
  const word = Math.max(...part.split(/[-_.]/).map(({ length }) => length));
  return digits > 8 || word > 24 || (digits > 3 && word > 15);
}
