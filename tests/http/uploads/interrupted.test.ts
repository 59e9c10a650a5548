import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { finishUpload } from "~/features/lesson-media/uploads.server.ts";
import type { Config } from "~/platform/config/config.ts";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { startFickleWire } from "../../support/fickle-wire.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startServing } from "../../support/process.ts";
import { seededRandom } from "../../support/random.ts";
import { startS3 } from "../../support/s3.ts";
import { startSite } from "../../support/site.ts";
import { filmOf, type Uploading, upload, uploadUntil } from "../../support/uploads.ts";

const size = 30_000_000;
const cuts = 10;
const random = seededRandom(20261122);
/** No two pieces of it are alike, so that none can stand in another's place. */
const film = filmOf(size, (room) => {
  for (let at = 0; at + 4 <= room.length; at += 4)
    room.writeUInt32LE((random() * 2 ** 32) >>> 0, at);
});
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
function endLater<T>(thing: T, end: (thing: T) => unknown): T {
  endings.push(() => end(thing));
  return thing;
}

async function coachOf(services: Services) {
  const course = await createCourse(services, [[{}]]);
  const coach = await createPerson(services, { role: "admin" });
  return {
    cookie: await cookieOf(services, coach.id),
    moduleId: course.modules[0]?.id ?? "",
    lessonId: course.modules[0]?.lessons[0]?.id ?? "",
  };
}

/** What the lesson plays, read as storage has it. */
async function lessonsFilm(services: Services, lessonId: string) {
  const { video, uploads } = await listLessonMedia(services, lessonId);
  const file = await services.storage.open("course-videos", video.key ?? "");
  const bytes = await file?.read(0, file.size);
  await file?.close();
  return { sha: bytes && sha(bytes), open: uploads.length };
}

async function storeFor(kind: "local" | "s3"): Promise<Record<string, string>> {
  if (kind === "local") return {};
  return endLater(await startS3(), (s3) => s3.close()).env;
}

describe.each(["local", "s3"] as const)("an upload into storage, %s", (kind) => {
  test("whose line is cut at random points goes on to the same bytes", {
    timeout: 120_000,
  }, async () => {
    const site = endLater(await startSite(await storeFor(kind)), (it) => it.close());
    const wire = endLater(await startFickleWire("127.0.0.1", site.services.config.port), (it) =>
      it.close(),
    );
    const to: Uploading = {
      ...(await coachOf(site.services)),
      url: `http://127.0.0.1:${wire.port}`,
      origin: site.services.config.appUrl,
    };
    let uploadId: string | null = null;
    for (let cut = 0; cut < cuts; cut += 1) {
      wire.cutAfter(2000 + Math.floor((random() * size) / cuts));
      const next = await uploadUntil(film, to, {
        uploadId,
        ...(cut % 2 && { chunkSize: 1 + Math.floor(random() * 9_000_000) }),
      });
      uploadId = next.uploadId;
      expect(next.done).toBe(false);
    }
    // The last piece of the broken line may still be on its way: then it is asked again (409).
    const retryDelays = [100, 500, 1000, 3000];
    await upload(film, to, { uploadUrl: `${to.url}/uploads/${uploadId}`, retryDelays });
    expect(await lessonsFilm(site.services, to.lessonId ?? "")).toEqual({
      sha: sha(film),
      open: 0,
    });
  });

  test("whose line falls silent goes on over another, and is not waited for", {
    timeout: 60_000,
  }, async () => {
    const site = endLater(await startSite(await storeFor(kind)), (it) => it.close());
    const wire = endLater(await startFickleWire("127.0.0.1", site.services.config.port), (it) =>
      it.close(),
    );
    const coach = await coachOf(site.services);
    const origin = site.services.config.appUrl;
    const slow = { ...coach, origin, url: `http://127.0.0.1:${wire.port}` };
    const faltered = new Promise<void>((resolve) => {
      // It never ends: nothing says that nobody listens any more.
      void uploadUntil(film, slow, {
        uploadId: null,
        sent: size / 3,
        harm: () => {
          wire.falter();
          resolve();
        },
      });
    });
    await faltered;
    const [open] = (await listLessonMedia(site.services, coach.lessonId)).uploads;
    const direct = { ...coach, origin, url: site.url };
    await upload(film, direct, { uploadUrl: `${site.url}/uploads/${open?.id}` });
    expect(await lessonsFilm(site.services, coach.lessonId)).toEqual({ sha: sha(film), open: 0 });
  });

  test("survives the site being killed at random points", { timeout: 240_000 }, async () => {
    const database = endLater(await freshDatabase(), (it) => it.drop());
    const store = await storeFor(kind);
    const config = endLater(await testConfig(database.url, store), ({ dataDir }) =>
      rmSync(dataDir, { recursive: true, force: true }),
    );
    const coach = await aside(config, coachOf);
    const env = {
      ...store,
      PORT: String(config.port),
      DATA_DIR: config.dataDir,
      ...(database.url && { DATABASE_URL: database.url, AUTH_SECRET: config.authSecret }),
    };
    const url = `http://127.0.0.1:${config.port}`;
    const to: Uploading = { ...coach, url, origin: config.appUrl };
    const kills = database.url ? 4 : 8;
    let uploadId: string | null = null;
    for (let round = 0; round < kills; round += 1) {
      const site = await startServing(env);
      // The last ones after the last byte, while the file is being looked at.
      const sent = round >= kills - 2 ? size : Math.floor(((round + random()) / kills) * size);
      const spins = Math.floor(random() * 200);
      const harm = async () => {
        for (let turn = 0; turn < spins; turn += 1) await new Promise(setImmediate);
        site.child.kill("SIGKILL");
      };
      const next = await uploadUntil(film, to, {
        uploadId,
        sent,
        harm,
        ...(round % 2 && { chunkSize: 1 + Math.floor(random() * 9_000_000) }),
      });
      uploadId = next.uploadId;
      await site.kill("SIGKILL");
    }
    const site = await startServing(env);
    const id = await upload(film, to, { uploadUrl: `${url}/uploads/${uploadId}` });
    await site.kill("SIGTERM");
    await aside(config, async (services) => {
      const { file } = await finishUpload(services, { uploadId: id, userId: null });
      expect(file.size).toBe(size);
      expect(await lessonsFilm(services, coach.lessonId)).toEqual({ sha: sha(film), open: 0 });
    });
  });
});

/** The services of a site that is not running. */
async function aside<T>(config: Config, work: (services: Services) => Promise<T>): Promise<T> {
  const services = await openServices(config);
  await services.storage.prepare();
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}
