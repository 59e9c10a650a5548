/** What the browser keeps under a name; null when it keeps nothing, undefined when it may not. */
export function stored(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** Keeps a value under a name, or nothing any more; where that is forbidden, for this page only. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Forbidden or full.
  }
}
