import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { ExpressionBuilder } from "kysely";
import type { Config } from "../config/config.ts";
import { type Log, logRefusal } from "../log/log.ts";
import type { Clock } from "../utils/clock.ts";
import type { Database } from "./database.ts";
import { newId } from "./ids.ts";
import type { Tables } from "./tables.ts";

export type Limit = {
  what: string;
  /** Stored only as a keyed hash. */
  whose: string;
  max: number;
  windowSeconds: number;
  /** Beyond the limit no one is refused: something is done this often and no more. */
  isQuiet?: boolean;
};

type Counts = { db: Database; clock: Clock; config: Pick<Config, "authSecret"> };
type Needs = Counts & { log: Log };

/** One statement counts and answers, for all processes and concurrent requests. Beyond the limit it
 * counts nothing: on SQLite a refused flood then waits for no disk. Logs each refusal. */
export async function withinLimit(services: Needs, limit: Limit): Promise<boolean> {
  const { db, clock, config } = services;
  const now = clock.now().getTime();
  const windowMs = limit.windowSeconds * 1000;
  // A window that begins far in the future was begun by a wrong clock.
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

/** Takes one count of {@link withinLimit} back: it was no attempt of the limited kind. */
export async function uncount({ db, config }: Counts, limit: Limit): Promise<void> {
  await db.unsynced((own) =>
    own
      .updateTable("rateLimits")
      .set((eb) => ({ count: eb("count", "-", 1) }))
      .where("key", "=", keyOf(config, limit))
      .where("count", ">", 0)
      .execute(),
  );
}

export async function withinLimits(services: Needs, limits: Limit[]): Promise<boolean> {
  for (const limit of limits) if (!(await withinLimit(services, limit))) return false;
  return true;
}

const networksAround = 4;

/** For IPv6 also the 56 bits around a network, which many providers assign as one. Beyond the
 * narrow limit the wide one does not count, so that neighbors keep three quarters of it. */
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

/** An IPv4 address, or the 64 bits of IPv6 that a household gets and chooses addresses from. */
export function networkOf(address: string, bits: 64 | 56 = 64): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (isMapped(groups))
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  const network = [a, b, c, bits === 56 ? d & 0xff00 : d];
  return `${network.map((group) => group.toString(16)).join(":")}::/${bits}`;
}

function isWide(address: string): boolean {
  return isIPv6(address) && !isMapped(groupsOf(address));
}

// `::ffff:192.0.2.1` and similar (RFC 4291, 2.5.5.2).
function isMapped(groups: number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

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

const staleMs = 24 * 3600_000;

export const deleteOldRateLimits = {
  name: "rate-limit.forget",
  async run({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
    await db.write
      .deleteFrom("rateLimits")
      .where("lastRequest", "<", clock.now().getTime() - staleMs)
      .execute();
  },
};
