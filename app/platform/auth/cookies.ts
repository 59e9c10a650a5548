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
