import { expect, test } from "vitest";
import { contentType } from "./content-type.ts";

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
  // Nothing that a browser would show as a page or run.
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
