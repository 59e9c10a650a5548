import { store, stored } from "./storage.ts";

/**
 * Who is signed in on this browser, for the one link of the header that depends on it and for
 * anyone who listens. The server says so in `<html data-session="in|out" data-session-note="{…}">`
 * (platform/auth/session.ts); what it said last is stored under one name, with the time in
 * milliseconds since which it is so, and only while a user is signed in. No secret is in it.
 *
 * Changes are announced in this page, and in every other tab, by the event `session` of `document`
 * (spec 4, Session); `<html data-signed-in>` has the id of the user, empty without one.
 */
export type SessionChange =
  | "signed-in"
  | "signed-out"
  | "token-refreshed"
  | "mfa-challenge-verified";
type Note = { userId: string; expiresAt: string; level: number; since: number };

const name = "session";
const root = document.documentElement;

// React, or anyone who asked again, has heard from the server without a new document.
const watch = new MutationObserver(remember);

let known: Note | null = null;

/** Stores what the server said, from where other tabs learn it. */
function remember() {
  const { session, sessionNote } = root.dataset;
  const before = read();
  const note = session === "in" && sessionNote ? (JSON.parse(sessionNote) as Note) : null;
  const isSame = before && note && changes(before, note).length === 0;
  const now = note && { ...note, since: isSame ? before.since : Date.now() };
  // On a shared computer, media of lessons must not stay in the cache after a sign-out.
  if (before && !note)
    fetch("/api/clear-cache", { method: "POST", keepalive: true }).catch(() => {});
  store(name, now && JSON.stringify(now));
  tell(now);
}

/** Null, too, when something else is stored there. */
function read(): Note | null {
  try {
    const note = JSON.parse(stored(name) ?? "null");
    return note?.userId ? note : null;
  } catch {
    return null;
  }
}

/** Shows what other pages have learned. Where storage is forbidden, the server's word stands. */
export function catchUpSession(): void {
  if (stored(name) === undefined) return;
  const note = read();
  root.dataset.session = note ? "in" : "out";
  watch.takeRecords();
  tell(note);
}

function changes(before: Note | null, after: Note | null): SessionChange[] {
  if (!after) return before ? ["signed-out"] : [];
  const same = before?.userId === after.userId ? before : null;
  const all: SessionChange[] = same ? [] : ["signed-in"];
  if (after.level > (same?.level ?? 1)) all.push("mfa-challenge-verified");
  else if (same && same.expiresAt !== after.expiresAt) all.push("token-refreshed");
  return all;
}

function tell(note: Note | null) {
  const changed = changes(known, note);
  const userId = note?.userId ?? null;
  known = note;
  root.dataset.signedIn = userId ?? "";
  for (const change of changed)
    document.dispatchEvent(new CustomEvent("session", { detail: { change, userId } }));
  // A page without boxes to type in, and without a veil: the server decides again who reads it.
  const personal = document.querySelector<HTMLElement>("[data-only-for]");
  if (changed.length > 0 && personal && personal.dataset.onlyFor !== userId) location.reload();
}

const atFirst = stored(name);

/** Decides who knows better, the page or the browser's storage. */
export function startSession(): void {
  known = read();
  // Prerendered, and since then a user has signed in or out: it is the page of another user.
  if (stored(name) !== atFirst) location.reload();
  else if (isNews()) {
    const isUnheard = !known && root.dataset.session === "in";
    remember();
    if (isUnheard) void confirmSession();
  } else catchUpSession();
  watch.observe(root, { attributeFilter: ["data-session", "data-session-note"] });
}

/** Another tab may have signed out after this page was rendered and before its first script ran. */
async function confirmSession() {
  const answer = await fetch("/api/session").catch(() => null);
  if (!answer?.ok || (await answer.json()).session) return;
  delete root.dataset.sessionNote;
  root.dataset.session = "out";
}

/** Whether the server spoke last: the page is no copy of the browser's, nor older than what is stored. */
function isNews(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  const isCopy = (navigation as PerformanceNavigationTiming)?.type === "back_forward";
  const isOlder = (known?.since ?? 0) > performance.timeOrigin;
  return root.dataset.session !== undefined && !isCopy && !isOlder;
}
