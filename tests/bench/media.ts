import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { type Figure, mb, ms } from "./figure.ts";
import { median } from "./measure.ts";
import { startNginx } from "./nginx.ts";
import { askRanges, openStreams } from "./ranges.ts";
import type { BenchServer } from "./server.ts";
import type { World } from "./world.ts";

const fileMb = 200;
const bar = 0.5;
const rounds = 5;
const key = "bench.mp4";

/** Ranges of 1 MiB against nginx on the same file, and memory while fifty watch. */
export async function media({ services, dataDir }: World, site: BenchServer): Promise<Figure[]> {
  const folder = path.join(dataDir, "media", "course-videos");
  writeVideo(folder);
  const ours = new URL(
    await services.storage.signedUrl("course-videos", key, new Date()),
    site.url,
  );
  const figures = [await against(site, ours, folder)];
  const { before, most } = await openStreams(ours, site.pid, 50);
  figures.push({
    what: "media: resident memory of the site at 50 streams of the whole file",
    measured: `${mb(most)} at most, ${mb(before)} before`,
    bar: "flat (50 MB more at most)",
    met: most - before <= 50,
  });
  return figures;
}

async function against(site: BenchServer, ours: URL, folder: string): Promise<Figure> {
  const figure = { what: `media: 1 MiB ranges of a ${fileMb} MB file, of nginx`, bar: "50 %" };
  const nginx = await startNginx(folder);
  if (!nginx) return { ...figure, measured: "left out: there is no nginx here", met: null };
  const theirs = new URL(key, nginx.url);
  await askRanges(ours, site.pid, 1);
  await askRanges(theirs, nginx.pid, 1);
  const [own, other] = [[] as number[], [] as number[]];
  for (let round = 0; round < rounds; round++) {
    own.push(await askRanges(ours, site.pid, 1.5));
    other.push(await askRanges(theirs, nginx.pid, 1.5));
  }
  await nginx.stop();
  const share = median(other) / median(own);
  return {
    ...figure,
    measured: `${Math.round(share * 100)} % (${ms(median(own))} of processor time a range, nginx ${ms(median(other))})`,
    met: share >= bar,
  };
}

function writeVideo(folder: string) {
  mkdirSync(folder, { recursive: true });
  const file = openSync(path.join(folder, key), "w");
  const piece = Buffer.alloc(1024 * 1024, "grief coach ");
  for (let n = 0; n < fileMb; n++) writeSync(file, piece);
  closeSync(file);
}
