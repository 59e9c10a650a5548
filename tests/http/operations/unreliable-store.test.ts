import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { command, folderPlace, type Place, ran, refused } from "../../support/media-stores.ts";
import { type Fault, startS3 } from "../../support/s3.ts";

// Which database it is makes no difference here.
describe("copies of a site whose store falters", { timeout: 180_000 }, () => {
  let place: Place;
  let s3: Awaited<ReturnType<typeof startS3>>;
  let env: Record<string, string>;
  const folder = temporaryFolder();
  const film = path.join(temporaryFolder(), "film.mp4");

  beforeAll(async () => {
    [place, s3] = [await folderPlace(), await startS3()];
    env = { ...place.env, ...s3.env };
    writeFileSync(film, Buffer.from(Array.from({ length: 6_000_000 }, (_, n) => (n * 7919) % 251)));
    const services = await openServices(loadConfig({ ...env, LOG_LEVEL: "silent" }));
    await services.storage.prepare();
    const names = ["m/one.mp4", "m/two.mp4"];
    await createCourse(services, [names.map((muxPlaybackId) => ({ muxPlaybackId }))]);
    for (const name of names) await services.storage.putFile("course-videos", name, film);
    await closeServices(services);
  });
  afterAll(async () => {
    await s3.close();
    await place.drop();
  });

  /** Answers questions about a file wrongly, in this order, and then rightly. */
  function falter(faults: Record<string, Fault[]>) {
    const left = structuredClone(faults);
    s3.breakAt(({ method = "", url = "" }: IncomingMessage) =>
      url.includes("/m/two.mp4") ? left[method]?.shift() : undefined,
    );
    return left;
  }
  const backups = () => readdirSync(folder).filter((name) => name !== "lock");

  test("are finished, whatever passes", async () => {
    const left = falter({
      HEAD: ["silence", 503, 503, 503, 503, "break", "break", "break", "break"],
      GET: ["break", 500, 503, 500, "break"],
      PUT: ["break", 503, 500, "break"],
    });
    await ran(env, "backup", folder);
    expect([left.HEAD, left.GET]).toEqual([[], []]);
    const backup = path.join(folder, backups().at(-1) ?? "");
    const copy = readFileSync(path.join(backup, "media/course-videos/m/two.mp4"));
    expect(copy.equals(readFileSync(film))).toBe(true);

    const there = await folderPlace();
    const other = { ...there.env, ...s3.env, S3_BUCKET_PREFIX: "other-" };
    await ran(other, "restore", backup);
    expect(left.PUT).toEqual([]);
    expect(s3.contents("other-course-videos")?.keys).toEqual(["m/one.mp4", "m/two.mp4"]);

    s3.breakAt(({ url = "" }) => (/list-type|uploads/.test(url) ? "break" : undefined));
    const third = {
      ...there.env,
      ...s3.env,
      S3_BUCKET_PREFIX: "third-",
      DATA_DIR: temporaryFolder(),
    };
    expect(await refused(third, "restore", backup)).toMatch(
      /^The store does not say what is in it \(.+\)\. Nothing was changed\./,
    );
    await there.drop();
  });

  test.each<[string, Fault, RegExp]>([
    [
      "does not pass",
      "break",
      /^No backup was made\. The store was asked for course-videos\/m\/two\.mp4 6 times, and failed each time \(.+\)\./,
    ],
    [
      "is meant",
      403,
      /^No backup was made\. The store refuses course-videos\/m\/two\.mp4 \(status 403\)\./,
    ],
  ])(
    "end with the name of the file where a fault %s, and leave nothing behind",
    async (_, fault, why) => {
      const before = backups();
      s3.breakAt(({ method, url = "" }) =>
        method === "HEAD" && url.includes("/m/two.mp4") ? fault : undefined,
      );
      const end = await command(env, "backup", folder);
      expect(end).toMatchObject({ code: 1, out: "", err: expect.stringMatching(why) });
      expect(backups()).toEqual(before);
    },
  );
});
