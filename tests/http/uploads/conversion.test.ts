import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { cleanUpConversions, readOldFilms } from "~/features/lesson-media/conversion.server.ts";
import { conversionFaults } from "~/features/lesson-media/messages.ts";
import type { PlayableMedia } from "~/features/player/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { sampleFile, startUploadSite, type UploadSite, upload } from "../../support/uploads.ts";

const ffmpeg = "/usr/bin/ffmpeg";
const hasFfmpeg = existsSync(ffmpeg);
const patient = { timeout: 90_000, interval: 100 };

let site: UploadSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function open(kind: "local" | "s3" = "local", ffmpegPath = ffmpeg) {
  site = await startUploadSite(kind, { FFMPEG_PATH: ffmpegPath });
  return site;
}

/** A film of HEVC in a .mov, as a phone records it, 1440 pixels wide when it stands. */
function phoneFilm(seconds: number): Buffer {
  const file = path.join(temporaryFolder(), "phone.mov");
  const picture = `testsrc2=s=1440x2560:r=15:d=${seconds}`;
  execFileSync(ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", `sine=d=${seconds}`],
    ...["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"],
    ...["-tag:v", "hvc1", "-metadata", "location=+48.1+11.5/", "-c:a", "aac", file],
  ]);
  return readFileSync(file);
}

