import autocannon from "autocannon";
import { cpuSeconds } from "./measure.ts";

type Load = { width: number; seconds: number; pid: number };

/** What a load found out; `perCore` is requests for each second of processor time. */
export type LoadResult = { perSecond: number; perCore: number; p50: number; p99: number };

/** Asks for one page of the site with a list of cookies in turn, `width` requests in flight. */
export async function load(
  url: string,
  cookies: readonly string[],
  { width, seconds, pid }: Load,
  headers: Record<string, string> = {},
): Promise<LoadResult> {
  const before = cpuSeconds(pid);
  const result = await autocannon({
    url,
    connections: width,
    duration: seconds,
    requests: cookies.map((cookie) => ({ headers: { cookie, ...headers } })),
  });
  const used = cpuSeconds(pid) - before;
  if (result.non2xx || result.errors || result.timeouts)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors under load`);
  return {
    perSecond: result.requests.total / result.duration,
    perCore: result.requests.total / used,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
