type Toast = { title: string; description?: string; tone?: string };

/** The value of a cookie that an answer sets; null when it sets none of that name, or takes it away. */
export function cookieSet(response: Response, name: string): string | null {
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ""] = cookie.split(";");
    const equals = pair.indexOf("=");
    if (pair.slice(0, equals) === name) return pair.slice(equals + 1) || null;
  }
  return null;
}

/** The toast that an answer sends along for the next page. */
export function toastOf(response: Response): Toast | null {
  const value = cookieSet(response, "toast");
  return value ? (JSON.parse(decodeURIComponent(value)) as Toast) : null;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** A page as its reader sees it: without scripts and what differs in each answer, with entities read. */
export function readable(html: string): string {
  return decode(html.replaceAll(/<script[\s\S]*?<\/script>|<!-- -->| nonce="[^"]*"/g, ""));
}

/** What stands between a page's header and its footer. */
export const mainOf = (page: string): string => /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? "";

/** What stands in the text boxes of a page, in order. A browser drops the first line break of a box. */
export function boxes(html: string): string[] {
  const found = html.matchAll(/<textarea[^>]*>([\s\S]*?)<\/textarea>/g);
  return [...found].map(([, text = ""]) => decode(text.replace(/^\n/, "")));
}

/** The values of the hidden fields of a page with this name, in order. */
export function hidden(html: string, name: string): string[] {
  const fields = html.matchAll(
    new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`, "g"),
  );
  return [...fields].map(([, value = ""]) => decode(value));
}

export function decode(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "");
}