/** A program that stands in for ffmpeg. */
function program(text: string): string {
  const file = path.join(temporaryFolder(), "program");
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

const rowsOf = ({ services }: UploadSite, filmId: string) =>
  services.db.read
    .selectFrom("mediaFiles")
    .select(["bucket", "key", "rendition", "videoCodec", "audioCodec", "width", "height"])
    .select(["size", "durationMs", "lessonId"])
    .where("renditionOf", "=", filmId)
    .orderBy("rendition")
    .execute();

const work = ({ services }: UploadSite, filmId: string) =>
  services.db.read.selectFrom("outbox").selectAll().where("id", "=", filmId).executeTakeFirst();

const leftOf = ({ services }: UploadSite) => {
  const folder = path.join(services.config.dataDir, "converting");
  return existsSync(folder) ? readdirSync(folder) : [];
};

const finished = (of: UploadSite, filmId: string) =>
  vi.waitFor(
    async () => expect(await work(of, filmId)).toMatchObject({ finishedAt: expect.any(Date) }),
    patient,
  );

describe.skipIf(!hasFfmpeg)("a film that the site converts (needs /usr/bin/ffmpeg)", () => {
  test.each(["local", "s3"] as const)("%s: is played in its editions", patient, async (kind) => {
    const of = await open(kind);
    const { services, to } = of;
    const filmId = await upload(phoneFilm(1), { ...to, fileName: "Rose garden.mov" });
    expect((await of.panel()).video.stored).toMatchObject({
      convertedPercent: expect.any(Number),
      warning: null,
    });
    const panel = await vi.waitFor(async () => {
      const asked = await of.panel();
      expect(asked.video.stored).toMatchObject({ convertedPercent: null });
      return asked;
    }, patient);
    // The page asks no more then.
    expect(panel).toMatchObject({
      poster: expect.anything(),
      video: { stored: { warning: null } },
    });
    await finished(of, filmId);
    expect(await rowsOf(of, filmId)).toMatchObject(
      [
        { rendition: "1080p", videoCodec: /^avc1\.64/, width: 1080, height: 1920, lessonId: null },
        { rendition: "480p", videoCodec: /^avc1\.64/, width: 480, height: 854 },
        { rendition: "audio", videoCodec: null, audioCodec: "mp4a.40.2", bucket: "course-audio" },
      ].map(({ videoCodec, ...row }) => ({
        ...row,
        videoCodec: videoCodec && expect.stringMatching(videoCodec),
      })),
    );
    expect(panel.video.stored).toMatchObject({
      fileName: "Rose garden.mov",
      ...{ warning: null, convertedPercent: null, renditions: ["1080p", "480p", "audio"] },
    });
    expect(panel.audio.stored).toBeNull();
    expect(leftOf(of)).toEqual([]);

    const student = await createPerson(services);
    const course = await services.db.read
      .selectFrom("modules")
      .innerJoin("products", "products.id", "modules.productId")
      .select(["products.id", "products.slug"])
      .where("modules.id", "=", to.moduleId)
      .executeTakeFirstOrThrow();
    await enroll(services, { userId: student.id, productId: course.id });
    const played = async (query: string, headers: Record<string, string> = {}) => {
      const address = `/courses/${course.slug}/learn/media?lesson=lesson-1-1${query}`;
      const { video } = (await (
        await of.ask(address, { as: student, headers })
      ).json()) as PlayableMedia;
      const response = await fetch(new URL(video?.url ?? "", of.url));
      return Buffer.from(await response.arrayBuffer());
    };
    const sizes = Object.fromEntries(
      (await rowsOf(of, filmId)).map((row) => [row.rendition, row.size]),
    );
    const film = await played("");
    expect(film).toHaveLength(sizes["1080p"] ?? 0);
    // The index is first, and nothing tells where it was filmed.
    expect(film.subarray(0, 60).toString("latin1")).toMatch(/^....ftyp.*moov/s);
    expect(film.includes("+48.1")).toBe(false);
    expect(await played("", { "sec-ch-ua-mobile": "?1" })).toHaveLength(sizes["480p"] ?? 0);
    expect(await played("&listen=on")).toHaveLength(sizes.audio ?? 0);
    const forCoach = await fetch(`${of.url}/admin/lessons/${to.lessonId}/media?play=video`, {
      headers: { cookie: to.cookie },
    });
    expect(Buffer.from(await forCoach.arrayBuffer())).toHaveLength(sizes["1080p"] ?? 0);
  });

  test(
    "a copied lesson has it converted, and the first one, with another film by now, no still of it",
    patient,
    async () => {
      const of = await open("local", program(`sleep 1; exec ${ffmpeg} "$@"`));
      const filmId = await upload(sampleFile("hevc.mov"), { ...of.to, fileName: "film.mov" });
      await createCourse(of.services, [[{ muxPlaybackId: await of.keyOf() }]]);
      await upload(sampleFile("film.mp4"), of.to);
      await finished(of, filmId);
      expect(await rowsOf(of, filmId)).toHaveLength(3);
      expect((await of.panel()).poster).toBeNull();
    },
  );

  test("one that plays everywhere is left alone", async () => {
    const of = await open();
    const filmId = await upload(sampleFile("film.mp4"), of.to);
    expect(await work(of, filmId)).toBeUndefined();
  });

  test("one that is damaged stays, and the panel says so", patient, async () => {
    const of = await open();
    const film = Buffer.from(sampleFile("hevc.mov"));
    const data = film.indexOf("mdat");
    const size = film.readUInt32BE(data - 4);
    film.fill(7, data + 4, data - 4 + size);
    const filmId = await upload(film, { ...of.to, fileName: "film.mov" });
    await vi.waitFor(
      async () => expect(await work(of, filmId)).toMatchObject({ failedAt: expect.any(Date) }),
      patient,
    );
    expect((await of.panel()).video.stored).toMatchObject({
      ...{ fileName: "film.mov", size: film.length, renditions: [], convertedPercent: null },
      warning: conversionFaults.damaged,
    });
    const stored = await of.services.storage.find("course-videos", await of.keyOf());
    expect(stored?.size).toBe(film.length);
    expect(leftOf(of)).toEqual([]);
  });
});

describe("a conversion by the site", () => {
  test("ends when the film is replaced, and leaves nothing", patient, async () => {
    const of = await open("local", program("exec sleep 60"));
    const filmId = await upload(sampleFile("hevc.mov"), { ...of.to, fileName: "film.mov" });
    await vi.waitFor(() => expect(leftOf(of)).toEqual([filmId]), patient);
    await upload(sampleFile("film.mp4"), of.to);
    await finished(of, filmId);
    expect(await rowsOf(of, filmId)).toEqual([]);
    expect(leftOf(of)).toEqual([]);
    expect((await of.panel()).video.stored).toMatchObject({ fileName: "film.mp4", warning: null });
  });

  test("is tried three times, one at a time, without the site's secrets", patient, async () => {
    const folder = temporaryFolder();
    const of = await open(
      "local",
      program(
        `env >> ${folder}/env; echo begin >> ${folder}/log; sleep 1; echo end >> ${folder}/log; kill -9 $$`,
      ),
    );
    const film = { ...of.to, fileName: "film.mov" };
    const first = await upload(sampleFile("hevc.mov"), film);
    const second = await upload(sampleFile("hevc.mov"), { ...film, lessonId: newId() });
    await vi.waitFor(async () => {
      const rows = [await work(of, first), await work(of, second)];
      // Leases run by the same clock.
      if (rows.every((row) => !row?.leaseOwner)) of.clock.forward(60_000);
      expect(rows).toMatchObject(Array(2).fill({ attempts: 3, failedAt: expect.any(Date) }));
    }, patient);
    expect((await of.panel()).video.stored?.warning).toEqual(conversionFaults.stopped);
    const lines = readFileSync(path.join(folder, "log"), "utf8").trim().split("\n");
    expect(lines).toEqual(Array(6).fill(["begin", "end"]).flat());
    expect(readFileSync(path.join(folder, "env"), "utf8")).not.toMatch(/DATA_DIR|SECRET|HOME=/);
  });

  test("is tried again when the site was killed in the middle of it", patient, async () => {
    const of = await open("local", program("sleep 1; exit 1"));
    const filmId = await upload(sampleFile("hevc.mov"), { ...of.to, fileName: "film.mov" });
    await vi.waitFor(() => expect(leftOf(of)).toEqual([filmId]), patient);
    await vi.waitFor(
      async () => expect(await work(of, filmId)).toMatchObject({ failedAt: expect.any(Date) }),
      patient,
    );
    // As another process leaves it that is gone: its lease ends, and its folder is there still.
    const folder = path.join(of.services.config.dataDir, "converting", filmId);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "film.mp4"), "half");
    const crashed = { failedAt: null, failure: null, attempts: 0, leaseOwner: "gone" };
    await of.services.db.write
      .updateTable("outbox")
      .set({ ...crashed, leasedUntilAt: new Date(of.clock.now().getTime() - 1) })
      .where("id", "=", filmId)
      .execute();
    await cleanUpConversions.run(of.services);
    await vi.waitFor(
      async () =>
        expect(await work(of, filmId)).toMatchObject({
          ...{ interruptions: 1, attempts: 2, failedAt: expect.any(Date) },
        }),
      patient,
    );
    expect(leftOf(of)).toEqual([]);
    expect((await of.panel()).video.stored?.warning).toEqual(conversionFaults.damaged);
  });

  test("is made up for: films that came before are read once, and converted", async () => {
    const of = await open("local", program("exec sleep 60"));
    const films = await Promise.all(
      [sampleFile("hevc.mov"), sampleFile("film.mp4"), sampleFile("film.webm")].map((film, n) =>
        upload(film, {
          ...{ ...of.to, lessonId: newId() },
          fileName: ["film.mov", "film.mp4", "film.webm"][n] ?? "",
        }),
      ),
    );
    const { write } = of.services.db;
    await write.deleteFrom("outbox").where("kind", "=", "media.convert").execute();
    const forgotten = { videoCodec: null, width: null, height: null, convertedPercent: null };
    await write.updateTable("mediaFiles").set(forgotten).where("id", "in", films).execute();
    const [, , lost = ""] = films;
    const { key } = await write
      .selectFrom("mediaFiles")
      .select("key")
      .where("id", "=", lost)
      .executeTakeFirstOrThrow();
    await of.services.storage.remove("course-videos", key);
    await readOldFilms.run(of.services);
    const rows = write
      .selectFrom("mediaFiles")
      .select(["videoCodec", "height", "convertedPercent"]);
    expect(await rows.where("id", "in", films).orderBy("height", "desc").execute()).toMatchObject(
      expect.arrayContaining([
        { videoCodec: expect.stringMatching(/^hev1/), height: 180, convertedPercent: 0 },
        { videoCodec: expect.stringMatching(/^avc1/), height: 36, convertedPercent: null },
        { videoCodec: "", height: null, convertedPercent: null },
      ]),
    );
  });

  test("what a crash left of it is removed once it is not to be done", async () => {
    const of = await open("local", program("exit 1"));
    mkdirSync(path.join(of.services.config.dataDir, "converting", newId()), { recursive: true });
    await cleanUpConversions.run(of.services);
    expect(leftOf(of)).toEqual([]);
  });
});
