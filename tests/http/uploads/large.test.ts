import { readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import { signMediaUrl } from "~/platform/storage/signature.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { diskFolder, testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startServing } from "../../support/process.ts";
import { beginUpload, sampleFile } from "../../support/uploads.ts";

const size = 2_000_000_000;
/** The film once (it is moved, never copied), what the site leaves free, and room for others. */
const neededBytes = size + 500e6;
/** Of the site's process, over what it had before, in MiB. All of the film would be 1907. */
const bar = 150;

/**
 * Without room for the film there is nothing to be seen: said aloud where somebody tries it at
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
      const services = await openServices(config);
      const course = await createCourse(services, [[{}]]);
      const coach = await createPerson(services, { role: "admin" });
      const cookie = await cookieOf(services, coach.id);
      await closeServices(services);
      const site = await startServing({ DATA_DIR: config.dataDir, PORT: String(config.port) });
      const pid = site.child.pid ?? 0;
      const url = `http://127.0.0.1:${site.port}`;
      let highest = 0;
      const taken: number[] = [];
      const watch = setInterval(() => {
        highest = Math.max(highest, resident(pid));
        taken.push(bytesIn(config.dataDir));
      }, 50);
      try {
        const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
        const to = {
          url,
          cookie,
          origin: site.url,
          moduleId: course.modules[0]?.id ?? "",
          lessonId,
        };
        const begun = await beginUpload(to, size);
        expect(begun.status).toBe(201);
        const before = resident(pid);
        const status = await patch(url, begun.headers.get("location") ?? "", to);
        expect(status).toBe(204);
        expect(Math.round(highest - before)).toBeLessThan(bar);

        const key = keyOf(config.dataDir, lessonId);
        const address = signMediaUrl(config.authSecret, "course-videos", key, new Date());
        const ask = (range: string) => fetch(url + address, { headers: { range } });
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

function patch(
  url: string,
  location: string,
  { cookie, origin }: { cookie: string; origin: string },
) {
  return new Promise<number>((resolve, reject) => {
    const going = request(new URL(location, url), {
      method: "PATCH",
      headers: {
        cookie,
        origin,
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
        "content-length": String(size),
      },
    });
    going.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    pipeline(Readable.from(film()), going).catch(reject);
  });
}

/** As the running site has written it down. */
function keyOf(dataDir: string, lessonId: string): string {
  const db = new DatabaseSync(path.join(dataDir, "site.db"), { readOnly: true });
  const row = db.prepare("select mux_playback_id as key from lessons where id = ?").get(lessonId);
  db.close();
  return String(row?.key);
}
