import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { storedPicture } from "../../support/pictures.ts";
import { freePort } from "../../support/port.ts";
import { start, startServing } from "../../support/process.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const folder = temporaryFolder();
const source = path.join(folder, "film.mp4");
const film = randomBytes(200_000);
writeFileSync(source, film);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("GET /courses/{slug}/learn, media in S3", () => {
  let s3: S3Server;
  let site: TestSite;
  let course: TestCourse;
  let student: Person;
  const lesson = async (slug: string, as: Person | null = student) => {
    const response = await site.ask(`/courses/${course.slug}/learn?lesson=${slug}`, { as });
    return { response, html: (await response.text()).replaceAll("&amp;", "&") };
  };
  /** Addresses of the store in a page, as they stand in its markup. */
  const addresses = (html: string) =>
    [...html.matchAll(/src="(http:[^"]*)"/g)].map(([, address = ""]) => address);

  beforeAll(async () => {
    s3 = await startS3();
    site = await startSite(s3.env);
    const { storage } = site.services;
    await storage.putFile("course-videos", "m/open film.mp4", source);
    await storage.putFile("course-audio", "m/open.mp3", source);
    await storage.putFile("course-videos", "m/locked-film.mp4", source);
    course = await createCourse(site.services, [
      [
        { slug: "open", muxPlaybackId: "m/open film.mp4", audioKey: "m/open.mp3" },
        { slug: "gone", muxPlaybackId: "m/gone.mp4", content: "words-beside-the-film" },
        { slug: "locked", dripDay: 3, muxPlaybackId: "m/locked-film.mp4" },
      ],
    ]);
    student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: course.id });
  });
  afterAll(async () => {
    await site?.close();
    await s3?.close();
  });

  test("gives URLs of the store for an hour", async () => {
    const { response, html } = await lesson("open");
    expect(response.status).toBe(200);
    const [video = "", audio = ""] = addresses(html);
    for (const [address, type] of [
      [video, "video/mp4"],
      [audio, "audio/mpeg"],
    ] as const) {
      const url = new URL(address);
      expect(url.origin).toBe(s3.url);
      expect(url.searchParams.get("X-Amz-Expires")).toBe("3600");
      const file = await fetch(address);
      expect(file.headers.get("content-type")).toBe(type);
      expect(Buffer.from(await file.arrayBuffer()).equals(film)).toBe(true);
    }
  });

  test("names the store in the content security policy", async () => {
    for (const page of [(await lesson("open")).response, await site.ask("/")]) {
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain(`; media-src 'self' ${s3.url};`);
      expect(policy).toContain("default-src 'self';");
    }
  });

  test("gives no URL of a locked lesson, nor to those who may not study", async () => {
    const stranger = await createPerson(site.services);
    for (const { html } of [
      await lesson("locked"),
      await lesson("open", stranger),
      await lesson("open", null),
    ]) {
      expect(addresses(html)).toEqual([]);
      expect(html).not.toContain("X-Amz-Signature");
      expect(html).not.toContain("locked-film");
    }
  });

  test("the URLs are good for their file, bucket and hour alone", async () => {
    const [good = ""] = addresses((await lesson("open")).html);
    const altered: [string, (url: URL) => unknown][] = [
      ["another key", (url) => url.pathname.replace("open%20", "locked-")],
      ["another bucket", (url) => url.pathname.replace("videos", "audio")],
      ["a longer life", (url) => url.searchParams.set("X-Amz-Expires", "7200")],
      ["another type", (url) => url.searchParams.set("response-content-type", "text/html")],
      ["no signature", (url) => url.searchParams.delete("X-Amz-Signature")],
    ];
    for (const [what, alter] of altered) {
      const url = new URL(good);
      const pathname = alter(url);
      if (typeof pathname === "string") url.pathname = pathname;
      const response = await fetch(url);
      expect([what, response.status]).toEqual([what, 403]);
      await response.body?.cancel();
    }
    const { storage, clock } = site.services;
    const hourAgo = new Date(clock.now().getTime() - 3601_000);
    const late = await fetch(await storage.signedUrl("course-audio", "m/open.mp3", hourAgo));
    expect(late.status).toBe(403);
    await late.body?.cancel();
  });

  test("the site's own media addresses lead nowhere", async () => {
    const response = await site.ask("/media/course-videos/m/open%20film.mp4");
    expect([403, 404]).toContain(response.status);
  });

  test("pictures come through the site, whose pages stay good when an address would expire", async () => {
    const open = course.modules[0]?.lessons[0]?.id ?? "";
    const picture = await storedPicture(site.services, open);
    const cover = await storedPicture(site.services, null);
    for (const path of [picture, cover]) {
      const answer = await site.ask(path, { as: student });
      expect([answer.status, await answer.text()]).toEqual([200, "a picture"]);
    }
    expect((await site.ask(cover, { method: "HEAD" })).headers.get("content-length")).toBe("9");
    expect((await site.ask(picture, { as: null })).status).toBe(401);
  });

  test("shows a lesson without its media when the file is not there, and says so in the log", async () => {
    const warn = vi.spyOn(site.services.log, "warn");
    const { response, html } = await lesson("gone");
    expect(response.status).toBe(200);
    expect(html).toContain("words-beside-the-film");
    expect(html).not.toContain("<video");
    expect(warn).toHaveBeenCalledWith(
      { bucket: "course-videos", key: "m/gone.mp4" },
      expect.stringMatching(/missing/),
    );
    warn.mockRestore();
  });

  test.each(["break", "silence"] as const)(
    "shows the text of a lesson at once while the store fails (%s), and its media afterwards",
    async (fault) => {
      const error = vi.spyOn(site.services.log, "error");
      s3.breakAt(() => fault);
      const before = performance.now();
      const { response, html } = await lesson("open");
      // Two seconds are its limit; the rest is a busy machine's.
      expect(performance.now() - before).toBeLessThan(8000);
      expect(response.status).toBe(200);
      expect(html).toContain("Some <em>words</em>");
      expect(addresses(html)).toEqual([]);
      // A regular task that meets the fault reports it too.
      const reported = error.mock.calls.filter(([, what]) => what?.startsWith("no address"));
      expect(reported).toHaveLength(2);
      error.mockRestore();
      s3.breakAt(() => undefined);
      expect(addresses((await lesson("open")).html)).toHaveLength(2);
    },
  );
});

