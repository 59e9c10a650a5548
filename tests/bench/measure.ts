import { existsSync, readFileSync } from "node:fs";

/** The value below which a share `q` of the list lies. */
export function quantile(list: readonly number[], q: number): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (list: readonly number[]): number => quantile(list, 0.5);

/** Processor time a process has used so far, all its threads, in seconds. Linux; else NaN. */
export function cpuSeconds(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of a process that is really in use (resident), in MB. Linux; else NaN. */
export function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}

/** The most that a process has had in use since it began (peak resident), in MB. Linux; NaN else, and when it has ended. */
export function peakMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}

/** How long one piece of work takes, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Keeps `width` pieces of work going for a while. @returns what each took, in milliseconds */
export async function inFlight(
  width: number,
  seconds: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  async function lane(index: number) {
    while (performance.now() < end) times.push(await timed(() => work(index)));
  }
  await Promise.all(Array.from({ length: width }, (_, index) => lane(index)));
  return times;
}

/** `count` times in a row. @returns what each took, in milliseconds */
export async function inTurn(count: number, work: (index: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await timed(() => work(index)));
  return times;
}
