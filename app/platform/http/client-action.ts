import { isRouteErrorResponse } from "react-router";
import { isLineLost, unreachable } from "./unreachable.ts";

const stays = "Nothing you typed is lost: it is still here.";
const signIn = "Sign in again in a new tab, then save once more.";
const descriptions = {
  offline: `The site cannot be reached just now. ${stays} Please try again in a minute.`,
  fault: `Something went wrong on the site. ${stays} Please try again in a minute.`,
  "signed-out": `You have been signed out. ${stays} ${signIn}`,
  "no-administrator": `You are not signed in as an administrator here any more. ${stays} ${signIn}`,
};
type Away = "signed-out" | "no-administrator";

// Following such a redirect of the admin area would lose what was typed.
function turnedAway(error: unknown): Away | null {
  const to = error instanceof Response ? error.headers.get("Location") : null;
  if (to === "/" || to === "/account/security") return "no-administrator";
  return to?.startsWith("/auth?") ? "signed-out" : null;
}

function isAnswer(error: unknown): boolean {
  return error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);
}

/** For a `clientAction`: shows a failed request as a toast, so the page keeps what was typed. */
export async function orUnreachable<T>(asked: {
  serverAction: () => Promise<T>;
}): Promise<T | { unreachable: true; problem: null }> {
  try {
    return await asked.serverAction();
  } catch (error) {
    const away = turnedAway(error);
    if (!away && isAnswer(error)) throw error;
    const description = descriptions[away ?? (isLineLost(error) ? "offline" : "fault")];
    const detail = { title: "Error", description, tone: "destructive" };
    document.dispatchEvent(new CustomEvent("toast", { detail }));
    return { ...unreachable, problem: null };
  }
}

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
