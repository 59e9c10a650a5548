import { readContentVersion } from "../db/content-version.ts";
import { addCommonHeaders, commonHeaders } from "../http/security.ts";
import type { Services } from "../http/services.ts";
import { type CachedPage, cachePage } from "./cached-page.ts";
import { type Bounds, PageStore } from "./store.ts";

type Patience = { look: number; flight: number };

const usual: Bounds & Patience = {
  pages: 500,
  bytes: 32 * 1024 * 1024,
  age: 3600_000,
  look: 2000,
  flight: 20_000,
};

export type Rendering = { response: Response; complete: boolean };

type Outcome = CachedPage | Response;

type Start = { generation: number | null };

/** Pages for everyone without a session, cached until the content changes (docs/decisions/002). */
export class PageCache {
  readonly #services: Pick<Services, "db" | "clock" | "log" | "config">;
  readonly #store: PageStore;
  readonly #flights = new Map<string, { start: Start; outcome: Promise<Outcome> }>();
  /** Counts the drops: a rendering from before the last one is not cached. */
  #generation = 0;
  #version: number | undefined;
  #failing = false;
  readonly #patience: Patience;
  #hanging: Promise<number> | null = null;

  constructor(services: Pick<Services, "db" | "clock" | "log" | "config">, limits = usual) {
    this.#services = services;
    this.#store = new PageStore(limits);
    this.#patience = limits;
  }

  find(path: string): CachedPage | undefined {
    return this.#store.get(path);
  }

  /** If a shared rendering fails, each request that waited for it renders again, alone. */
  async page(path: string, render: () => Promise<Rendering>): Promise<Outcome> {
    const found = this.find(path);
    if (found) return found;
    const underWay = this.#flights.get(path);
    // Never one that began before the last change.
    const isNew = underWay && [null, this.#generation].includes(underWay.start.generation);
    if (!isNew) return this.#takeOff(path, render);
    const outcome = await underWay.outcome.catch(() => null);
    return outcome === null || outcome instanceof Response ? (await render()).response : outcome;
  }

  #takeOff(path: string, render: () => Promise<Rendering>): Promise<Outcome> {
    const start: Start = { generation: null };
    const flight = this.#fly(path, render, start);
    const outcome = inTime(flight, this.#patience.flight, "rendering").finally(() => {
      if (this.#flights.get(path)?.start === start) this.#flights.delete(path);
    });
    this.#flights.set(path, { start, outcome });
    return outcome;
  }

  // Checks the version twice: a cached page holds every change from before the second check.
  async #fly(path: string, render: () => Promise<Rendering>, start: Start): Promise<Outcome> {
    const { clock, config, log } = this.#services;
    const since = clock.now().getTime();
    const isUpToDate = await this.look();
    start.generation = this.#generation;
    const { response, complete } = await render();
    log.debug({ path, status: response.status }, "a page was rendered for everybody");
    if (!complete || response.status !== 200 || response.headers.has("set-cookie")) return response;
    const html = Buffer.from(await response.arrayBuffer());
    const page = await cachePage(html, headersOf(response, config.appUrl));
    if (isUpToDate && (await this.look()) && this.#generation === start.generation)
      this.#store.put(path, page, since);
    return page;
  }

  /** Drops all pages if the content has changed. Commands that change courses call this before they
   * answer. @returns false, dropping nothing, when the database could not be asked */
  async look(): Promise<boolean> {
    const { db, log } = this.#services;
    try {
      const version = await this.#readVersion(db.read);
      if (version !== this.#version) this.#drop();
      this.#version = version;
      if (this.#failing) log.info("the content's version can be read again");
      this.#failing = false;
      return true;
    } catch (error) {
      if (!this.#failing)
        log.warn({ err: error }, "the content's version cannot be read; pages stay as they are");
      this.#failing = true;
      return false;
    }
  }

  // While one read hangs there is no other for a while: each holds a connection, and one whose
  // server has vanished may hang forever.
  #readVersion(db: Services["db"]["read"]): Promise<number> {
    if (this.#hanging) throw new Error("reading the content's version hangs");
    const reading = readContentVersion(db);
    return inTime(reading, this.#patience.look, "reading the content's version", () => {
      this.#hanging = reading;
      const end = () => {
        if (this.#hanging === reading) this.#hanging = null;
      };
      reading.then(end, end);
      setTimeout(end, 20 * this.#patience.look).unref();
    });
  }

  /** Drops pages of an hour ago: the year in the footer changes without the content. */
  expire(): void {
    this.#store.expire(this.#services.clock.now().getTime());
  }

  #drop(): void {
    this.#generation += 1;
    this.#store.clear();
  }
}

// @throws when the work takes longer than `ms`; it then continues unobserved
async function inTime<T>(work: Promise<T>, ms: number, what: string, onLate = () => {}) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new Error(`${what} took too long`));
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

// With those of every answer, since nothing adds them later.
function headersOf(response: Response, appUrl: string): Map<string, string> {
  const headers = new Map(response.headers);
  for (const name of ["cache-control", "vary", "content-length"]) headers.delete(name);
  addCommonHeaders(headers, commonHeaders(appUrl));
  return headers;
}
