/**
 * What the name of each cookie begins with over https: browsers then take it from this host alone,
 * over https and for every path (RFC 6265bis, 4.1.3.2), so that no subdomain and nobody on the line
 * can plant one. It is put on and taken off at the edge (`http/middleware.ts`); inside the site
 * cookies have their bare names.
 */
export const hostPrefix = "__Host-";

/** A Cookie header without the prefix. Cookies that came without it are dropped: they are not ours. */
export function withoutHostPrefix(cookies: string): string {
  return cookies
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(hostPrefix))
    .map((part) => part.slice(hostPrefix.length))
    .join("; ");
}

/** A line of Set-Cookie with the prefix, and with what browsers ask of a cookie that has it. */
export function withHostPrefix(line: string): string {
  return `${hostPrefix}${line}; Secure`;
}

/** Name and value of each cookie of a request, percent-decoded; of two with one name the first. */
function readCookies(headers: Headers): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of headers.get("cookie")?.split(";") ?? []) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name === "" || cookies.has(name)) continue;
    try {
      cookies.set(name, decodeURIComponent(part.slice(equals + 1).trim()));
    } catch {
      // Nothing of ours cannot be decoded.
    }
  }
  return cookies;
}

/** The value of a cookie, percent-decoded; null when it is absent or cannot be decoded. */
export function readCookie(headers: Headers, name: string): string | null {
  return readCookies(headers).get(name) ?? null;
}

/**
 * A request's headers with its cookies as this file has read them. The library reads them once more,
 * and by other rules (quotation marks, what cannot be decoded): what it takes for a session has to
 * be what we take for one, or a session that owes something would be nobody's here and somebody's
 * there.
 */
export function withPlainCookies(headers: Headers): Headers {
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
