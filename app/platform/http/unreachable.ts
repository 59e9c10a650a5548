import { type DataStrategyResult, data, isRouteErrorResponse } from "react-router";

/** What a form that did not reach the site has instead of the status of an answer. The site itself
 * never answers with it. */
export const notSentStatus = 504;

export const unreachable = { unreachable: true } as const;

export function wasUnreachable(actionResult: unknown): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreachable" in actionResult;
}

/** For `shouldRevalidate`: without a connection, an error would replace the page and its text. */
export function unlessUnreachable(args: {
  actionResult?: unknown;
  defaultShouldRevalidate: boolean;
}): boolean {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

/** For `shouldRevalidate`: also after a refused form, as what the page shows has changed by then. */
export const reloadAlways = ({ actionStatus }: { actionStatus?: number }) =>
  actionStatus !== notSentStatus;

/** `fetch` throws a TypeError without an answer; one that breaks off is another error's cause; what
 * a proxy answers instead of the site is text. */
export function isLineLost(error: unknown): boolean {
  if (isRouteErrorResponse(error))
    return error.status >= 502 && error.status <= 504 && typeof error.data === "string";
  return error instanceof TypeError || (error instanceof Error && error.cause !== undefined);
}

// The router wraps what a form's handler has thrown in `data()`.
function thrownIn({ type, result }: DataStrategyResult): unknown {
  if (type !== "error") return null;
  return isRouteErrorResponse(result) ? result : ((result as { data?: unknown })?.data ?? result);
}

/** Of a form that did not reach the site: turns the error that would replace the page into a result
 * that leaves it as it is. @returns whether there was one */
export function keepPage(results: Record<string, DataStrategyResult>): boolean {
  const lost = Object.values(results).filter((result) => isLineLost(thrownIn(result)));
  for (const result of lost)
    Object.assign(result, { type: "data", result: data(undefined, notSentStatus) });
  return lost.length > 0;
}
