import { beforeAll, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { mostOpen, mostOpenInAll } from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import {
  announce,
  askUpload,
  beginUpload,
  metadataHeader,
  metadataOf,
  sampleFile,
  startUploadSite,
  type Uploading,
  upload,
  uploadingTo,
} from "../../support/uploads.ts";

const site = openForTests(() => startUploadSite("local", { UPLOAD_LIMIT_GB: "0.05" }));
let to: Uploading;
beforeAll(async () => {
  to = site.to;
});

const film = sampleFile("film.mp4");
const count = async () =>
  (await site.services.db.write.selectFrom("uploads").select("id").execute()).length;

describe("POST /uploads", () => {
  test.each<[string, string | Buffer, string]>([
    ["a NUL", "fi\0lm.mp4", "film.mp4"],
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
    ["slashes", "../../../etc/film.mp4", "../../../etc/film.mp4"],
    ["markup", '<img src=x onerror="alert(1)">.mp4', '<img src=x onerror="alert(1)">.mp4'],
  ])("stores a name with %s in a form that can be shown", async (_, filename, shown) => {
    const lessonId = newId();
    const header = metadataHeader({ ...metadataOf({ ...to, lessonId }), filename });
    const begun = await beginUpload(to, film.length, { "upload-metadata": header });
    expect([begun.status, await begun.text()]).toEqual([201, ""]);
    const uploadUrl = new URL(begun.headers.get("location") ?? "", site.url).href;
    await upload(film, to, { uploadUrl });
    const { stored } = (await site.panel(lessonId)).video;
    expect(stored?.fileName).toBe(shown);
    expect(stored?.key).toMatch(/^[\w-]{36}\/\d{13}-[\w.-]{1,80}\.mp4$/);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["another kind of file", { filename: "page.html" }, /^Choose an MP4/],
    ["a page named after a video", { filename: "page.mp4.html" }, /^Choose an MP4/],
    ["no ending", { filename: "film" }, /^Choose an MP4/],
    ["a hidden ending", { filename: "film.mp4\0.exe" }, /^Choose an MP4/],
    ["an ending with more behind it", { filename: "film.html;.mp4x" }, /^Choose an MP4/],
    ["a slash behind the ending", { filename: "film.mp4/" }, /^Choose an MP4/],
    ["a video for the audio", { kind: "audio" }, /^Choose an MP3/],
    ["an empty name", { filename: "" }, /^This file has no name/],
    ["nothing to be seen", { filename: "\0\u202e\u200b\u2060 \x07" }, /^This file has no name/],
    ["no module", { moduleId: newId() }, /^Choose a module/],
    ["what is no module", { moduleId: "none" }, /^Choose a module/],
    ["what is no lesson", { lessonId: "1" }, /^It is not clear which lesson/],
    ["a NUL in its lesson", { lessonId: `${newId()}\0` }, /^It is not clear which lesson/],
    ["a NUL in its kind", { kind: "video\0" }, /^It is not clear which lesson/],
  ])("refuses %s in words", async (_, wrong, words) => {
    const header = metadataHeader({ ...metadataOf(to), ...wrong });
    const refused = await beginUpload(to, 1000, { "upload-metadata": header });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(words)]);
  });

  test("refuses what is too large or empty, and a deleted module", async () => {
    const said = async (answer: Response) => [answer.status, await answer.text()];
    expect(await said(await beginUpload(to, 50_000_001))).toEqual([
      413,
      "This file is too large (50 MB). Up to 50 MB can be uploaded.",
    ]);
    expect(await said(await beginUpload(to, 0))).toEqual([
      400,
      "This file is empty. Choose another one.",
    ]);
    const other = await uploadingTo(site.services, site.url);
    const deleted = { deletedAt: site.services.clock.now() };
    const { write } = site.services.db;
    await write.updateTable("modules").set(deleted).where("id", "=", other.moduleId).execute();
    expect(await said(await beginUpload(other, 1000))).toEqual([
      400,
      expect.stringMatching(/^This module was deleted/),
    ]);
  });

  const notOffered = /^An upload begins with its whole length, and is one file\.$/;
  const late = { "upload-length": null };
  // null leaves a header out; metadata of '+...' is added to the usual one.
  test.each<[string, Record<string, string | null>, number, RegExp?]>([
    ["a length that comes later", { ...late, "upload-defer-length": "1" }, 400, notOffered],
    ["a length now and later", { "upload-defer-length": "1" }, 400],
    ["a part of a file", { ...late, "upload-concat": "partial" }, 400, notOffered],
    ["parts to be joined", { ...late, "upload-concat": "final;/uploads/a /uploads/b" }, 400],
    ["parts to be joined, with a length", { "upload-concat": "final;/uploads/a" }, 400],
    ["1e3 bytes", { "upload-length": "1e3" }, 400],
    ["more than numbers hold", { "upload-length": "9007199254740993" }, 400],
    ["the largest number there is", { "upload-length": "9007199254740991" }, 413],
    ["metadata that is no base64", { "upload-metadata": "filename ~~~" }, 400],
    ["metadata twice", { "upload-metadata": "+filename YQ==" }, 400],
    ["metadata of JavaScript's own", { "upload-metadata": "__proto__ YQ==" }, 400],
    ["metadata that is no text", { "upload-metadata": "+x /////w==" }, 201],
    ["a method in its headers", { "x-http-method-override": "DELETE" }, 201],
    ["another protocol before it", { "x-forwarded-proto": "gopher" }, 400],
  ])("answers %s as the client's mistake, or takes it", async (_, changed, status, words = /./) => {
    const usual = metadataHeader(metadataOf(to));
    const metadata = changed["upload-metadata"]?.replace(/^\+/, `${usual},`) ?? usual;
    const headers: Record<string, string | null> = {
      cookie: to.cookie,
      origin: to.origin,
      "tus-resumable": "1.0.0",
      "upload-length": "1000",
      ...changed,
      "upload-metadata": metadata,
    };
    const given = Object.entries(headers).filter(([, value]) => value !== null);
    const before = await count();
    const answer = await fetch(`${site.url}/uploads`, {
      method: "POST",
      headers: given as [string, string][],
    });
    expect(answer.status).toBe(status);
    if (status >= 400) expect(await answer.text()).toMatch(words);
    expect((await count()) - before).toBe(status === 201 ? 1 : 0);
  });
});

