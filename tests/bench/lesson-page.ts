import { findCourseAccess } from "~/features/enrollments/access.server.ts";
import { getPlayer } from "~/features/player/player.server.ts";
import { type Figure, kb, ms, perSecond } from "./figure.ts";
import { load } from "./load.ts";
import { inFlight, median, quantile } from "./measure.ts";
import type { BenchServer } from "./server.ts";
import { usualSlug, type World } from "./world.ts";

const width = 50;
const rounds = 3;
const barMs = 10;
const pagesPerCore = 600;

/** What the lesson page reads from the database, and what it costs to ask for it over HTTP. */
export async function lessonPage(world: World, server: BenchServer): Promise<Figure[]> {
  const read = (index: number) => readPlayer(world, index % world.students.length);
  await inFlight(width, 1, read);
  const times = await inFlight(width, 3, read);
  const alone = await inFlight(1, 1, read);
  const figures: Figure[] = [
    {
      what: "lesson page data, 10 x 10 lessons: the queries, 50 in flight, p99",
      measured: `${ms(quantile(times, 0.99))} (median ${ms(median(times))}; alone ${ms(median(alone))})`,
      bar: `${barMs} ms`,
      met: quantile(times, 0.99) <= barMs,
    },
  ];
  const large = `${server.url}/courses/bench/learn`;
  const usual = `${server.url}/courses/${usualSlug}/learn`;
  const zipped: Record<string, string> = { "accept-encoding": "gzip" };
  const forms = [
    {
      name: "the same over HTTP as the router's .data",
      url: `${large}.data`,
      headers: {},
      bar: null,
    },
    { name: "the same over HTTP as a page", url: large, headers: {}, bar: null },
    { name: "player of a usual course (24 lessons)", url: usual, headers: {}, bar: pagesPerCore },
    { name: "player of a usual course, gzip", url: usual, headers: zipped, bar: null },
  ];
  for (const { name, url, headers, bar } of forms) {
    const { p50, p99, perCore, wire, plain } = await overHttp(world, server, url, headers);
    figures.push({
      what: `${name}, 50 in flight`,
      measured: `${perSecond(perCore)} a core; p50 ${ms(p50)}, p99 ${ms(p99)}; ${kb(plain)}${wire < plain ? `, ${kb(wire)} sent` : ""}`,
      bar: bar ? `${bar}/s a core` : "no bar of its own",
      met: bar ? perCore >= bar : null,
    });
  }
  return figures;
}

async function readPlayer({ services, students }: World, index: number) {
  const userId = students[index]?.id ?? "";
  const course = await findCourseAccess(services, { userId, slug: "bench" });
  if (!course?.enrolledAt) throw new Error("not enrolled");
  const { enrolledAt } = course;
  return getPlayer(services, {
    userId,
    course: { ...course, enrolledAt },
    key: null,
    draftId: null,
    edition: { small: false, listen: false },
    timeZone: "America/New_York",
  });
}

async function overHttp(
  { students }: World,
  { pid }: BenchServer,
  url: string,
  headers: Record<string, string>,
) {
  const cookies = students.map(({ cookie }) => cookie);
  const plain = (await bodyOf(url, cookies[0] ?? "")).length;
  const zipped = headers["accept-encoding"] ? await zippedSize(url, cookies[0] ?? "") : plain;
  await load(url, cookies, { width, seconds: 2, pid }, headers);
  const results = [];
  for (let round = 0; round < rounds; round++)
    results.push(await load(url, cookies, { width, seconds: 3, pid }, headers));
  return {
    p50: median(results.map((one) => one.p50)),
    p99: median(results.map((one) => one.p99)),
    perCore: median(results.map((one) => one.perCore)),
    plain,
    wire: zipped,
  };
}

async function bodyOf(url: string, cookie: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { cookie, "accept-encoding": "identity" } });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function zippedSize(url: string, cookie: string): Promise<number> {
  const { gzipSync } = await import("node:zlib");
  return gzipSync(await bodyOf(url, cookie)).length;
}
