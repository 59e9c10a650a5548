import { readContentVersion } from "../../db/content-version.ts";
import type { Services } from "../../services.ts";
import { addCommonHeaders, commonHeaders } from "../security.ts";
import { type KeptPage, keptPage } from "./kept-page.ts";
import { type Bounds, PageStore } from "./store.ts";

/** How long the content's version may take to be read, and a whole rendering, in milliseconds. */
type Patience = { look: number; flight: number };

const usual: Bounds & Patience = {
  pages: 500,
  bytes: 32 * 1024 * 1024,
  age: 3600_000,
  look: 2000,
  flight: 20_000,
};

/** A page rendered for everybody. Not `complete` when something that belongs in it could not be read. */
export type Rendering = { response: Response; complete: boolean };

/** The page, or the answer of a rendering that was no such page. */
type Outcome = KeptPage | Response;

/** The generation in which a rendering has begun to read the content; null before. */
type Start = { generation: number | null };

/**
 * Pages that are the same for everybody without a session, rendered once and kept until the
 * content changes (docs/decisions/008). Made once a process.
 */
export class PageMemory {
  readonly #services: Pick<Services, "db" | "clock" | "log" | "config">;
  readonly #store: PageStore;
  readonly #flights = new Map<string, { start: Start; outcome: Promise<Outcome> }>();
  /** Counts what was dropped: a rendering from before the last time is not kept. */
  #generation = 0;
  #version: number | undefined;
  #failing = false;
  readonly #patience: Patience;
  /** A reading of the version that took too long, and goes on. */
  #hanging: Promise<number> | null = null;

  constructor(services: Pick<Services, "db" | "clock" | "log" | "config">, limits = usual) {
    this.#services = services;
    this.#store = new PageStore(limits);
    this.#patience = limits;
  }

  /** The page that is kept for this path. */
  find(path: string): KeptPage | undefined {
    return this.#store.get(path);
  }

  /**
   * The page at this path: as it is kept, as it is being rendered for somebody else, or rendered
   * now. Whoever waited for a rendering that failed tries it again, alone.
   * @returns the rendering's own answer when it is none to keep
   */
  async page(path: string, render: () => Promise<Rendering>): Promise<Outcome> {
    const kept = this.find(path);
    if (kept) return kept;
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

  /** Renders between two looks: a page that is kept holds all that was changed before the second. */
  async #fly(path: string, render: () => Promise<Rendering>, start: Start): Promise<Outcome> {
    const { clock, config, log } = this.#services;
    const since = clock.now().getTime();
    const isUpToDate = await this.look();
    start.generation = this.#generation;
    const { response, complete } = await render();
    log.debug({ path, status: response.status }, "a page was rendered for everybody");
    if (!complete || response.status !== 200 || response.headers.has("set-cookie")) return response;
    const html = Buffer.from(await response.arrayBuffer());
    const page = await keptPage(html, headersOf(response, config.appUrl));
    if (isUpToDate && (await this.look()) && this.#generation === start.generation)
      this.#store.put(path, page, since);
    return page;
  }

  /**
   * Drops everything if the content has changed. Whoever changes courses in this process calls
   * this before saying so; others are noticed by {@link watchContent}.
   * @returns whether the database could be asked; otherwise pages stay as they are
   */
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
        log.warn(
          { err: error },
          "the content's version cannot be read; pages are kept as they are",
        );
      this.#failing = true;
      return false;
    }
  }

  /**
   * In time or not at all. While one reading hangs there is no other for a while: each holds a
   * connection, and one whose other end has vanished may hang for good.
   */
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

  /** Drops what was rendered an hour ago: the year in the footer changes without the content. */
  expire(): void {
    this.#store.expire(this.#services.clock.now().getTime());
  }

  /** Whoever asks from now on gets a rendering that begins from now on. */
  #drop(): void {
    this.#generation += 1;
    this.#store.clear();
  }
}

/** The work's outcome. @throws when it takes longer than `ms`; it goes on then, and nobody waits for it */
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

/** Those of the page and those of every answer: nothing adds any later. */
function headersOf(response: Response, appUrl: string): Map<string, string> {
  const headers = new Map(response.headers);
  for (const name of ["cache-control", "vary", "content-length"]) headers.delete(name);
  addCommonHeaders(headers, commonHeaders(appUrl));
  return headers;
}