describe("HEAD, PATCH and DELETE /uploads/*", () => {
  test.each<["HEAD" | "PATCH" | "DELETE", string, Record<string, string>]>([
    ["PATCH", "no offset", { "upload-offset": "" }],
    ["PATCH", "an offset beyond the end", { "upload-offset": "5000" }],
    ["PATCH", "an offset of 400 digits", { "upload-offset": "9".repeat(400) }],
    ["PATCH", "another type", { "content-type": "text/plain" }],
    ["PATCH", "a length that comes later", { "upload-defer-length": "1" }],
    ["PATCH", "a wrong checksum", { "upload-checksum": "md5 x" }],
    ["HEAD", "another version of tus", { "tus-resumable": "2.0.0" }],
  ])("%s with %s is no fault of the site's own", async (method, _, headers) => {
    const address = await announce(to, 1000);
    const body = method === "PATCH" ? { offset: 0, body: "abc" } : {};
    for (const at of [address, `/uploads/${newId()}`, "/uploads/%E0%A4%", "/uploads/a%2Fb%00"]) {
      const { status } = await askUpload(method, to, at, { ...body, headers });
      expect([at, status]).toEqual([at, expect.toSatisfy((one) => one < 500)]);
    }
    await askUpload("DELETE", to, address);
  });

  const ids = ["%00", "..%2f..%2fsite.db", "%ff", "a".repeat(5000), "%F0%9F%8C%8A", "-1", "a/b"];
  test.each(ids)("find nothing at %.20j", async (id) => {
    for (const method of ["HEAD", "PATCH", "DELETE"] as const) {
      const body = method === "PATCH" ? { offset: 0, body: "abc" } : {};
      const { status } = await askUpload(method, to, `/uploads/${id}`, body);
      expect([400, 404]).toContain(status);
    }
  });
});

describe("an announced upload without a byte", () => {
  const send = (address: string, body: string) =>
    askUpload("PATCH", to, address, { offset: 0, body });

  test("is deleted after an hour; one with a byte is not", async () => {
    const [idle, sent] = [await announce(to, 1000), await announce(to, 1000)];
    await send(sent, "abc");
    const statuses = async () => {
      await cleanUpMedia.run(site.services);
      return Promise.all(
        [idle, sent].map(async (one) => (await askUpload("HEAD", to, one)).status),
      );
    };
    expect(await statuses()).toEqual([200, 200]);
    site.clock.forwardDays(1.1 / 24);
    expect(await statuses()).toEqual([404, 200]);
  });

  test("reserves no room after an hour, nor by a piece without a byte", async () => {
    to = await uploadingTo(site.services, site.url);
    const { uploads, db } = site.services;
    await db.write.deleteFrom("uploads").execute();
    await send(await announce(to, 1000), "");
    // As on a disk that has room for one of the two.
    const { room } = uploads;
    uploads.room = async () => 1500;
    try {
      expect((await beginUpload(to, 1000)).status).toBe(507);
      site.clock.forwardDays(1.1 / 24);
      expect((await beginUpload(to, 1000)).status).toBe(201);
    } finally {
      uploads.room = room;
    }
  });

  test(`is one of ${mostOpen} that an admin may have open, and of ${mostOpenInAll} in all`, async () => {
    site.clock.forwardDays(1);
    await cleanUpMedia.run(site.services);
    const announceMany = async (by: Uploading, times: number) => {
      const answers = Array.from({ length: times }, () => beginUpload(by, 1000));
      return Map.groupBy(await Promise.all(answers), ({ status }) => status);
    };
    to = await uploadingTo(site.services, site.url);
    const own = await announceMany(to, mostOpen + 5);
    expect([own.get(201)?.length, own.get(507)?.length]).toEqual([mostOpen, 5]);
    expect(await own.get(507)?.[0]?.text()).toMatch(/unfinished uploads/);
    let taken = 0;
    for (let others = 0; others < mostOpenInAll / mostOpen; others += 1) {
      const more = await announceMany(await uploadingTo(site.services, site.url), mostOpen);
      taken += more.get(201)?.length ?? 0;
    }
    expect(taken).toBeLessThanOrEqual(mostOpenInAll - mostOpen);
    expect(taken).toBeGreaterThan(mostOpenInAll - 2 * mostOpen);
    await askUpload("DELETE", to, own.get(201)?.[0]?.headers.get("location") ?? "");
    expect((await beginUpload(to, 1000)).status).toBe(201);
  });
});
