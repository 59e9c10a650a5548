/** What the browser has stored under a name; null for nothing, undefined when it may not store. */
export function stored(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** Stores a value under a name, or deletes it with null; where that is forbidden, nothing happens. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Forbidden or full.
  }
}
