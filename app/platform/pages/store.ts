import type { CachedPage } from "./cached-page.ts";

/** `age` in milliseconds. */
export type Bounds = { pages: number; bytes: number; age: number };

type Kept = { page: CachedPage; since: number };

export class PageStore {
  readonly #kept = new Map<string, Kept>();
  readonly #bounds: Bounds;
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get(path: string): CachedPage | undefined {
    return this.#kept.get(path)?.page;
  }

  put(path: string, page: CachedPage, now: number): void {
    this.#delete(path);
    if (page.bytes > this.#bounds.bytes) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < this.#bounds.pages && this.#bytes + page.bytes <= this.#bounds.bytes)
        break;
      this.#delete(oldest);
    }
    this.#kept.set(path, { page, since: now });
    this.#bytes += page.bytes;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  expire(now: number): void {
    for (const [path, { since }] of this.#kept)
      if (now - since >= this.#bounds.age) this.#delete(path);
  }

  #delete(path: string): void {
    this.#bytes -= this.#kept.get(path)?.page.bytes ?? 0;
    this.#kept.delete(path);
  }
}
