import { isRouteErrorResponse } from "react-router";
import { unreachable, wasUnreachable } from "./unreachable.ts";

const offline = {
  title: "Error",
  description:
    "The site cannot be reached just now. Nothing you typed is lost: it is still here. Please try again in a minute.",
  tone: "destructive",
} as const;

const fault = {
  ...offline,
  description:
    "Something went wrong on the site. Nothing you typed is lost: it is still here. Please try again in a minute.",
} as const;

const signedOut = {
  ...offline,
  description:
    "You have been signed out. Nothing you typed is lost: it is still here. Sign in again in a new tab, then save once more.",
} as const;

const noAdministrator = {
  ...offline,
  description:
    "You are not signed in as an administrator here any more. Nothing you typed is lost: it is still here. Sign in again in a new tab, then save once more.",
} as const;

const awayToasts = { "signed-out": signedOut, "no-administrator": noAdministrator };
type Away = keyof typeof awayToasts;

/**
 * Whom the admin turns away: a browser on which nobody is signed in any more goes to sign in, and
 * one on which somebody else is, to the start, or to where she adds a second factor. What was typed would be gone.
 */
function turnedAway(error: unknown): Away | null {
  const to = error instanceof Response ? error.headers.get("Location") : null;
  if (to === "/" || to === "/account/security") return "no-administrator";
  return to?.startsWith("/auth?") ? "signed-out" : null;
}

/**
 * Whether nobody answered: `fetch` throws a TypeError then, an answer that breaks off is the cause of
 * another error, and a proxy says it with its status. A fault of the server is none of these.
 */
export function isLineLost(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status >= 502 && error.status <= 504;
  return error instanceof TypeError || (error instanceof Error && error.cause !== undefined);
}

/** What was refused on purpose, or leads elsewhere: the page goes there. */
function isAnswer(error: unknown): boolean {
  return error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);
}

/**
 * For a `clientAction`: whatever comes instead of an answer, or none, becomes a toast, and the page
 * stays as it is, with every word in it.
 */
export async function orUnreachable<T>(
  serverAction: () => Promise<T>,
): Promise<T | { unreachable: true; problem: null }> {
  try {
    return await serverAction();
  } catch (error) {
    const away = turnedAway(error);
    if (!away && isAnswer(error)) throw error;
    const detail = away ? awayToasts[away] : isLineLost(error) ? offline : fault;
    document.dispatchEvent(new CustomEvent("toast", { detail }));
    return { ...unreachable, problem: null };
  }
}

/**
 * The same for a page that tells it in its own place. `problemOf` makes what to show there of who
 * was turned away, if anybody was, and of whether nobody answered.
 */
export async function orProblem<T, P>(
  serverAction: () => Promise<T>,
  problemOf: (away: Away | null, isOffline: boolean) => P,
): Promise<T | { unreachable: true; problem: P; saved: null }> {
  try {
    return await serverAction();
  } catch (error) {
    const away = turnedAway(error);
    if (!away && error instanceof Response && error.headers.has("Location")) throw error;
    return { ...unreachable, problem: problemOf(away, isLineLost(error)), saved: null };
  }
}

/** For `shouldRevalidate`: without a connection, loading anew would put an error in the page's place. */
export function unlessUnreachable(args: {
  actionResult?: unknown;
  defaultShouldRevalidate: boolean;
}): boolean {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}
