import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import { isUnreachable } from "../db/errors.ts";
import { type Trouble, troubleOf } from "../db/trouble.ts";
import { withTimeout } from "../utils/clock.ts";
import type { Services } from "./services.ts";

/** Milliseconds. */
const usualPace = {
  /** After a write that succeeded; one that failed is tried again when somebody asks. */
  probeEvery: 5000,
  answerWithin: 2000,
  /** A write may wait this long for its turn: a queue is no outage. */
  busyAfter: 10_000,
};
/** SQLite's log can take a small write even on a full disk: it reuses its space. */
const leastFreeBytes = 1_000_000;

type Reason = Trouble | "unreachable" | "busy";
type Fault = { reason: Reason; err?: unknown };
type Found = Fault | null;

const words: Record<Reason, string> = {
  unreachable: "The database does not answer.",
  busy: "Nothing has been saved for more than ten seconds.",
  full: "The disk is full: nothing can be saved.",
  "read-only": "The database can only be read: nothing can be saved.",
  damaged: "The database is damaged.",
  failing: "The database cannot be written.",
};

/** Answers 200 while the site can read and write its database, else 503 with the reason. All
 * callers share one small write every few seconds. Media does not count: without it, courses and
 * journals go on. */
export function healthCheck(
  services: Services,
  version: string,
  pace = usualPace,
): () => Promise<Response> {
  const { db, log } = services;
  let probe: { at: number; result: Promise<Found>; found?: Found } | null = null;
  let last: Reason | null = null;

  function currentProbe() {
    const now = performance.now();
    if (probe?.found === undefined && probe) return probe;
    if (probe?.found === null && now - probe.at < pace.probeEvery) return probe;
    const begun: NonNullable<typeof probe> = { at: now, result: writeOnce(services) };
    void begun.result.then((found) => {
      begun.found = found;
    });
    probe = begun;
    return begun;
  }

  async function writes(): Promise<Found> {
    const { at, result } = currentProbe();
    const found = await withTimeout(pace.answerWithin, result, "late" as const);
    if (found !== "late") return found;
    return performance.now() - at >= pace.busyAfter ? { reason: "busy" } : null;
  }

  function note(found: Found) {
    const reason = found?.reason ?? null;
    if (reason === last) return;
    last = reason;
    if (found) log.error(found, "the site is unhealthy");
    else log.info("the site is healthy again");
  }

  return async () => {
    const silent: Found = { reason: "unreachable" };
    const [read, written] = await Promise.all([
      withTimeout(pace.answerWithin, readOnce(services), silent),
      writes(),
    ]);
    const met = db.trouble.current();
    const found = read ?? written ?? (met && { reason: met });
    note(found);
    const body = found
      ? { status: "unavailable", database: found.reason, reason: words[found.reason], version }
      : { status: "ok", database: "ok", version };
    const headers = { "Cache-Control": "no-store" };
    return Response.json(body, { status: found ? 503 : 200, headers });
  };
}

async function readOnce({ db }: Services): Promise<Found> {
  try {
    await sql`select 1`.execute(db.read);
    return null;
  } catch (err) {
    return { reason: troubleOf(err) ?? "unreachable", err };
  }
}

async function writeOnce({ db, clock, config }: Services): Promise<Found> {
  const createdAt = clock.now();
  try {
    if (db.engine === "sqlite") {
      const { bavail, bsize } = await statfs(config.dataDir);
      if (bavail * bsize < leastFreeBytes) return { reason: "full" };
    }
    await db.unsynced((own) =>
      own
        .insertInto("settings")
        .values({ name: "health", value: "", createdAt })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ createdAt }))
        .execute(),
    );
    return null;
  } catch (err) {
    return { reason: troubleOf(err) ?? (isUnreachable(err) ? "unreachable" : "failing"), err };
  }
}
