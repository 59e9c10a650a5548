import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { newId } from "~/platform/db/ids.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { command, refused, storedFiles } from "../../support/media-stores.ts";
import { createPerson } from "../../support/people.ts";
import { storedPicture } from "../../support/pictures.ts";
import { startS3 } from "../../support/s3.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let s3: Awaited<ReturnType<typeof startS3>>;
const dataDir = temporaryFolder();
let env: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
  s3 = await startS3();
  env = {
    DATA_DIR: dataDir,
    ...(database.url ? { DATABASE_URL: database.url, AUTH_SECRET: "s".repeat(32) } : {}),
  };
});
afterAll(async () => {
  await s3.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const services = () => openServices(loadConfig({ ...env, LOG_LEVEL: "silent" }));

describe("npm run media:move", { timeout: 120_000 }, () => {
  test("copies what lessons name to the store, once, and what comes later with the next run", async () => {
    const site = await services();
    await site.storage.prepare();
    const source = path.join(temporaryFolder(), "film.mp4");
    const put = async (key: string) => {
      writeFileSync(source, randomBytes(5_000_000));
      await site.storage.putFile("course-videos", key, source);
    };
    const keys = { muxPlaybackId: "m/one film.mp4", audioKey: "m/none.mp3" };
    const course = await createCourse(site, [[keys, { muxPlaybackId: "m/two.mp4" }]]);
    await put("m/one film.mp4");
    await storedPicture(site, null);
    const coach = await createPerson(site, { role: "admin" });
    await site.db.write
      .insertInto("uploads")
      .values({
        ...{ id: newId(), bucket: "course-videos", key: "m/going.mp4", fileName: "f", size: 9 },
        ...{ lessonId: course.modules[0]?.lessons[0]?.id ?? "", userId: coach.id },
        createdAt: site.clock.now(),
      })
      .execute();
    expect(await refused(env, "media:move")).toMatch(/^S3_ENDPOINT is not set/);
    const first = await command({ ...env, ...s3.env }, "media:move");
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/^3 files copied to the store and read back, 0 were there already\./);
    expect(first.err.split("\n").sort()).toEqual([
      "1 uploads are not finished: wait for them, or they begin again.",
      "course-audio/m/none.mp3 is in neither place; the site has no such file now either.",
      "course-videos/m/two.mp4 is in neither place; the site has no such file now either.",
    ]);
    await put("m/two.mp4");
    const second = await command({ ...env, ...s3.env }, "media:move");
    expect(second.out).toMatch(
      /^1 files copied to the store and read back, 3 were there already\./,
    );
    const [here, there] = [await storedFiles(env), await storedFiles({ ...env, ...s3.env })];
    expect(Object.keys(here)).toHaveLength(4);
    expect(there).toEqual(here);
    await closeServices(site);
  });
});

const canMount =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe.runIf(!process.env.TEST_DATABASE_URL)("a backup on a disk that is full", () => {
  test("says so, and leaves those that are there", { timeout: 60_000 }, async (context) => {
    if (!canMount) context.skip("this system gives tests no disk of their own (unshare -rm)");
    const disk = temporaryFolder();
    const backup = `"$NODE" scripts/command.ts backup "$DISK" 2>&1; echo "code $?"; ls "$DISK"`;
    const steps = [
      ...['mount -t tmpfs -o size=9M tmpfs "$DISK"', backup],
      ...['rm -f "$DATA_DIR/media/course-videos/m/two.mp4"', backup],
      ...['cat /dev/zero > "$DISK/ballast" 2>/dev/null', backup],
    ];
    const script = steps.join("\n");
    const child = spawn("unshare", ["-rm", "sh", "-c", script], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, NODE: process.execPath, DATA_DIR: dataDir, DISK: disk },
    });
    let said = "";
    child.stdout.on("data", (words) => {
      said += String(words);
    });
    await new Promise((resolve) => child.once("close", resolve));
    const lines = said.trim().split("\n");
    const full = `There is no room in ${disk}: no backup was made. Older ones are as they were.`;
    // Two films of 5 MB do not fit, one does, and then not even the database.
    expect(lines.slice(0, 3)).toEqual([full, "code 1", "lock"]);
    expect(lines.slice(6, 8), said).toEqual(["code 0", expect.stringMatching(/^2.*Z$/)]);
    expect(lines.slice(9), said).toEqual([full, "code 1", lines[7], "ballast", "lock"]);
    expect(readdirSync(disk)).toEqual([]);
  });
});
