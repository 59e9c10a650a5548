import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { type MediaKind, mediaBuckets } from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { tagged, withPiece } from "../../support/polyglots.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { filmOf, refusalOf, sampleFile, type Uploading, upload } from "../../support/uploads.ts";

const page = "<!doctype html><html><body><script>xss()</script></body></html>";
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>xss()</script></svg>';

const inFilm = filmOf(sampleFile("film.mp4").length + 10_000, (room) => room.write(page, "latin1"));

/** Media that can be played, with a page inside. */
const hidden: [string, MediaKind, string, string, Buffer][] = [
  ["a film with a page in its room", "video", "film.mp4", "video/mp4", inFilm],
  [
    "a film with a page behind it",
    "video",
    "film.html.webm",
    "video/webm",
    Buffer.concat([sampleFile("film.webm"), Buffer.from(page)]),
  ],
  [
    "a sound whose comment is a page",
    "audio",
    "<script>xss()</script>.mp3",
    "audio/mpeg",
    tagged(page, sampleFile("sound.mp3")),
  ],
  [
    "a sound with a drawing in it",
    "audio",
    "sound.svg.wav",
    "audio/wav",
    withPiece(drawing, sampleFile("sound.wav")),
  ],
];

/** What only its name makes media. */
const disguised: [string, Buffer][] = [
  ["a page", Buffer.from(page)],
  ["a page behind blanks and a mark", Buffer.from(`\ufeff \n\t${page}`)],
  ["a page that begins like a film", Buffer.from(`\0\0\0\x18ftypmp42${page}`, "latin1")],
  ["a page that begins like a sound", Buffer.from(`ID3${page}`)],
  ["a drawing", Buffer.from(drawing)],
  ["a drawing with a head", Buffer.from(`<?xml version="1.0"?>${drawing}`)],
  ["a picture that is a script", Buffer.from("GIF89a=1;/*\0\0\0\0\0\0\0\0*/;xss()//")],
  ["captions", Buffer.from(`WEBVTT\n\n00:00.000 --> 00:01.000\n${page}\n`)],
  ["a document", Buffer.from(`%PDF-1.7\n1 0 obj<</S/JavaScript/JS(xss())>>endobj\n${page}`)],
  ["a message", Buffer.from(`MIME-Version: 1.0\nContent-Type: text/html\n\n${page}`)],
];

describe.each(["local", "s3"] as const)("files that are two things at once, %s", (kind) => {
  let s3: S3Server | null = null;
  let site: TestSite;
  let course: TestCourse;
  let to: Uploading;

  beforeAll(async () => {
    if (kind === "s3") s3 = await startS3();
    site = await startSite(s3?.env);
    course = await createCourse(site.services, [[{}]]);
    to = {
      url: site.url,
      cookie: await site.cookieOf(await createPerson(site.services, { role: "admin" })),
      origin: site.services.config.appUrl,
      moduleId: course.modules[0]?.id ?? "",
    };
  });
  afterAll(async () => {
    await site?.close();
    await s3?.close();
  });

  test.each(hidden)("%s is played, and never read as anything else", async (...given) => {
    const [, media, fileName, type, bytes] = given;
    const lessonId = newId();
    await upload(bytes, { ...to, kind: media, fileName, lessonId });
    const { key } = (await listLessonMedia(site.services, lessonId))[media];
    expect(key).toMatch(/^[\w-]+\/\d+-[\w.-]+\.(mp4|webm|mp3|wav)$/);
    const now = site.services.clock.now();
    const address = await site.services.storage.signedUrl(mediaBuckets[media], key ?? "", now);
    // As a tab would ask for it, and a page for a script, a style sheet or a part of it.
    for (const headers of [
      { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
      { "sec-fetch-dest": "script" },
      { "sec-fetch-dest": "style" },
      { range: `bytes=${bytes.indexOf("<")}-` },
    ] as Record<string, string>[]) {
      const answer = await fetch(new URL(address, site.url), { headers });
      expect(answer.status).toBe(headers.range ? 206 : 200);
      expect(answer.headers.get("content-type")).toBe(type);
      // Another store answers under its own name, where no session and no page of ours is.
      if (kind === "local") expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      else expect(new URL(address).origin).not.toBe(new URL(site.url).origin);
      await answer.body?.cancel();
    }
  });

  test.each(disguised)("%s is refused, whatever it is called", async (_, bytes) => {
    for (const [media, fileName] of [
      ["video", "film.mp4"],
      ["video", "film.webm"],
      ["audio", "sound.mp3"],
      ["audio", "sound.wav"],
    ] as const) {
      const lessonId = newId();
      const refused = await refusalOf(upload(bytes, { ...to, kind: media, fileName, lessonId }));
      expect(refused, fileName).toEqual({ status: 400, said: expect.stringMatching(/^This /) });
      expect((await listLessonMedia(site.services, lessonId))[media].key).toBeNull();
    }
  });

  test.each([
    "captions.vtt",
    "page.mp4.html",
    "page.svg",
    "film.mp4\u0000.html",
    "film.html;.mp4x",
    "film.mp4/",
  ])("no film is called %j", async (fileName) => {
    const lessonId = newId();
    const refused = await refusalOf(
      upload(sampleFile("film.mp4"), { ...to, kind: "video", fileName, lessonId }),
    );
    expect(refused).toEqual({ status: 400, said: expect.stringMatching(/^Choose an MP4/) });
  });
});

test.each(disguised.filter(([what]) => what !== "captions"))(
  "%s is no captions file",
  async (_, bytes) => {
    const site = await startSite();
    try {
      const admin = await createPerson(site.services, { role: "admin" });
      const course = await createCourse(site.services, [[{}]]);
      const path = `/admin/lessons/${course.modules[0]?.lessons[0]?.id}/captions`;
      const body = new FormData();
      body.set("intent", "captions");
      body.set("file", new File([new Uint8Array(bytes)], "captions.vtt", { type: "text/vtt" }));
      const headers = { accept: "application/json" };
      const answer = await site.ask(path, { as: admin, body, headers });
      expect(answer.status).toBe(400);
      expect((await site.ask(path, { as: admin })).status).toBe(404);
    } finally {
      await site.close();
    }
  },
);
