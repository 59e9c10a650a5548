import { setInterval } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Query } from "../db/database.ts";
import { addCommonHeaders, commonHeaders } from "../http/security.ts";
import type { Services } from "../http/services.ts";
import { type CachedPage, cachePage } from "./cached-page.ts";

/** Bytes of all pages; milliseconds until all are dropped, for a look and for a rendering. */
const usual = { bytes: 32 * 1024 * 1024, age: 3600_000, look: 2000, rendering: 20_000 };

type Needs = Pick<Services, "db" | "clock" | "log" | "config" | "content">;

/** Complete: its loaders had all their data. */
export type Rendering = { response: Response; complete: boolean };

type Outcome = CachedPage | Response;

/** The generation that a rendering began in, null before its first look. */
type Start = { generation: number | null };

/** Pages for everyone without a session, cached until the content changes (docs/decisions/002). */
export class PageCache {
  readonly #services: Needs;
  readonly #limits: typeof usual;
  readonly #pages = new Map<string, CachedPage>();
  readonly #underWay = new Map<string, { start: Start; outcome: Promise<Outcome> }>();
  #bytes = 0;
  /** Counts the drops: a rendering from before the last one is not cached. */
  #generation = 0;
  #droppedAt = 0;
  #version: number | undefined;
  #isHanging = false;
  #isFailing = false;

  constructor(services: Needs, limits = usual) {
    this.#services = services;
    this.#limits = limits;
  }

  find(path: string): CachedPage | undefined {
    return this.#pages.get(path);
  }

  /** If a shared rendering fails, each request that waited for it renders again, alone. */
  async page(path: string, render: () => Promise<Rendering>): Promise<Outcome> {
    const found = this.find(path);
    if (found) return found;
    const underWay = this.#underWay.get(path);
    // Never one that began before the last change.
    const isNew = underWay && [null, this.#generation].includes(underWay.start.generation);
    if (!isNew) return this.#begin(path, render);
    const outcome = await underWay.outcome.catch(() => null);
    return outcome === null || outcome instanceof Response ? (await render()).response : outcome;
  }

  #begin(path: string, render: () => Promise<Rendering>): Promise<Outcome> {
    const start: Start = { generation: null };
    const rendering = this.#render(path, render, start);
    const outcome = inTime(rendering, this.#limits.rendering, "rendering").finally(() => {
      if (this.#underWay.get(path)?.start === start) this.#underWay.delete(path);
    });
    this.#underWay.set(path, { start, outcome });
    return outcome;
  }

  // Looks twice: a cached page holds every change from before the second look.
  async #render(path: string, render: () => Promise<Rendering>, start: Start): Promise<Outcome> {
    const { config, log } = this.#services;
    const isUpToDate = await this.look();
    start.generation = this.#generation;
    const { response, complete } = await render();
    log.debug({ path, status: response.status }, "a page was rendered for everybody");
    if (!complete || response.status !== 200 || response.headers.has("set-cookie")) return response;
    const html = Buffer.from(await response.arrayBuffer());
    const page = await cachePage(html, headersOf(response, config));
    if (isUpToDate && (await this.look()) && this.#generation === start.generation)
      this.#put(path, page);
    return page;
  }

  #put(path: string, page: CachedPage): void {
    if (this.#bytes + page.bytes > this.#limits.bytes) this.#drop();
    this.#bytes += page.bytes - (this.find(path)?.bytes ?? 0);
    this.#pages.set(path, page);
  }

  #drop(): void {
    this.#pages.clear();
    this.#bytes = 0;
    this.#generation += 1;
    this.#droppedAt = this.#services.clock.now().getTime();
  }

  /** Drops all pages if the content has changed, or after an hour: the year in the footer changes
   * without it. Commands that change courses call this before they answer. @returns false, dropping
   * nothing, when the database could not be asked */
  async look(): Promise<boolean> {
    const { clock, log, content } = this.#services;
    try {
      const version = await this.#readVersion();
      // A page must not be rendered with words from before.
      if (version !== this.#version) await content.refresh();
      const isOld = clock.now().getTime() - this.#droppedAt >= this.#limits.age;
      if (version !== this.#version || isOld) this.#drop();
      this.#version = version;
      if (this.#isFailing) log.info("the content's version can be read again");
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing)
        log.warn({ err: error }, "the content's version cannot be read; pages stay as they are");
      this.#isFailing = true;
      return false;
    }
  }

  // While one reading hangs there is no other: each holds a connection, which is dropped after a
  // minute of silence (platform/db/postgres.ts).
  async #readVersion(): Promise<number> {
    if (this.#isHanging) throw new Error("reading the content's version hangs");
    const reading = readContentVersion(this.#services.db.read);
    const settled = () => {
      this.#isHanging = false;
    };
    return inTime(reading, this.#limits.look, "reading the content's version", () => {
      this.#isHanging = true;
      reading.then(settled, settled);
    });
  }
}

/** Changes with every committed change of products, modules or lessons. */
export async function readContentVersion(db: Query): Promise<number> {
  const asked = db.selectFrom("contentVersion").select("version");
  return (await asked.executeTakeFirstOrThrow()).version;
}

const lookEveryMs = 500;

/** Checks twice a second whether another process has changed the content. @returns how to stop */
export function watchContent(cache: PageCache): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const watching = (async () => {
    for await (const _ of setInterval(lookEveryMs, null, { signal: stopping.signal }))
      await cache.look();
  })().catch(() => {});
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
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
function headersOf(response: Response, config: Config): Map<string, string> {
  const headers = new Map(response.headers);
  for (const name of ["cache-control", "vary", "content-length"]) headers.delete(name);
  addCommonHeaders(headers, commonHeaders(config));
  return headers;
}
