import { sessionCookie } from "../auth/constants.ts";
import { hostPrefix } from "../auth/cookies.ts";
import { toastCookieName } from "../http/flash.ts";

const personal = new RegExp(
  String.raw`(?:^|;)\s*(?:${hostPrefix})?(?:${sessionCookie.replace(".", "\\.")}|${toastCookieName})\s*=`,
);

/** Whether cookies make an answer personal: a session, valid or not, or a toast. */
export function isPersonal(cookies: string | null | undefined): boolean {
  return cookies ? personal.test(cookies) : false;
}

const canonical = /^\/(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*)?$/;

/** Whether a path is written as our own links write it: each page then has one cache key. */
export function isCanonical(path: string): boolean {
  return canonical.test(path);
}
