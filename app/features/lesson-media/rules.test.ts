import { describe, expect, test } from "vitest";
import { lengthInWords } from "./length.ts";
import { uploadRefusals } from "./messages.ts";
import {
  acceptOf,
  canRetryUpload,
  cleanFileName,
  endingsInWords,
  extensionOf,
  fileRefusal,
  isNamedAlike,
  mediaKey,
  percentOf,
  sizeInWords,
  typeByName,
  uploadRefusal,
  uploadRetryDelays,
} from "./rules.ts";

describe("cleanFileName", () => {
  test.each([
    ["film.mp4", "film.mp4"],
    ["Film.MP4", "Film.mp4"],
    ["Grüße an Zoë – Teil 2 (final).mov", "Grusse-an-Zoe-Teil-2-final.mov"],
    ["../../etc/passwd.mp3", "etc-passwd.mp3"],
    ["C:\\fakepath\\my film.webm", "C-fakepath-my-film.webm"],
    [".hidden.mp4", "hidden.mp4"],
    ["...mp4", "mp4"],
    [".mp4", "mp4"],
    ["悲しみ.mp4", "file.mp4"],
    ["🕯️.wav", "file.wav"],
    ["a..b...c.mp4", "a.b.c.mp4"],
    ["a.tar.MP4 ", "a.tar.mp4"],
    ["<script>alert(1)</script>.mp4", "script-alert-1-script.mp4"],
    ["a\0b\r\nc.mp4", "a-b-c.mp4"],
    ["%2e%2e%2f.mp4", "2e-2e-2f.mp4"],
    ["", "file"],
    ["-", "file"],
    [`${"x".repeat(300)}.flac`, `${"x".repeat(75)}.flac`],
  ])("%j is %j", (name, clean) => expect(cleanFileName(name)).toBe(clean));

  test("is a key's last part whatever it was", () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const clean = cleanFileName(
        `${String.fromCodePoint(code)}a${String.fromCodePoint(code)}.mp4`,
      );
      expect(clean).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]*\.mp4$/);
      expect(clean.length).toBeLessThanOrEqual(80);
    }
  });

  test("mediaKey: puts it behind the module and the time", () =>
    expect(mediaKey("m", 1732190000123, "a b.MP3")).toBe("m/1732190000123-a-b.mp3"));
});

describe("typeByName", () => {
  test.each([
    ["video", "a.mp4", "video/mp4"],
    ["video", "a.MOV", "video/quicktime"],
    ["audio", "a.m4a", "audio/mp4"],
    ["audio", "a.mp4", undefined],
    ["video", "a.mp3", undefined],
    ["video", "a.constructor", undefined],
    ["video", "a.html", undefined],
    ["video", "mp4", undefined],
  ] as const)("%s %s: %s", (kind, name, type) => expect(typeByName(kind, name)?.type).toBe(type));

  test("acceptOf and endingsInWords: the form accepts the same", () => {
    expect(acceptOf("video")).toBe(".mp4,.m4v,.mov,.webm,video/mp4,video/quicktime,video/webm");
    for (const ending of acceptOf("audio")
      .split(",")
      .filter((one) => one.startsWith(".")))
      expect(typeByName("audio", `a${ending}`)).not.toBeNull();
    expect(endingsInWords("video", 5e9)).toBe(
      "MP4, M4V, MOV or WebM, up to 5 GB. You can also drag it here.",
    );
  });

  test("extensionOf: reads from the end", () => {
    expect([extensionOf("a.b.MP4"), extensionOf("a")]).toEqual(["mp4", ""]);
  });

  test.each([
    ["a.mp4", 10, null],
    ["a.txt", 10, uploadRefusals.ending.video],
    ["a.mp4", 0, uploadRefusals.empty],
    ["a.mp4", 11_000_000, "This file is too large (11 MB). Up to 10 MB can be uploaded."],
  ])("fileRefusal: %s of %i bytes: %j", (name, size, reason) =>
    expect(fileRefusal("video", { name, size }, 10_000_000)).toBe(reason),
  );
});