test("a site stops in time while its store does not answer", { timeout: 60_000 }, async () => {
  const s3 = await startS3();
  const site = await startSite(s3.env);
  s3.breakAt(() => "silence");
  const before = performance.now();
  await site.close();
  // Hourly work waits for the store as well, and has five seconds to end.
  expect(performance.now() - before).toBeLessThan(15_000);
  await s3.close();
});

describe.concurrent("npm start, with S3", { timeout: 120_000 }, () => {
  const keys = { S3_ACCESS_KEY_ID: "some", S3_SECRET_ACCESS_KEY: "thing" };
  const ending = async (env: Record<string, string>) => {
    const { code, err } = await (await start(env)).ended;
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
    return err;
  };

  test("says in a line that the store does not answer", async () => {
    const S3_ENDPOINT = `http://127.0.0.1:${await freePort()}`;
    expect(await ending({ S3_ENDPOINT, ...keys })).toMatch(
      new RegExp(`^S3_ENDPOINT: the store at ${S3_ENDPOINT} does not answer \\(ECONNREFUSED\\)`),
    );
  });

  test("says in a line that the store refuses the keys", async () => {
    const s3 = await startS3();
    const wrong = { ...s3.env, S3_SECRET_ACCESS_KEY: "wrong" };
    expect(await ending(wrong)).toMatch(/^S3_ENDPOINT: the store at \S+ refuses the bucket .*403/);
    await s3.close();
  });

  test("says in a line that the bucket is in another region", async () => {
    const s3 = await startS3();
    // What Amazon's store answers to a request that is signed for another region.
    s3.breakAt(() => ({ status: 400, headers: { "x-amz-bucket-region": "eu-central-1" } }));
    expect(await ending(s3.env)).toMatch(
      /^S3_REGION: the bucket test-course-videos is in eu-central-1, not in us-east-1$/m,
    );
    await s3.close();
  });

  test("puts the sample media into the store", async () => {
    const s3 = await startS3("here-");
    const site = await startServing({ ...s3.env, SAMPLE_CONTENT: "on" });
    expect(s3.contents("here-course-videos")?.keys).toEqual(["samples/horizon.mp4"]);
    expect(s3.contents("here-course-audio")?.keys).toEqual(["samples/breathing.m4a"]);
    await site.kill("SIGTERM");
    await s3.close();
  });
});
