import { cookieOf, createPerson } from "../support/people.ts";
import { type Figure, kb, mb, noBar, perSecond, times } from "./figure.ts";
import { type LoadResult, load } from "./load.ts";
import { median, quantile, residentMb } from "./measure.ts";
import type { BenchServer } from "./server.ts";
import { usualSlug, type World } from "./world.ts";

const width = 32;
const rounds = 7;
const seconds = 2;
const bars = { peer: 2.5, spread: 4, residentMb: 250 };

type Page = { name: string; url: string; cookies: string[]; pid: number };

/**
 * The pages that are rendered for the user who asks, in turns with a page of another server: where
 * PEER_URL and PEER_PID name one, the rates are also given as multiples of its rate
 * (docs/benchmarks.md tells how the peer was made).
 */
export async function signedInPages(world: World, { url, pid }: BenchServer): Promise<Figure[]> {
  const students = world.students.map(({ cookie }) => cookie);
  const admin = await createPerson(world.services, { role: "admin" });
  const coach = [await cookieOf(world.services, admin.id)];
  const own: Page[] = [
    { name: "My Courses", url: `${url}/my-courses`, cookies: students, pid },
    { name: "the player", url: `${url}/courses/${usualSlug}/learn`, cookies: students, pid },
    { name: "an admin list", url: `${url}/admin/students`, cookies: coach, pid },
  ];
  const peerPid = Number(process.env.PEER_PID);
  const peer = process.env.PEER_URL;
  const asked = peer ? [...own, { name: "peer", url: peer, cookies: [""], pid: peerPid }] : own;
  const results = new Map<Page, LoadResult[]>(asked.map((page) => [page, []]));
  for (let round = 0; round <= rounds; round++)
    for (const page of asked) {
      const result = await load(page.url, page.cookies, { width, seconds, pid: page.pid });
      // The first round only warms up.
      if (round > 0) results.get(page)?.push(result);
    }
  const resident = residentMb(pid);
  const rateOf = (page: Page) => median((results.get(page) ?? []).map(({ perCore }) => perCore));
  const peerRate = peer ? rateOf(asked.at(-1) as Page) : Number.NaN;
  const figures = await Promise.all(
    own.map(async (page): Promise<Figure> => {
      const list = results.get(page) ?? [];
      const share = rateOf(page) / peerRate;
      const spread = quantile(
        list.map(({ p99, p50 }) => p99 / p50),
        0.5,
      );
      const size = await sizeOf(page);
      return {
        what: `${page.name}, ${kb(size)}, ${width} in flight`,
        measured: `${perSecond(rateOf(page))} a core${peer ? ` = ${times(share)} the peer` : ""}; p99 ${times(spread)} p50`,
        bar: `${times(bars.peer)} the peer, p99 ${bars.spread} x p50`,
        met: peer ? share >= bars.peer && spread <= bars.spread : null,
      };
    }),
  );
  return [
    ...figures,
    ...(peer
      ? [
          noBar(
            "the peer's page, in turns",
            `${perSecond(peerRate)} a core; ${mb(residentMb(peerPid))}`,
          ),
        ]
      : []),
    {
      what: "resident memory of the site after these",
      measured: mb(resident),
      bar: mb(bars.residentMb),
      met: resident <= bars.residentMb,
    },
  ];
}

async function sizeOf({ url, cookies }: Page): Promise<number> {
  const response = await fetch(url, { headers: { cookie: cookies[0] ?? "" } });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}