describe("uploadRefusal", () => {
  const both = { audio: true, video: true };
  const heard = { audio: true, video: false };
  const seen = { audio: false, video: true };
  const found = (extension: string | null, tracks: typeof both | null, broken = false) => ({
    extension,
    tracks,
    broken,
  });
  test.each([
    ["video", "a.mp4", found("mp4", both), null],
    ["video", "a.mp4", found("mov", seen), null],
    ["video", "a.mp4", found("mp4", null), null],
    ["audio", "a.m4a", found("mp4", heard), null],
    ["audio", "a.ogg", found("opus", heard), null],
    ["audio", "a.m4a", found("m4a", null), null],
    ["video", "a.mp4", found(null, null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("png", null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("avi", null), uploadRefusals.notMedia.video],
    ["video", "a.mp4", found("mp4", null, true), uploadRefusals.damaged],
    ["video", "a.mp4", found("mp4", { audio: false, video: false }), uploadRefusals.damaged],
    ["video", "a.mp4", found("mp4", heard), uploadRefusals.audioInVideo],
    ["video", "a.mp4", found("mp3", null), uploadRefusals.audioInVideo],
    ["audio", "a.m4a", found("mp4", both), uploadRefusals.videoInAudio],
    ["audio", "a.mp3", found("webm", seen), uploadRefusals.videoInAudio],
    ["audio", "a.mp3", found("webm", heard), uploadRefusals.notMedia.audio],
    [
      "audio",
      "a.mp3",
      found("wav", heard),
      "This file is named .mp3 but is a WAV file. Rename it to .wav, then upload it again.",
    ],
  ] as const)("%s %s: %j", (kind, name, inside, reason) =>
    expect(uploadRefusal(kind, name, inside)).toBe(reason),
  );
});

test.each([
  [5_000_000_000, "5 GB"],
  [2_440_000_000, "2.4 GB"],
  [350_400_000, "350 MB"],
  [1_500, "1.5 KB"],
  [12, "12 bytes"],
])("sizeInWords: %i bytes are %s", (bytes, words) => expect(sizeInWords(bytes)).toBe(words));

test.each([
  [0, "0:00"],
  [499, "0:00"],
  [500, "0:01"],
  [59_499, "0:59"],
  [59_500, "1:00"],
  [187_000, "3:07"],
  [3_599_499, "59:59"],
  [3_600_000, "1:00:00"],
  [3_723_000, "1:02:03"],
  [360_000_000, "100:00:00"],
])("lengthInWords: %i ms are %s", (ms, words) => {
  expect(lengthInWords(ms)).toBe(words);
});

test.each([
  [0, 10, 0],
  [1, 3, 33],
  [999, 1000, 99],
  [4_999_999_999, 5_000_000_000, 99],
  [10, 10, 100],
  [11, 10, 100],
  [-1, 10, 0],
  [0, 0, 0],
])("percentOf: %i of %i bytes are %i %%", (received, size, percent) => {
  expect(percentOf(received, size)).toBe(percent);
});

test.each([
  ["grief.mp4", 10, true],
  ["grief.mp4", 11, false],
  ["Grief.mp4", 10, false],
  // What the site leaves out of a name.
  [" grief.mp4", 10, true],
  ["gri\u202eef.mp4", 10, true],
])("isNamedAlike: %j of %i bytes: %s", (name, size, isIt) => {
  expect(isNamedAlike({ name, size }, { fileName: "grief.mp4", size: 10 })).toBe(isIt);
});

test("uploadRetryDelays: soon at first, then ever later, twice a minute at least, for days", () => {
  expect(uploadRetryDelays.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(uploadRetryDelays).toEqual(uploadRetryDelays.toSorted((a, b) => a - b));
  expect(uploadRetryDelays.at(-1)).toBe(30_000);
  const days = uploadRetryDelays.reduce((sum, delay) => sum + delay, 0) / (24 * 3600_000);
  expect(days).toBeGreaterThan(3);
});

test.each([
  [true, [0, 408, 409, 423, 425, 429, 500, 502, 503]],
  [false, [507, 400, 401, 403, 404, 410, 413, 415]],
])("canRetryUpload: %s for %j", (isRetried, statuses) => {
  expect(statuses.map(canRetryUpload)).toEqual(statuses.map(() => isRetried));
});
