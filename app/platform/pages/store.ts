import type { CachedPage } from "./cached-page.ts";

/** `age` in milliseconds. */
export type Bounds = { pages: number; bytes: number; age: number };

type StoredPage = { page: CachedPage; since: number };

export class PageStore {
  readonly #pages = new Map<string, StoredPage>();
  readonly #bounds: Bounds;
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get(path: string): CachedPage | undefined {
    return this.#pages.get(path)?.page;
  }

  put(path: string, page: CachedPage, now: number): void {
    this.#delete(path);
    if (page.bytes > this.#bounds.bytes) return;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size < this.#bounds.pages && this.#bytes + page.bytes <= this.#bounds.bytes)
        break;
      this.#delete(oldest);
    }
    this.#pages.set(path, { page, since: now });
    this.#bytes += page.bytes;
  }

  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  expire(now: number): void {
    for (const [path, { since }] of this.#pages)
      if (now - since >= this.#bounds.age) this.#delete(path);
  }

  #delete(path: string): void {
    this.#bytes -= this.#pages.get(path)?.page.bytes ?? 0;
    this.#pages.delete(path);
  }
}
