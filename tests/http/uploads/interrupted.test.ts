import { rmSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { testConfig } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { startServing } from "../../support/process.ts";
import { seededRandom } from "../../support/random.ts";
import { startS3 } from "../../support/s3.ts";
import { withServices } from "../../support/services.ts";
import { startUnreliableProxy } from "../../support/unreliable-network.ts";
import {
  filmOf,
  sha,
  startUploadSite,
  storedFilm,
  upload,
  uploadingTo,
  uploadUntil,
} from "../../support/uploads.ts";

const size = 30_000_000;
const cuts = 10;
const random = seededRandom(20261122);
/** No two pieces of it are alike, so that none can stand in another's place. */
const film = filmOf(size, (room) => {
  for (let at = 0; at + 4 <= room.length; at += 4)
    room.writeUInt32LE((random() * 2 ** 32) >>> 0, at);
});
const whole = { sha: sha(film), open: 0 };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
function endLater<T>(thing: T, end: (thing: T) => unknown): T {
  endings.push(() => end(thing));
  return thing;
}

describe.each(["local", "s3"] as const)("an upload into storage, %s", (kind) => {
  async function startBehindWire() {
    const site = endLater(await startUploadSite(kind), (it) => it.close());
    const { port } = site.services.config;
    const wire = endLater(await startUnreliableProxy("127.0.0.1", port), (it) => it.close());
    return { site, wire, to: { ...site.to, url: `http://127.0.0.1:${wire.port}` } };
  }

  test("survives a connection that is cut at random points", { timeout: 120_000 }, async () => {
    const { site, wire, to } = await startBehindWire();
    let uploadId: string | null = null;
    for (let cut = 0; cut < cuts; cut += 1) {
      wire.cutAfter(2000 + Math.floor((random() * size) / cuts));
      const next = await uploadUntil(film, to, { uploadId, ...chunked(cut) });
      uploadId = next.uploadId;
      expect(next.done).toBe(false);
    }
    // The last piece of the broken connection may still be on its way: then it is asked again (409).
    const retryDelays = [100, 500, 1000, 3000];
    await upload(film, to, { uploadUrl: `${to.url}/uploads/${uploadId}`, retryDelays });
    expect(await storedFilm(site.services, to.lessonId)).toEqual(whole);
  });

  test("goes on over another connection when one falls silent", { timeout: 60_000 }, async () => {
    const { site, wire, to } = await startBehindWire();
    await new Promise<void>((resolve) => {
      // It never ends: nothing says that the client is gone.
      const harm = () => {
        wire.falter();
        resolve();
      };
      void uploadUntil(film, to, { uploadId: null, sent: size / 3, harm });
    });
    const [open] = (await site.panel()).video.uploads;
    await upload(film, site.to, { uploadUrl: `${site.url}/uploads/${open?.id}` });
    expect(await storedFilm(site.services, to.lessonId)).toEqual(whole);
  });

  test("survives the site being killed at random points", { timeout: 240_000 }, async () => {
    const database = endLater(await freshDatabase(), (it) => it.drop());
    const store = kind === "s3" ? endLater(await startS3(), (s3) => s3.close()).env : {};
    const config = endLater(await testConfig(database.url, store), ({ dataDir }) =>
      rmSync(dataDir, { recursive: true, force: true }),
    );
    const to = await withServices(config, (services) =>
      uploadingTo(services, `http://127.0.0.1:${config.port}`),
    );
    const env = {
      ...store,
      PORT: String(config.port),
      DATA_DIR: config.dataDir,
      ...(database.url && { DATABASE_URL: database.url, AUTH_SECRET: config.authSecret }),
    };
    const kills = database.url ? 4 : 8;
    let uploadId: string | null = null;
    for (let round = 0; round < kills; round += 1) {
      const site = await startServing(env);
      // The last ones after the last byte, while the file is being checked.
      const sent = round >= kills - 2 ? size : Math.floor(((round + random()) / kills) * size);
      const spins = Math.floor(random() * 200);
      const harm = async () => {
        for (let turn = 0; turn < spins; turn += 1) await new Promise(setImmediate);
        site.child.kill("SIGKILL");
      };
      const next = await uploadUntil(film, to, { uploadId, sent, harm, ...chunked(round) });
      uploadId = next.uploadId;
      await site.kill("SIGKILL");
    }
    const site = await startServing(env);
    await upload(film, to, { uploadUrl: `${to.url}/uploads/${uploadId}` });
    await site.kill("SIGTERM");
    const found = await withServices(config, (services) => storedFilm(services, to.lessonId));
    expect(found).toEqual(whole);
  });
});

/** Every other time in pieces of some random size. */
const chunked = (time: number) =>
  time % 2 ? { chunkSize: 1 + Math.floor(random() * 9_000_000) } : {};
