/* Asks whether the session of this page is still there, and prolongs it by that. The answer is
 * written to `<html>`, from where site/session.ts informs every tab. */

/** Between two questions, in milliseconds; and how long an answer may take. */
const restMs = 5 * 60_000;
const patienceMs = 10_000;
/** The first pause after a question that got no answer; each is twice the one before (spec 9). */
const firstPauseMs = 200;
const longestPauseMs = 30_000;

const root = document.documentElement;
let askedAt = Date.now();
let isAsking = false;

/** Asks when the page is looked at again, or the connection comes back, and now and then. */
export function keepSession(): void {
  const look = () => void refreshWhenDue();
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  setInterval(look, restMs);
}

async function refreshWhenDue() {
  const isDue = Date.now() - askedAt >= restMs;
  if (document.hidden || !isDue || isAsking || root.dataset.session !== "in") return;
  isAsking = true;
  try {
    await refresh();
  } finally {
    askedAt = Date.now();
    isAsking = false;
  }
}

/** One question, and again after 200 ms times powers of two. Without any answer nothing changes. */
async function refresh() {
  for (let pause = firstPauseMs; pause <= longestPauseMs; pause *= 2) {
    const answer = await ask();
    if (answer) return take(answer.session);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function ask(): Promise<{ session: object | null } | null> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch("/api/session", {
      headers: { Accept: "application/json" },
      signal,
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function take(session: object | null) {
  if (session) root.dataset.sessionNote = JSON.stringify(session);
  else delete root.dataset.sessionNote;
  root.dataset.session = session ? "in" : "out";
}
