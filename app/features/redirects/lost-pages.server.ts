import { sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { type CountedPage, countedPage, type Portion } from "~/platform/db/keyset.ts";
import type { Miss } from "~/platform/http/context.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { Browsers, type VisitHeaders } from "~/platform/visits/visits.ts";
import {
  isCountable,
  lostPagesStoredDays,
  mostLostPages,
  pathKey,
  placesOf,
  shownPath,
} from "./rules.ts";

/** Of a minute, or of as long as the database is away: whatever else is asked for is not counted. */
const mostAtOnce = 500;

const dayOf = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);

type Counting = Pick<Services, "db" | "clock" | "log">;

/** Counts addresses that led nowhere, and old ones that led on, in memory, written down each minute
 * like visits (docs/decisions/024): a number for an address, and nothing about a visitor. */
export class LostPages {
  readonly #services: Counting;
  readonly #timeZone: () => string;
  readonly #browsers = new Browsers();
  #counts: Record<Miss, Map<string, number>> = { lost: new Map(), led: new Map() };

  constructor(services: Counting, timeZone: () => string) {
    this.#services = services;
    this.#timeZone = timeZone;
  }

  count(path: string, miss: Miss, headers: VisitHeaders): void {
    const { "user-agent": browser, "sec-purpose": purpose } = headers;
    if (purpose !== undefined || browser === undefined || !this.#browsers.isPerson(browser)) return;
    const key = pathKey(path);
    if (miss === "lost" && !isCountable(key)) return;
    this.#add(miss, key, 1);
  }

  #add(miss: Miss, path: string, times: number): void {
    const counts = this.#counts[miss];
    const before = counts.get(path);
    if (before === undefined && counts.size >= mostAtOnce) return;
    counts.set(path, (before ?? 0) + times);
  }

  /** Adds what was counted to what is stored; what cannot be written is added the next time. */
  async flush(): Promise<void> {
    const { lost, led } = this.#counts;
    this.#counts = { lost: new Map(), led: new Map() };
    await this.#write("lost", lost, (counts) => this.#writeLost(counts));
    await this.#write("led", led, (counts) => this.#writeLed(counts));
  }

  async #write(
    miss: Miss,
    counts: Map<string, number>,
    write: (counts: Map<string, number>) => Promise<void>,
  ): Promise<void> {
    if (counts.size === 0) return;
    try {
      await write(counts);
    } catch (error) {
      this.#services.log.warn({ err: error }, "lost pages could not be written down");
      for (const [path, times] of counts) this.#add(miss, path, times);
    }
  }

  async #writeLost(counts: Map<string, number>): Promise<void> {
    const { db, clock } = this.#services;
    const lastDay = dayOf(clock.now(), this.#timeZone());
    const rows = [...counts]
      .map(([path, requests]) => ({ path, requests, lastDay }))
      // In one order, so that two processes never wait for each other.
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    await db.unsynced((own) =>
      own
        .insertInto("lostPages")
        .values(rows)
        .onConflict((conflict) =>
          conflict.column("path").doUpdateSet({
            requests: sql`lost_pages.requests + excluded.requests`,
            lastDay: (eb) => eb.ref("excluded.lastDay"),
          }),
        )
        .execute(),
    );
    await deleteRarest(db);
  }

  async #writeLed(counts: Map<string, number>): Promise<void> {
    const { db } = this.#services;
    const places = [...counts.keys()].flatMap((path) => Object.values(placesOf(path)));
    const found = await db.read
      .selectFrom("redirects")
      .select("fromPath")
      .where("fromPath", "in", [...new Set(places)])
      .execute();
    const known = new Set(found.map(({ fromPath }) => fromPath));
    const hits = new Map<string, number>();
    for (const [path, times] of counts) {
      const { exact, course } = placesOf(path);
      const fromPath = known.has(exact) ? exact : course;
      hits.set(fromPath, (hits.get(fromPath) ?? 0) + times);
    }
    await db.unsynced(async (own) => {
      for (const [fromPath, times] of [...hits].sort())
        await own
          .updateTable("redirects")
          .set((eb) => ({ hits: eb("hits", "+", times) }))
          .where("fromPath", "=", fromPath)
          .execute();
    });
  }
}

// Those that the coach does not want to see go first, then the rarest, the oldest of them before others.
async function deleteRarest({ unsynced }: Services["db"]): Promise<void> {
  await unsynced(async (own) => {
    const stored = own
      .selectFrom("lostPages")
      .select("path")
      .orderBy(sql`case when ignored_at is null then 0 else 1 end`)
      .orderBy("requests", "desc")
      .orderBy("lastDay", "desc")
      .orderBy("path")
      .limit(mostLostPages);
    await own.deleteFrom("lostPages").where("path", "not in", stored).execute();
  });
}

export type LostPage = { path: string; requests: number; lastDay: string };

/** A page of the addresses that visitors did not find, those asked for most often first. */
export async function listLostPages(
  { db }: Services,
  at: Portion & { cursor: string | null },
): Promise<CountedPage<LostPage>> {
  const query = db.read
    .selectFrom("lostPages")
    .select(["path", "requests", "lastDay", "path as id", "requests as sortValue"])
    .where("ignoredAt", "is", null);
  const order = { column: "lostPages.requests", id: "lostPages.path", direction: "desc" } as const;
  const page = await countedPage(db.read, query, { ...order, kind: "number" }, at);
  return {
    ...page,
    rows: page.rows.map(({ path, requests, lastDay }) => ({ path, requests, lastDay })),
  };
}

/** Takes an address off the list, also when it is asked for again. Idempotent. */
export async function ignoreLostPage(services: Services, path: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("lostPages")
      .set({ ignoredAt: services.clock.now() })
      .where("path", "=", path)
      .where("ignoredAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows)
      await recordAudit(trx, services, { action: "redirect.ignored", label: shownPath(path) });
  });
}

export const deleteOldLostPages: RegularTask = {
  name: "redirects.delete-lost-pages",
  async run({ db, clock, content }) {
    const before = new Date(clock.now().getTime() - lostPagesStoredDays * 24 * 3600_000);
    const day = dayOf(before, content.site.timeZone);
    await db.write.deleteFrom("lostPages").where("lastDay", "<", day).execute();
  },
};
