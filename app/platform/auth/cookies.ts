// Browsers accept these names only from this host, over HTTPS and for every path (RFC 6265bis,
// 4.1.3.2), so no subdomain or network attacker can set one. http/middleware.ts adds and removes
// the prefix; inside the site cookies have their bare names.
export const hostPrefix = "__Host-";

/** A Cookie header without the prefix. Drops cookies that lack the prefix: they are not ours. */
export function withoutHostPrefix(cookies: string): string {
  return cookies
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(hostPrefix))
    .map((part) => part.slice(hostPrefix.length))
    .join("; ");
}

export function withHostPrefix(line: string): string {
  return `${hostPrefix}${line}; Secure`;
}

// Percent-decoded. The first of two cookies with the same name wins.
function readCookies(headers: Headers): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of headers.get("cookie")?.split(";") ?? []) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name === "" || cookies.has(name)) continue;
    try {
      cookies.set(name, decodeURIComponent(part.slice(equals + 1).trim()));
    } catch {
      // Every cookie of ours can be decoded.
    }
  }
  return cookies;
}

/** The value of a cookie, percent-decoded; null when it is absent or cannot be decoded. */
export function readCookie(headers: Headers, name: string): string | null {
  return readCookies(headers).get(name) ?? null;
}

/** Headers with the cookies as this file parses them. */
export function withPlainCookies(headers: Headers): Headers {
  // The library parses quotes and undecodable values differently. Both must find the same session;
  // else one that still needs a second factor could be invisible here and valid there.
  const plain = new Headers(headers);
  const cookies = [...readCookies(headers)];
  if (cookies.length === 0) plain.delete("cookie");
  else
    plain.set(
      "cookie",
      cookies.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; "),
    );
  return plain;
}
