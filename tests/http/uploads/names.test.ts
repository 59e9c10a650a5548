import { afterAll, beforeAll, expect, test } from "vitest";
import { listLessonMedia } from "~/features/lesson-media/media.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import {
  beginUpload,
  metadataOf,
  sampleFile,
  type Uploading,
  upload,
} from "../../support/uploads.ts";

let site: TestSite;
let to: Uploading;

beforeAll(async () => {
  site = await startSite();
  to = {
    url: site.url,
    cookie: await site.cookieOf(await createPerson(site.services, { role: "admin" })),
    origin: site.services.config.appUrl,
    moduleId: (await createCourse(site.services, [[{}]])).modules[0]?.id ?? "",
  };
});
afterAll(() => site.close());

/** As tus sends it; names that are no text at all come as their bytes. */
const headerOf = (words: Record<string, string | Buffer>) =>
  Object.entries(words)
    .map(([name, value]) => `${name} ${Buffer.from(value as string).toString("base64")}`)
    .join(",");

test.each<[string, string | Buffer, string]>([
  ["a NUL", "fi\0lm.mp4", "film.mp4"],
  ["a NUL at its end", "film.mp4\0", "film.mp4"],
  ["line breaks and an escape", "fi\r\nlm\x1b[31m.mp4", "film[31m.mp4"],
  ["half a letter", Buffer.from([0x66, 0xed, 0xa0, 0x80, 0x2e, 0x6d, 0x70, 0x34]), "f���.mp4"],
  ["5,000 letters", `${"l".repeat(5000)}.mp4`, `${"l".repeat(251)}.mp4`],
  ["1,500 emoji", `${"🌊".repeat(1500)}.mp4`, `${"🌊".repeat(251)}.mp4`],
  ["letters that turn the rest around", "4pm.\u202e\u2066film.mp4\u2069", "4pm.film.mp4"],
  ["letters of no width", "\ufefffi\u200blm\u2060 \u200eone\u200f\u061c.mp4", "film one.mp4"],
  [
    "letters that are joined or kept apart",
    "می\u200cخواهم \u{1f468}\u200d\u{1f467}.mp4",
    "می\u200cخواهم \u{1f468}\u200d\u{1f467}.mp4",
  ],
  ["Arabic letters", "حزن.mp4", "حزن.mp4"],
  ["slashes", "../../../etc/film.mp4", "../../../etc/film.mp4"],
  ["markup", '<img src=x onerror="alert(1)">.mp4', '<img src=x onerror="alert(1)">.mp4'],
])("a name with %s is kept in a form that can be shown", async (_, filename, shown) => {
  const lessonId = newId();
  const film = sampleFile("film.mp4");
  const words = { ...metadataOf({ ...to, lessonId }), filename };
  const begun = await beginUpload(to, film.length, { "upload-metadata": headerOf(words) });
  expect([begun.status, await begun.text()]).toEqual([201, ""]);
  const uploadUrl = new URL(begun.headers.get("location") ?? "", site.url).href;
  await upload(film, to, { uploadUrl });
  const { video } = await listLessonMedia(site.services, lessonId);
  expect(video.file?.fileName).toBe(shown);
  expect(video.key).toMatch(/^[\w-]{36}\/\d{13}-[\w.-]{1,80}\.mp4$/);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["an empty name", { filename: "" }, /^This file has no name/],
  [
    "a name of nothing to be seen",
    { filename: "\0\u202e\u200b\u2060 \x07" },
    /^This file has no name/,
  ],
  ["a name that is an ending", { filename: ".mp4" }, /^Choose an MP4/],
  ["a hidden ending", { filename: "film.mp4\0.exe" }, /^Choose an MP4/],
  ["a NUL in its kind", { kind: "video\0" }, /^It is not clear which lesson/],
  ["a NUL in its lesson", { lessonId: `${newId()}\0` }, /^It is not clear which lesson/],
  ["a NUL in its module", { moduleId: `${newId()}\0` }, /^Choose a module/],
  ["a module of 5,000 letters", { moduleId: "m".repeat(5000) }, /^Choose a module/],
])("%s is refused in words", async (_, wrong, words) => {
  const header = headerOf({ ...metadataOf(to), ...wrong });
  const refused = await beginUpload(to, 1000, { "upload-metadata": header });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(words)]);
});

test.each(["-1", "1e3", "0x10", "12345678901234567890123", "NaN", "", "1,1"])(
  "a length of %j is refused",
  async (length) => {
    const refused = await beginUpload(to, 1, { "upload-length": length });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
  },
);

test.each(["filename", "filename !!", ",,,", "filename Zm9v,filename Zm9v", "ü Zm9v", "="])(
  "words that are no words of tus, %j, are refused",
  async (header) => {
    const refused = await beginUpload(to, 1000, {
      "upload-metadata": Buffer.from(header).toString("latin1"),
    });
    expect(refused.status).toBe(400);
  },
);

const long = "a".repeat(5000);
test.each(["%00", "..%2f..%2fsite.db", "%ff", long, "%F0%9F%8C%8A", "-1", "%", "a/b"])(
  "there is no upload at %.20j",
  async (id) => {
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const headers = {
        cookie: to.cookie,
        "tus-resumable": "1.0.0",
        ...(method === "PATCH" && {
          "upload-offset": "0",
          "content-type": "application/offset+octet-stream",
        }),
      };
      const body = method === "PATCH" ? { body: "words" } : {};
      const answer = await site.ask(`/uploads/${id}`, { method, headers, ...body });
      expect([400, 404]).toContain(answer.status);
    }
  },
);
