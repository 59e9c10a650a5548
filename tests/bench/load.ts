import { Agent, get } from "node:http";
import { cpuSeconds, inFlight, median, quantile } from "./measure.ts";

type Load = { width: number; seconds: number; pid: number };

/** What a load found out; `perCore` is requests for each second of processor time. */
export type LoadResult = { perCore: number; p50: number; p99: number };

/**
 * Asks for one page of the site with a list of cookies in turn, `width` requests in flight.
 * The connections are opened before the clock starts: a busy Node server accepts one in
 * each turn of its loop, and what is to be measured is the page, not the queue at the door.
 */
export async function load(
  url: string,
  cookies: readonly string[],
  { width, seconds, pid }: Load,
  headers: Record<string, string> = {},
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: width, scheduling: "fifo" });
  const ask = (index: number) =>
    read(url, agent, { cookie: cookies[index % cookies.length] ?? "", ...headers });
  await Promise.all(Array.from({ length: width }, (_, index) => ask(index)));
  const before = cpuSeconds(pid);
  const times = await inFlight(width, seconds, ask);
  const used = cpuSeconds(pid) - before;
  agent.destroy();
  return {
    perCore: times.length / used,
    p50: median(times),
    p99: quantile(times, 0.99),
  };
}

export function read(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${url}: ${response.statusCode}`)),
      );
    }).once("error", reject);
  });
}
