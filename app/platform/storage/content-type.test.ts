import { expect, test } from "vitest";
import { contentType, disposition } from "./content-type.ts";

test.each([
  ["course-videos", "m/1-film.mp4", "video/mp4"],
  ["course-videos", "m/1-FILM.MP4", "video/mp4"],
  ["course-videos", "m/1-film.mov", "video/quicktime"],
  ["course-videos", "m/1-film.webm", "video/webm"],
  ["course-videos", "m/1-film.ogv", "video/ogg"],
  ["course-videos", "m/1-film.mkv", "video/x-matroska"],
  ["course-audio", "m/1-sound.webm", "audio/webm"],
  ["course-audio", "m/1-sound.mp4", "audio/mp4"],
  ["course-audio", "m/1-sound.mp3", "audio/mpeg"],
  ["course-audio", "m/1-sound.m4a", "audio/mp4"],
  ["course-audio", "m/1-sound.m4b", "audio/mp4"],
  ["course-audio", "m/1-sound.weba", "audio/webm"],
  ["course-audio", "m/1-sound.oga", "audio/ogg"],
  ["course-audio", "m/1-sound.opus", "audio/ogg"],
  ["course-audio", "m/1-sound.aif", "audio/aiff"],
  ["course-audio", "m/1-sound.aiff", "audio/aiff"],
  ["course-audio", "m/1-sound.aac", "audio/aac"],
  ["course-audio", "m/1-sound.flac", "audio/flac"],
  ["course-audio", "m/1-sound.wav", "audio/wav"],
  ["course-files", "m/1-workbook.PDF", "application/pdf"],
  ["course-files", "m/1-book.epub", "application/epub+zip"],
  ["course-files", "m/1-photo.jpg", "image/jpeg"],
  // Nothing that a browser would show as a page or run.
  ["course-videos", "m/1-workbook.pdf", "application/octet-stream"],
  ["course-files", "m/1-film.mp4", "application/octet-stream"],
  ["course-files", "m/1-page.html", "application/octet-stream"],
  ["course-files", "m/1-picture.svg", "application/octet-stream"],
  ["course-videos", "m/1-page.html", "application/octet-stream"],
  ["course-videos", "m/1-picture.svg", "application/octet-stream"],
  ["course-videos", "m/1-film.mp4.html", "application/octet-stream"],
  ["course-videos", "m/1-film", "application/octet-stream"],
  ["course-videos", "m.mp4/1-film", "application/octet-stream"],
  ["course-videos", "m/constructor", "application/octet-stream"],
  ["course-videos", "m/1.constructor", "application/octet-stream"],
])("contentType: %s/%s is %s", (bucket, key, type) => {
  expect(contentType(bucket, key)).toBe(type);
});

test.each([
  ["course-videos", undefined, null],
  ["course-files", undefined, "attachment"],
  ["course-files", "Workbook.pdf", "attachment; filename=Workbook.pdf"],
  [
    "course-files",
    "Trost für Zoë 悲しみ.pdf",
    "attachment; filename=\"Trost fur Zoe -.pdf\"; filename*=UTF-8''Trost%20f%C3%BCr%20Zo%C3%AB%20%E6%82%B2%E3%81%97%E3%81%BF.pdf",
  ],
])("disposition: of %s as %j is %j", (bucket, name, header) => {
  expect(disposition(bucket, name)).toBe(header);
});

test.each(['a"; filename="b.html', "a\r\nSet-Cookie: a=b", "a\\", "%0d%0a", "\ud800.pdf", "a\0b"])(
  "disposition: %j stays one header with one name",
  (name) => {
    const header = disposition("course-files", name) ?? "";
    expect(() => new Headers({ "Content-Disposition": header })).not.toThrow();
    expect(header).toMatch(
      /^attachment; filename=("([^"\\\r\n]|\\.)*"|[\w%.-]+)(; filename\*=UTF-8''[\w%.-]+)?$/,
    );
  },
);
