import { writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { projectRoot } from "~/platform/utils/version.ts";
import { freePort } from "../support/port.ts";
import { rawRequest } from "../support/raw-request.ts";
import { askAgain } from "./ask-again.ts";
import { type Figure, kb, ms, noBar, perSecond, times } from "./figure.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./measure.ts";
import { startNginx } from "./nginx.ts";
import { type BenchServer, startProgram } from "./server.ts";
import { benchFolder } from "./world.ts";

const rounds = 7;
const seconds = 1.5;
const width = 50;
const rateBar = 0.4;
const waitBar = 4;
const zipped = { "accept-encoding": "gzip" };

/** A public page out of memory against nginx, which has the very bytes as a file, in turns. */
export async function memory(site: BenchServer): Promise<Figure[]> {
  const what = "public page from memory, against nginx with the same bytes as a file";
  const { bytes, headers } = await page(site.url, "/");
  if (!String(headers["cache-control"]).startsWith("public")) throw new Error("not from memory");
  const folder = benchFolder();
  writeFileSync(path.join(folder, "page.html.gz"), bytes);
  writeFileSync(path.join(folder, "page.html"), gunzipSync(bytes));
  // It may keep the file open, which spares it the way through the file system.
  const nginx = await startNginx(
    folder,
    "gzip_static on; open_file_cache max=10; types { text/html html; }",
  );
  if (!nginx)
    return [{ what, measured: "left out: there is no nginx here", bar: "40 %", met: null }];
  if (!(await page(nginx.url, "/page.html")).bytes.equals(bytes))
    throw new Error("nginx sends other bytes");

  const bare = await startBare(path.join(folder, "page.html.gz"));
  const ask = (url: string, { pid }: { pid: number }) =>
    askAgain(new URL(url), zipped, { width, seconds, pid });
  const own: LoadResult[] = [];
  const other: LoadResult[] = [];
  const node: LoadResult[] = [];
  for (let round = 0; round <= rounds; round++) {
    const results = [
      await ask(new URL("/", site.url).href, site),
      await ask(new URL("/page.html", nginx.url).href, nginx),
      await ask(bare.url, bare),
    ] as const;
    // The first round only warms up.
    if (round === 0) continue;
    own.push(results[0]);
    other.push(results[1]);
    node.push(results[2]);
  }
  await Promise.all([nginx.stop(), bare.stop()]);
  const rate = (list: LoadResult[]) => median(list.map(({ perCore }) => perCore));
  const wait = (list: LoadResult[]) => median(list.map(({ p99 }) => p99));
  const share = rate(own) / rate(other);
  const ratio = wait(own) / wait(other);
  return [
    {
      what: `${what}: ${kb(bytes.length)} gzip, ${width} in flight`,
      measured: `${Math.round(share * 100)} % (${perSecond(rate(own))} a core, nginx ${perSecond(rate(other))})`,
      bar: `${rateBar * 100} %`,
      met: share >= rateBar,
    },
    noBar(
      "the same bytes from a bare node:http, against nginx",
      `${Math.round((rate(node) / rate(other)) * 100)} % (${perSecond(rate(node))} a core): ours is ${Math.round((rate(own) / rate(node)) * 100)} % of it`,
    ),
    {
      what: "the same, p99",
      measured: `${times(ratio)} (${ms(wait(own))}, nginx ${ms(wait(other))})`,
      bar: `${waitBar} x`,
      met: ratio <= waitBar,
    },
  ];
}

async function startBare(file: string) {
  const port = String(await freePort());
  const script = path.join(projectRoot, "tests", "bench", "bare-server.ts");
  const program = startProgram(process.execPath, [script, port, file]);
  const url = `http://127.0.0.1:${port}/`;
  while (!(await fetch(url).catch(() => null)));
  return { ...program, url };
}

async function page(url: string, address: string) {
  const ask = () => rawRequest(url, { path: address, headers: zipped });
  await ask();
  const { status, headers, bytes } = await ask();
  if (status !== 200 || headers["content-encoding"] !== "gzip")
    throw new Error(`${url}${address}: ${status}`);
  return { headers, bytes };
}
