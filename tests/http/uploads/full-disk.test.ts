import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { uploadRefusals } from "~/features/lesson-media/messages.ts";
import { temporaryFolder, testConfig } from "../../support/config.ts";
import { withServices } from "../../support/services.ts";
import {
  announce,
  askUpload,
  beginUpload,
  filmOf,
  refusalOf,
  upload,
  uploadingTo,
} from "../../support/uploads.ts";

const diskBytes = 300 * 1024 * 1024;
const root = path.join(import.meta.dirname, "..", "..", "..");

/** Whether this system gives a process a disk of its own: a namespace, for root or anybody. */
const canMount =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** The site with a small disk for its DATA_DIR, which is filled with what was `prepared`. */
async function startOnSmallDisk(prepared: string, port: number) {
  const disk = temporaryFolder();
  const script = [
    `mount -t tmpfs -o size=${diskBytes} tmpfs "$DATA_DIR"`,
    `cp -a "$PREPARED/." "$DATA_DIR/"`,
    `exec "$NODE" scripts/start.ts --built`,
  ].join(" && ");
  const child = spawn("unshare", ["-rm", "sh", "-c", script], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      DATA_DIR: disk,
      PREPARED: prepared,
      PORT: String(port),
      SAMPLE_CONTENT: "off",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(said)));
    child.stdout.on("data", (words) => {
      said += String(words);
      if (/^Blue Dot is at/m.test(said)) resolve();
    });
  });
  return {
    said: () => said,
    /** The disk as the site sees it. */
    folder: path.join("/proc", String(child.pid), "root", disk),
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      rmSync(disk, { recursive: true, force: true });
    },
  };
}

/** Takes what is left of the disk that a file is on. */
function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (let piece = Buffer.alloc(1024 * 1024); piece.length > 0; )
      try {
        writeSync(handle, piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        piece = piece.subarray(0, piece.length >> 1);
      }
  } finally {
    closeSync(handle);
  }
}

describe.runIf(!process.env.TEST_DATABASE_URL)("a disk that is full", () => {
  test("is reported before and in the middle of an upload, of which nothing stays", {
    timeout: 120_000,
  }, async (context) => {
    if (!canMount) context.skip("this system gives tests no disk of their own (unshare -rm)");
    const config = await testConfig(undefined);
    const to = await withServices(config, (services) =>
      uploadingTo(services, `http://127.0.0.1:${config.port}`),
    );
    const site = await startOnSmallDisk(config.dataDir, config.port);
    try {
      const uploads = path.join(site.folder, "uploads");
      const ballast = path.join(site.folder, "ballast");
      const free = () => {
        const { bavail, bsize } = statfsSync(site.folder);
        return bavail * bsize;
      };

      const full = { status: 507, said: uploadRefusals.diskFull };

      // More than there is without the part that stays free.
      const early = await beginUpload(to, 150e6);
      expect({ status: early.status, said: await early.text() }).toEqual(full);
      // What is promised to one is not promised to another.
      expect((await beginUpload(to, 60e6)).status).toBe(201);
      expect((await beginUpload(to, 60e6)).status).toBe(507);

      const film = filmOf(30e6);
      const onward = (address: string) => {
        const uploadUrl = new URL(address, to.url).href;
        return refusalOf(upload(film, to, { uploadUrl, endpoint: null }));
      };
      const address = await announce(to, film.length);
      writeFileSync(ballast, Buffer.alloc(free() - 20e6));
      const before = free();
      expect(await onward(address), site.said()).toEqual(full);
      expect(readdirSync(uploads)).toHaveLength(1);
      expect(Math.abs(free() - before)).toBeLessThan(2e6);
      expect((await askUpload("HEAD", to, address)).status).toBe(404);
      expect((await fetch(`${to.url}/healthz`)).status).toBe(200);

      // To the last byte, with a part of a film there: not even the database can write.
      rmSync(ballast);
      const half = await announce(to, film.length);
      const body = new Uint8Array(film.subarray(0, 10e6));
      expect((await askUpload("PATCH", to, half, { offset: 0, body })).status).toBe(204);
      fill(ballast);
      expect(await onward(half)).toEqual(full);
      expect(readdirSync(uploads)).toHaveLength(1);
      // What the refused upload had written is free again.
      const more = path.join(site.folder, "more");
      fill(more);
      await vi.waitFor(
        async () => {
          const health = await fetch(`${to.url}/healthz`);
          expect([health.status, (await health.json()).database]).toEqual([503, "full"]);
        },
        { timeout: 10_000, interval: 200 },
      );
      rmSync(more);

      rmSync(ballast);
      await upload(film, to);
    } finally {
      await site.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
    }
  });
});
