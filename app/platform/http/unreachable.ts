import { isRouteErrorResponse } from "react-router";

/** Part of what an action in the browser returns when the server could not be asked. */
export const unreachable = { unreachable: true } as const;

/** Whether an action ended with {@link unreachable}: then there is nothing new to load either. */
export function wasUnreachable(actionResult: unknown): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreachable" in actionResult;
}

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

/** Somebody who is not signed in any more is sent to sign in: what she typed would be gone. */
function isSentToSignIn(error: unknown): boolean {
  if (!(error instanceof Response)) return false;
  return (error.headers.get("Location") ?? "").startsWith("/auth?");
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
    const isOut = isSentToSignIn(error);
    if (!isOut && isAnswer(error)) throw error;
    const detail = isOut ? signedOut : isLineLost(error) ? offline : fault;
    document.dispatchEvent(new CustomEvent("toast", { detail }));
    return { ...unreachable, problem: null };
  }
}

/**
 * The same for a page that tells it in its own place. `problemOf` makes what to show there of the
 * error and of whether nobody answered; null where the page is left.
 */
export async function orProblem<T, P>(
  serverAction: () => Promise<T>,
  problemOf: (error: unknown, isOffline: boolean) => P | null,
): Promise<T | { unreachable: true; problem: P; saved: null }> {
  try {
    return await serverAction();
  } catch (error) {
    const problem = problemOf(error, isLineLost(error));
    if (!problem) throw error;
    return { ...unreachable, problem, saved: null };
  }
}

/** For `shouldRevalidate`: without a connection, loading anew would put an error in the page's place. */
export function unlessUnreachable(args: {
  actionResult?: unknown;
  defaultShouldRevalidate: boolean;
}): boolean {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}
