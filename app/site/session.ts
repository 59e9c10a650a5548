import { store, stored } from "./storage.ts";

/**
 * Whether somebody is signed in on this browser, for the one link of the header that depends on
 * it. The server says so in `<html data-session="in|out">`; what it said last is kept under one
 * name, since when in milliseconds, and only while somebody is signed in.
 */
const name = "session";
const root = document.documentElement;

// React has heard from the server: somebody signed in without a new document.
const watch = new MutationObserver(remember);

/** Takes what the server said into the browser's memory, from where other tabs learn it. */
function remember() {
  if (root.dataset.session !== "in") store(name, null);
  else if (!stored(name)) store(name, String(Date.now()));
}

/** Shows what other pages have learned. Where storage is forbidden, the server's word stands. */
export function catchUpSession(): void {
  const since = stored(name);
  if (since === undefined) return;
  root.dataset.session = since ? "in" : "out";
  watch.takeRecords();
}

/** Another tab has learned something, or everything that was kept has been deleted. */
export function followSession({ key }: StorageEvent): void {
  if (key === name || key === null) catchUpSession();
}

const atFirst = stored(name);

/** Decides who knows better, the page or the browser's memory. */
export function startSession(): void {
  // Made in advance, and since then somebody has signed in or out: it is a page for nobody.
  if (stored(name) !== atFirst) location.reload();
  else if (isNews()) remember();
  else catchUpSession();
  watch.observe(root, { attributeFilter: ["data-session"] });
}

/** Whether the server spoke last: the page is no copy that the browser had kept, nor older than what is remembered. */
function isNews(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  const isCopy = (navigation as PerformanceNavigationTiming)?.type === "back_forward";
  const isOlder = Number(atFirst ?? 0) > performance.timeOrigin;
  return root.dataset.session !== undefined && !isCopy && !isOlder;
}
