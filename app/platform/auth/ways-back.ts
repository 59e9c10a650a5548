import { APIError } from "better-auth/api";

/** The names under which the library is told where to go afterwards. */
const names = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"];

/**
 * Whether a browser on a page of this site stays here when it goes there. Stricter than browsers
 * are: what has blanks, breaks, backslashes or letters of other scripts is none of our addresses.
 */
export function staysHere(way: string, appUrl: string): boolean {
  if (/[^!-~]|\\/.test(way)) return false;
  const path = way.startsWith(`${appUrl}/`) ? way.slice(appUrl.length) : way;
  if (way === appUrl) return true;
  if (!path.startsWith("/") || !URL.canParse(path, appUrl)) return false;
  const url = new URL(path, appUrl);
  return url.origin === new URL(appUrl).origin && !url.pathname.startsWith("//");
}

type Asked = { body?: unknown; query?: unknown };

/** @throws the library's refusal when one of the ways back of a request leads to another site */
export function assertWaysBack({ body, query }: Asked, appUrl: string): void {
  for (const given of [body, query]) {
    if (typeof given !== "object" || given === null) continue;
    for (const name of names) {
      const way: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
      if (way === undefined || way === null) continue;
      if (typeof way !== "string" || !staysHere(way, appUrl))
        throw new APIError("BAD_REQUEST", {
          code: "WAY_BACK",
          message: "That is no page of ours.",
        });
    }
  }
}
