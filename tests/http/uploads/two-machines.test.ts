import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { openSite } from "../../../build/server/index.js";
import { testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { startFickleWire } from "../../support/fickle-wire.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { startS3 } from "../../support/s3.ts";
import { filmOf, upload, uploadUntil } from "../../support/uploads.ts";

const size = 25_000_000;
const film = filmOf(size, (room) => {
  for (let at = 0; at + 4 <= room.length; at += 4) room.writeUInt32LE(at, at);
});
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

// One database and one store for several machines: that is PostgreSQL and S3.
describe.runIf(process.env.TEST_DATABASE_URL)("an upload between two machines", () => {
  test("goes on at the other, which the first one makes way for", { timeout: 90_000 }, async () => {
    const [database, s3] = [await freshDatabase(), await startS3()];
    const configs = [
      await testConfig(database.url, s3.env),
      await testConfig(database.url, s3.env),
    ] as const;
    const [one, other] = [await openSite(configs[0]), await openSite(configs[1])];
    const wire = await startFickleWire("127.0.0.1", configs[0].port);
    try {
      const course = await createCourse(one.services, [[{}]]);
      const coach = await createPerson(one.services, { role: "admin" });
      const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
      const to = {
        cookie: await cookieOf(one.services, coach.id),
        moduleId: course.modules[0]?.id ?? "",
        lessonId,
      };
      const at = (config: (typeof configs)[number], port = config.port) => ({
        ...to,
        origin: config.appUrl,
        url: `http://127.0.0.1:${port}`,
      });
      await new Promise<void>((resolve) => {
        // The first machine holds the upload, and is not told that nobody sends any more.
        void uploadUntil(film, at(configs[0], wire.port), {
          uploadId: null,
          sent: size / 2,
          harm: () => {
            wire.falter();
            resolve();
          },
        });
      });
      const [open] = (await listLessonMedia(other.services, lessonId)).uploads;
      const there = at(configs[1]);
      await upload(film, there, { uploadUrl: `${there.url}/uploads/${open?.id}` });
      const { video } = await listLessonMedia(other.services, lessonId);
      const file = await other.services.storage.open("course-videos", video.key ?? "");
      expect(sha((await file?.read(0, size)) ?? new Uint8Array())).toBe(sha(film));
    } finally {
      await wire.close();
      await Promise.all([one.close(), other.close()]);
      await s3.close();
      await database.drop();
      for (const { dataDir } of configs) rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
