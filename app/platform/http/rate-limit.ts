import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { ExpressionBuilder } from "kysely";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Tables } from "../db/tables.ts";
import type { Log } from "../log/log.ts";
import { logRefusal } from "../log/refusals.ts";

export type Limit = {
  /** What is counted, e.g. "newsletter". */
  what: string;
  /** Whose it is counted; kept only as a keyed hash. */
  whose: string;
  max: number;
  /** Begins with the first count. */
  windowSeconds: number;
  /** Whoever is beyond it is refused nothing: something is done so often and no more. */
  isQuiet?: boolean;
};

type Counts = { db: Database; clock: Clock; config: Pick<Config, "authSecret"> };
type Needs = Counts & { log: Log };

/**
 * Counts one more, in the database: the limit holds over all processes that share it, and
 * for any number of requests at once, since one statement counts and answers. What is beyond
 * the limit is not counted: on SQLite a flood that is refused then waits for no disk. Each refusal
 * is a line of the log.
 * @returns whether it is within the limit
 */
export async function withinLimit(services: Needs, limit: Limit): Promise<boolean> {
  const { db, clock, config } = services;
  const now = clock.now().getTime();
  const windowMs = limit.windowSeconds * 1000;
  // A window that begins far ahead was begun by a clock that was wrong.
  const isOver = (eb: ExpressionBuilder<Tables, "rateLimits">) =>
    eb.or([
      eb("rateLimits.lastRequest", "<=", now - windowMs),
      eb("rateLimits.lastRequest", ">", now + windowMs),
    ]);
  const counted = await db.unsynced((own) =>
    own
      .insertInto("rateLimits")
      .values({ id: newId(), key: keyOf(config, limit), count: 1, lastRequest: now })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet((eb) => ({
            count: eb
              .case()
              .when(isOver(eb))
              .then(1)
              .else(eb("rateLimits.count", "+", 1))
              .end(),
            lastRequest: eb
              .case()
              .when(isOver(eb))
              .then(now)
              .else(eb.ref("rateLimits.lastRequest"))
              .end(),
          }))
          .where((eb) => eb.or([isOver(eb), eb("rateLimits.count", "<", limit.max)])),
      )
      .returning("count")
      .executeTakeFirst(),
  );
  const isWithin = counted !== undefined;
  if (!isWithin && !limit.isQuiet) logRefusal(services.log, "limit", limit.what);
  return isWithin;
}

/** Counts one less: what {@link withinLimit} has counted was no try of the kind that is limited. */
export async function giveBack({ db, config }: Counts, limit: Limit): Promise<void> {
  await db.unsynced((own) =>
    own
      .updateTable("rateLimits")
      .set((eb) => ({ count: eb("count", "-", 1) }))
      .where("key", "=", keyOf(config, limit))
      .where("count", ">", 0)
      .execute(),
  );
}

/** {@link withinLimit} for several counts at once: the first that is full ends the counting. */
export async function withinLimits(services: Needs, limits: Limit[]): Promise<boolean> {
  for (const limit of limits) if (!(await withinLimit(services, limit))) return false;
  return true;
}

/** As many networks of 64 bits as one of 56 bits may use up the limit of. */
const networksAround = 4;

/**
 * A limit of what comes from one place, as the counts to be kept of it: of the caller's network, and
 * for IPv6 also of the 56 bits around it, which many providers hand out as one. What is beyond the
 * narrow count is not counted in the wide one, so that one network leaves its neighbours three parts
 * of four.
 * @param of narrows the count further, e.g. to one account
 */
export function limitsOfPlace(
  limit: Omit<Limit, "whose">,
  address: string,
  of: string | null = null,
): Limit[] {
  const whose = (network: string) => (of === null ? network : `${of} ${network}`);
  const network = { ...limit, whose: whose(networkOf(address)) };
  if (!isWide(address)) return [network];
  const around = { ...limit, max: limit.max * networksAround };
  return [network, { ...around, whose: whose(networkOf(address, 56)) }];
}

/** Counts one more from this place. @returns whether it is within the limit there */
export function withinPlace(
  services: Needs,
  limit: Omit<Limit, "whose">,
  address: string,
): Promise<boolean> {
  return withinLimits(services, limitsOfPlace(limit, address));
}

function keyOf({ authSecret }: Counts["config"], { what, whose }: Limit): string {
  return `${what}:${createHmac("sha256", authSecret).update(whose).digest("base64url")}`;
}

/**
 * What one caller holds of addresses: an IPv4 address, or an IPv6 network of 64 bits, which
 * is what a household gets and may choose from as it likes.
 * @param bits how much of an IPv6 address counts
 */
export function networkOf(address: string, bits: 64 | 56 = 64): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (isMapped(groups))
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  const kept = [a, b, c, bits === 56 ? d & 0xff00 : d];
  return `${kept.map((group) => group.toString(16)).join(":")}::/${bits}`;
}

/** Whether an address is one of IPv6, and not of IPv4 in its clothes. */
function isWide(address: string): boolean {
  return isIPv6(address) && !isMapped(groupsOf(address));
}

/** `::ffff:192.0.2.1` and its kin (RFC 4291, 2.5.5.2). */
function isMapped(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  // The URL parser turns a dotted end into groups and leaves at most one '::'.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = written.split("::").map((half) =>
    half
      .split(":")
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  );
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
