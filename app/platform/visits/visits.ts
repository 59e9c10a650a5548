import type { IncomingHttpHeaders } from "node:http";
import { isbot } from "isbot";
import { sql } from "kysely";
import type { Miss } from "../http/context.ts";
import type { Services } from "../http/services.ts";

export type VisitHeaders = Pick<
  IncomingHttpHeaders,
  "user-agent" | "referer" | "sec-fetch-site"
> & {
  "sec-purpose"?: string | string[] | undefined;
};

/** Arrivals come from elsewhere; openings are all, also from one page of the site to the next. */
type Counts = { arrivals: number; openings: number };

/** What memory holds at most: of a minute, or of as long as the database is away. */
const most = { pages: 500, hostsADay: 200, remembered: 500, length: 400 };
const atOnce = 500;
const everyMs = 60_000;
/** The host of what comes after the first 200 of a day. */
const other = "other";

/** Tells people's browsers from programs, and remembers what it has judged. */
export class Browsers {
  readonly #known = new Map<string, boolean>();

  isPerson(browser: string): boolean {
    const known = this.#known.get(browser);
    if (known !== undefined) return known;
    const isPerson = browser.length <= most.length && !isbot(browser);
    if (this.#known.size >= most.remembered) this.#known.clear();
    if (browser.length <= most.length) this.#known.set(browser, isPerson);
    return isPerson;
  }
}

/** Counts requests for pages that are not there (features/redirects/lost-pages.server.ts). */
export type MissCounter = { count(path: string, miss: Miss, headers: VisitHeaders): void };

/** Counts who comes as a shopkeeper does: two integers for a page, a day and the host that linked to
 * it, in memory, written down each minute. Nothing about a visitor is stored (docs/decisions/024). */
export class Visits {
  readonly #services: Pick<Services, "db" | "clock" | "log" | "config">;
  readonly #timeZone: () => string;
  readonly #own: string;
  readonly #browsers = new Browsers();
  readonly #hosts = new Map<string, string | null>();
  readonly #hostsToday = new Set<string>();
  #counts = new Map<string, Map<string, Counts>>();
  #day: string;

  constructor(services: Pick<Services, "db" | "clock" | "log" | "config">, timeZone: () => string) {
    this.#services = services;
    this.#timeZone = timeZone;
    this.#own = new URL(services.config.appUrl).hostname.replace(/^www\./, "");
    this.#day = this.#today();
  }

  /** A page that a browser was sent to show, or that has not changed. What is loaded in advance is not
   * counted: whether it is shown then, browsers do not tell. */
  count(page: string, headers: VisitHeaders): void {
    // A feed is fetched by programs, whatever they call themselves.
    if (page.endsWith(".xml")) return;
    const { "user-agent": browser, "sec-purpose": purpose } = headers;
    if (purpose !== undefined || browser === undefined || !this.#browsers.isPerson(browser)) return;
    const host = headers["sec-fetch-site"] === "same-origin" ? null : this.#hostOf(headers.referer);
    let hosts = this.#counts.get(page);
    if (!hosts) {
      if (this.#counts.size >= most.pages) return;
      hosts = new Map();
      this.#counts.set(page, hosts);
    }
    let counts = hosts.get(host ?? "");
    if (!counts) {
      counts = { arrivals: 0, openings: 0 };
      hosts.set(host ?? "", counts);
    }
    counts.openings += 1;
    if (host !== null) counts.arrivals += 1;
  }

  /** Null for the site itself, '' where nothing is said. */
  #hostOf(referer: string | undefined): string | null {
    if (referer === undefined) return "";
    const known = this.#hosts.get(referer);
    if (known !== undefined) return known;
    const host = this.#readHost(referer);
    if (this.#hosts.size >= most.remembered) this.#hosts.clear();
    if (referer.length <= most.length) this.#hosts.set(referer, host);
    return host;
  }

  #readHost(referer: string): string | null {
    const url = URL.parse(referer);
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname.length > 100) return "";
    const host = url.hostname.replace(/^www\./, "");
    if (host === this.#own) return null;
    if (this.#hostsToday.has(host)) return host;
    if (this.#hostsToday.size >= most.hostsADay) return other;
    this.#hostsToday.add(host);
    return host;
  }

  #today(): string {
    const format = { timeZone: this.#timeZone(), dateStyle: "short" } as const;
    return new Intl.DateTimeFormat("sv-SE", format).format(this.#services.clock.now());
  }

  /** Adds what was counted to what is stored; what cannot be written is added the next time. Several
   * processes add up. */
  async flush(): Promise<void> {
    const { db, log } = this.#services;
    const [counts, day] = [this.#counts, this.#day];
    this.#counts = new Map();
    this.#day = this.#today();
    if (this.#day !== day) {
      this.#hostsToday.clear();
      this.#hosts.clear();
    }
    const rows = [...counts]
      .flatMap(([page, hosts]) => [...hosts].map(([host, sums]) => ({ day, page, host, ...sums })))
      // In one order, so that two processes never wait for each other.
      .sort((a, b) => (`${a.page} ${a.host}` < `${b.page} ${b.host}` ? -1 : 1));
    try {
      await db.unsynced(async (own) => {
        for (let from = 0; from < rows.length; from += atOnce)
          await own
            .insertInto("visits")
            .values(rows.slice(from, from + atOnce))
            .onConflict((conflict) =>
              conflict.columns(["day", "page", "host"]).doUpdateSet({
                arrivals: sql`visits.arrivals + excluded.arrivals`,
                openings: sql`visits.openings + excluded.openings`,
              }),
            )
            .execute();
      });
    } catch (error) {
      log.warn({ err: error }, "visits could not be written down");
      this.#putBack(counts);
    }
  }

  #putBack(counts: Map<string, Map<string, Counts>>): void {
    for (const [page, hosts] of this.#counts)
      for (const [host, { arrivals, openings }] of hosts) {
        const before = counts.get(page) ?? new Map<string, Counts>();
        const sums = before.get(host) ?? { arrivals: 0, openings: 0 };
        before.set(host, {
          arrivals: sums.arrivals + arrivals,
          openings: sums.openings + openings,
        });
        counts.set(page, before);
      }
    this.#counts = counts;
  }
}

/** Writes down each minute what was counted. @returns how to stop, which writes once more */
export function flushRegularly(counter: { flush(): Promise<void> }): { stop(): Promise<void> } {
  let flushing = Promise.resolve();
  const timer = setInterval(() => {
    flushing = counter.flush();
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await flushing;
      await counter.flush();
    },
  };
}
