import { readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { signMediaUrl } from "~/platform/storage/signature.ts";
import { diskFolder, testConfig } from "../../support/config.ts";
import { startServing } from "../../support/process.ts";
import { withServices } from "../../support/services.ts";
import { announce, askUpload, sampleFile, uploadingTo } from "../../support/uploads.ts";

const size = 2_000_000_000;
/** The film once (it is moved, never copied), what the site leaves free, and room for others. */
const neededBytes = size + 500e6;
/** Of the site's process, over what it had before, in MiB. All of the film would be 1907. */
const bar = 150;

/**
 * Without room for the film there is nothing to be seen: said aloud where someone tries it at
 * home, and a failure where the whole is tested.
 */
function needRoom(skip: (why: string) => never): void {
  const disk = path.dirname(diskFolder());
  const { bavail, bsize } = statfsSync(disk);
  const inGb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  if (bavail * bsize >= neededBytes) return;
  const why = `a film of two gigabytes needs ${inGb(neededBytes)} in ${disk}; ${inGb(bavail * bsize)} are free`;
  if (process.env.CI) throw new Error(`${why}. Make room, or set TMPDIR to another disk.`);
  process.stderr.write(`NOT TESTED: ${why}\n`);
  skip(why);
}

/** A film that can be played, and room that players skip: two gigabytes, none of them in memory. */
function* film() {
  const start = sampleFile("film.mp4");
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size - start.length, 0);
  head.write("free", 4, "latin1");
  yield start;
  yield head;
  const zeros = Buffer.alloc(1024 * 1024);
  for (let left = size - start.length - head.length; left > 0; left -= zeros.length)
    yield left < zeros.length ? zeros.subarray(0, left) : zeros;
}

/** What a folder takes of its disk. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true })) {
    const file = statSync(path.join(folder, String(entry)), { throwIfNoEntry: false });
    bytes += (file?.blocks ?? 0) * 512;
  }
  return bytes;
}

/** Resident memory of a process, in MiB. */
function resident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

// The bytes go the same way whatever the database is.
describe.runIf(!process.env.TEST_DATABASE_URL && process.platform === "linux")(
  "a film of two gigabytes",
  () => {
    test("is taken in flat memory, and given out in ranges", { timeout: 300_000 }, async ({
      skip,
    }) => {
      needRoom(skip);
      const config = await testConfig(undefined, { DATA_DIR: diskFolder() });
      const url = `http://127.0.0.1:${config.port}`;
      const to = await withServices(config, (services) => uploadingTo(services, url));
      const site = await startServing({ DATA_DIR: config.dataDir, PORT: String(config.port) });
      const pid = site.child.pid ?? 0;
      let highest = 0;
      const taken: number[] = [];
      const watch = setInterval(() => {
        highest = Math.max(highest, resident(pid));
        taken.push(bytesIn(config.dataDir));
      }, 50);
      try {
        const address = await announce(to, size);
        const before = resident(pid);
        const body = Readable.toWeb(Readable.from(film())) as ReadableStream;
        const answer = await askUpload("PATCH", to, address, { offset: 0, body });
        expect(answer.status).toBe(204);
        expect(Math.round(highest - before)).toBeLessThan(bar);

        const key = keyOf(config.dataDir, to.lessonId);
        const media = signMediaUrl(config.authSecret, "course-videos", key, new Date());
        const ask = (range: string) => fetch(url + media, { headers: { range } });
        const first = await ask("bytes=0-999");
        expect(first.headers.get("content-range")).toBe(`bytes 0-999/${size}`);
        expect(Buffer.from(await first.arrayBuffer())).toEqual(
          sampleFile("film.mp4").subarray(0, 1000),
        );
        const last = await ask(`bytes=${size - 10}-`);
        expect(last.headers.get("content-range")).toBe(`bytes ${size - 10}-${size - 1}/${size}`);
        expect(Buffer.from(await last.arrayBuffer())).toEqual(Buffer.alloc(10));
        expect(Math.max(...taken)).toBeLessThan(neededBytes);
      } finally {
        clearInterval(watch);
        await site.kill("SIGKILL");
        rmSync(config.dataDir, { recursive: true, force: true });
      }
    });
  },
);

/** As the running site has written it down. */
function keyOf(dataDir: string, lessonId: string): string {
  const db = new DatabaseSync(path.join(dataDir, "site.db"), { readOnly: true });
  const row = db.prepare("select mux_playback_id as key from lessons where id = ?").get(lessonId);
  db.close();
  return String(row?.key);
}
