import { APIError } from "better-auth/api";

const names = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"];

/** Whether a target stays on this site; stricter than browsers, as our paths are plain ASCII. */
export function isSameSitePath(way: string, appUrl: string): boolean {
  if (/[^!-~]|\\/.test(way)) return false;
  const path = way.startsWith(`${appUrl}/`) ? way.slice(appUrl.length) : way;
  if (way === appUrl) return true;
  if (!path.startsWith("/") || !URL.canParse(path, appUrl)) return false;
  const url = new URL(path, appUrl);
  return url.origin === new URL(appUrl).origin && !url.pathname.startsWith("//");
}

type Asked = { body?: unknown; query?: unknown };

/** @throws the library's 400 when a redirect target of the request leads to another site */
export function assertAllowedRedirects({ body, query }: Asked, appUrl: string): void {
  for (const given of [body, query]) {
    if (typeof given !== "object" || given === null) continue;
    for (const name of names) {
      const way: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
      if (way === undefined || way === null) continue;
      if (typeof way !== "string" || !isSameSitePath(way, appUrl))
        throw new APIError("BAD_REQUEST", {
          code: "WAY_BACK",
          message: "That is no page of ours.",
        });
    }
  }
}
